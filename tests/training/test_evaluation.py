"""The evaluation of agents, and win rates."""

from typing import Any

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_env.envs.rewards import final_rewards
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_training.common import evaluation
from pocketmars_training.common.evaluation import evaluate, win_shares
from pocketmars_training.common.self_play_table import win_shares_from
from pocketmars_training.common.training_spec import Matchup
from pocketmars_training.games.pocket_mars import da_matchups, table_matchups
from tests.envs.scripts import Scripted, find_script


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_agent_wins_its_share_against_itself(players: int) -> None:
    games = 800
    found = evaluate(make_agent("random"), Matchup("itself", TABLE_ID, {"players": players}), games)
    deviation = (1 / players * (1 - 1 / players) / games) ** 0.5
    assert abs(found.win_share - 1 / players) < 3 * deviation
    assert found.interval[0] < found.win_share < found.interval[1]
    assert found.games == games


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_wins_and_losses_count_as_such(
    monkeypatch: pytest.MonkeyPatch, winner: int, last: int, seat: int
) -> None:
    script = find_script(winner, last)
    monkeypatch.setattr(evaluation, "FIRST_SEED", script.seed)
    opponent = Scripted(script.answers[1 - seat])
    matchup = Matchup("scripted", TABLE_ID, {"seat": seat, "opponents": opponent})
    assert evaluate(Scripted(script.answers[seat]), matchup, 1).win_share == (winner == seat)


@pytest.mark.parametrize(
    ("environment", "settings"),
    [(SOLO_ID, {"level": "cyborg"}), (TABLE_ID, {"players": 3, "opponents": "greedy:1"})],
)
def test_the_same_agent_gets_the_same_numbers(environment: str, settings: dict[str, Any]) -> None:
    matchup = Matchup("again", environment, settings)
    found = [evaluate(make_agent("greedy:1"), matchup, 40) for _ in range(2)]
    assert found[0] == found[1]
    assert 0 < found[0].win_share < 1


def test_the_matchups_of_pocket_mars() -> None:
    assert [one.name for one in table_matchups((4, 2, 2))] == ["greedy_2p", "greedy_4p", "planner_2p"]
    expected = [(bot, level) for bot in ("greedy", "planner") for level in LEVELS]
    matchups = da_matchups(["greedy", "planner"])
    assert [one.name for one in matchups] == [f"{bot}_{level}" for bot, level in expected]
    assert [(one.settings["opponents"], one.settings["level"]) for one in matchups] == expected


def test_the_automaton_wins_some_games_in_the_seat_of_the_da() -> None:
    matchup = da_matchups(["greedy:1"])[-1]
    assert 0.1 < evaluate(make_agent("automaton"), matchup, 200).win_share < 0.9


@pytest.mark.parametrize(
    ("scores", "winners", "expected"),
    [
        ([3, 2], {0}, [1, 0]),
        ([2, 2], {0, 1}, [0.5, 0.5]),
        ([1, 5, 2], {1}, [0, 1, 0]),
        ([5, 1, 5, 5], {0, 2, 3}, [1 / 3, 0, 1 / 3, 1 / 3]),
    ],
)
def test_win_shares_invert_the_reward(scores: list[int], winners: set[int], expected: list[float]) -> None:
    rewards = np.array(final_rewards("win", scores, winners))
    assert win_shares(rewards, len(scores)) == pytest.approx(expected)
    illegal = np.full(len(scores), -1.0)
    assert win_shares(illegal, len(scores)).tolist() == [0.0] * len(scores)
    seats = np.arange(len(scores))
    turned = [[*expected[seat:], *expected[:seat], *[0.0] * (4 - len(scores))] for seat in seats]
    found = win_shares_from(seats, np.tile(rewards, (len(scores), 1)), 4)
    assert found == pytest.approx(np.array(turned))
