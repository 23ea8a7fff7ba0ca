"""Games, views, environments and vector environments work with a third-party game."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test

from pocketmars_env import sample_actions
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.game import View
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.core.games import Games
from pocketmars_env.core.testing import check_clone, check_invariants, check_no_leak, play_random_game
from pocketmars_env.envs.classes import environments_of
from tests.envs.vectors import ends_of_equal_play
from tests.passing import passed_decisions
from tests.third_game.pairs import MATCH_IT, SPEC, PairsGame

TABLE_ID = "pairs/Table-v0"


class Matching:
    """A bot that matches whenever it can and otherwise plays its highest card."""

    name = "matching"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return MATCH_IT if MATCH_IT in view.legal else view.legal[-1]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("check", [check_invariants, check_clone, check_no_leak])
def test_games_are_sound(players: int, check: Any) -> None:
    for seed in range(10):
        game = play_random_game(PairsGame, seed, check, players=players)
        assert game.over
        assert game.winners


def test_a_decision_out_of_turn_is_asked() -> None:
    to_play = set()

    def note(game: Any) -> None:
        to_play.add((game.decision, game.to_play == int(game.states["active"][0])))

    for seed in range(10):
        play_random_game(PairsGame, seed, note, players=3)
    assert {("PLAY", True), ("MATCH", False)} <= to_play


def test_a_seat_passes_where_the_row_of_the_decision_says_so() -> None:
    assert passed_decisions(PairsGame, [{"players": 3}]) == {
        row.name for row in SPEC.decisions if row.may_pass
    }


def test_a_text_plays_the_game_again() -> None:
    game = play_random_game(PairsGame, seed=3, players=4)
    text = game.to_text()
    assert text.startswith("# Pairs game, format 1\n")
    assert PairsGame.from_text(text).to_bytes() == game.to_bytes()


def test_many_games_equal_single_ones() -> None:
    many = Games(20, SPEC, players=3, seed=5)
    singles = [PairsGame(players=3, seed=5 + i) for i in range(20)]
    while not many.over.all():
        actions = many.random_actions()
        running = ~many.over
        many.step(actions, running)
        for game, action, is_running in zip(singles, actions.tolist(), running.tolist()):
            if is_running:
                game.step(action)
    assert [game.scores for game in singles] == many.scores.tolist()
    assert {game.termination for game in singles} == {"TERMINATED"}
    assert (many.termination == 0).all()


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
def test_pettingzoo_checks_it() -> None:
    env = environments_of(SPEC)["env"](players=3)
    api_test(env, num_cycles=200)
    if hasattr(pettingzoo, "make"):
        assert pettingzoo.make("aec", "pairs/pairs-v0", players=4).possible_agents[-1] == "player_3"


def test_gymnasium_checks_it() -> None:
    env = gymnasium.make(TABLE_ID, players=3, opponents=Matching(), seat=1)
    assert env.get_wrapper_attr("seat") == 1
    check_env(env.unwrapped, skip_render_check=True)


def test_its_native_vectors_equal_single_environments() -> None:
    settings: dict[str, Any] = {"players": 3, "opponents": Matching(), "reward": "margin"}
    native = gymnasium.make_vec(TABLE_ID, 5, "vector_entry_point", **settings)
    single = environments_of(SPEC)["TableEnv"]
    singles = SyncVectorEnv([lambda: single(**settings)] * 5, autoreset_mode=AutoresetMode.SAME_STEP)
    ends_of_equal_play(native, singles, 60)


def test_stable_baselines3_gets_it() -> None:
    env: Any = PocketMarsVecEnv(TABLE_ID, 8, seed=1, opponents=Matching())
    env.reset()
    masks = np.stack(env.env_method("action_masks"))
    assert env.step(sample_actions(masks, np.random.default_rng(1)))[0].shape == (8, SPEC.observation_size)


def test_its_name_is_taken() -> None:
    assert game_named("pairs") is SPEC
    with pytest.raises(ValueError, match="chess"):
        game_named("chess")


def test_many_games_can_be_pickled() -> None:
    games = Games(3, SPEC, seed=1)
    twin = pickle.loads(pickle.dumps(games))
    assert type(twin) is type(games)
    assert twin.states.tobytes() == games.states.tobytes()


@pytest.mark.parametrize(("name", "settings"), [("raw_env", {}), ("TableEnv", {"opponents": Matching()})])
def test_its_environments_can_be_pickled(name: str, settings: dict[str, Any]) -> None:
    env = environments_of(SPEC)[name](**settings)
    env.reset(seed=1)
    twin = pickle.loads(pickle.dumps(env))
    assert type(twin) is type(env)
    action = env.game.legal[0]
    env.step(action)
    twin.step(action)
    assert env.game.to_bytes() == twin.game.to_bytes()
