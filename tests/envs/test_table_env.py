"""The Gymnasium environment in which one seat plays against opponents."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_env import Game, View
from pocketmars_env.envs.opponents import OpponentError
from pocketmars_env.envs.rewards import REWARDS, final_rewards
from pocketmars_env.pocketmars_v1 import TableEnv
from tests.agents.bots import Prepared
from tests.envs.playing import play_learner, started
from tests.envs.scripts import Scripted, find_script


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("learner", [0, 1])
def test_wins_and_losses_reach_the_learner_whoever_moves_last(winner: int, last: int, learner: int) -> None:
    script = find_script(winner, last)
    opponent = Scripted(script.answers[1 - learner])
    env = started(script.seed, TableEnv, opponents=opponent, seat=learner, illegal="raise")
    *early, final = script.answers[learner]
    for action in early:
        assert env.step(action)[1:4] == (0.0, False, False)
    assert env.step(final)[1:4] == (1.0 if winner == learner else -1.0, True, False)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("seat", [0, 1])
def test_player_and_da_get_opposite_rewards(reward: str, seat: int) -> None:
    env = TableEnv(mode="solo", level="super_droid", seat=seat, reward=reward)
    for seed in range(5):
        env.reset(seed=seed)
        total = sum(step[1] for step in play_learner(env))
        expected = final_rewards(reward, env.game.scores, env.game.winners)
        assert total == expected[seat] == -expected[1 - seat] != 0


def test_rewards_of_three_players_are_those_of_the_seat() -> None:
    env = started(make=TableEnv, players=3, seat=2, reward="margin")
    total = sum(step[1] for step in play_learner(env))
    assert total == final_rewards("margin", env.game.scores, env.game.winners)[2]


def test_a_random_seat_is_drawn_for_each_episode() -> None:
    env = started(make=TableEnv, players=4)
    seats = [env.seat]
    for _ in range(60):
        env.reset()
        seats.append(env.seat)
    assert min(seats.count(seat) for seat in range(4)) > 5
    env.reset(seed=1)
    assert env.seat == seats[0]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_fixed_seat_is_kept(seat: int) -> None:
    env = TableEnv(players=3, seat=seat)
    for seed in range(3):
        env.reset(seed=seed)
        assert (env.seat, env.game.to_play) == (seat, seat)


class Named(RandomAgent):
    """A random agent that records which seats it has played."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seats: set[int] = set()

    def act_batch(self, views: Any, seeds: Any) -> Any:
        self.seats |= set(views.seats.tolist())
        return super().act_batch(views, seeds)


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_opponents_sit_clockwise_from_the_learner(seat: int) -> None:
    opponents = [Named("left"), Named("across"), Named("right")]
    play_learner(started(make=TableEnv, players=4, seat=seat, opponents=opponents))
    assert [agent.seats for agent in opponents] == [{(seat + k) % 4} for k in (1, 2, 3)]


def test_the_opponents_answers_depend_on_the_seed_alone() -> None:
    env = TableEnv(players=3)
    games = []
    for _ in range(2):
        env.reset(seed=4)
        play_learner(env)
        games.append(env.game.to_text())
    assert games[0] == games[1]
    assert Game.from_text(games[0]).over


def test_opponents_see_no_hidden_card() -> None:
    class Curious(RandomAgent):
        def act(self, view: View, rng: np.random.Generator) -> int:
            assert view.states.tobytes() == view.sample(rng).view(view.seat).states.tobytes()
            return super().act(view, rng)

        act_batch = None  # type: ignore[assignment]

    play_learner(started(make=TableEnv, opponents=Curious()))


def test_an_opponent_that_answers_illegally_is_named() -> None:
    env = started(make=TableEnv, opponents=Scripted([266] * 9), seat=0)
    with pytest.raises(OpponentError, match=r"scripted.* seat 1 .*266"):
        play_learner(env)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(env.game.legal[0])  # it is the opponent's turn


def test_opponents_are_prepared_before_their_first_decision() -> None:
    env = TableEnv(opponents=Prepared())
    env.reset(seed=1)
    play_learner(env)  # raises an error if the opponent plays an illegal action
