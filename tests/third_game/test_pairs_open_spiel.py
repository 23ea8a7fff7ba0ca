"""A third-party game can be played in OpenSpiel."""

import pickle

import numpy as np
import pytest

from pocketmars_env.adapters.moments import Moment
from tests.adapters.open_spiel import adapter, play, pyspiel
from tests.third_game.pairs import SPEC, PairsConfig, PairsGame


@pytest.fixture(scope="module", autouse=True)
def _registered_with_open_spiel() -> None:
    adapter.register(SPEC)
    adapter.register(SPEC)  # a second registration has no effect


def test_a_moment_is_a_position_of_the_game() -> None:
    moment = Moment.dealt(PairsConfig(players=3), seed=4)
    assert moment.game().to_bytes() == PairsGame(players=3, seed=4).to_bytes()
    after = moment.after(moment.legal[0])
    assert pickle.loads(pickle.dumps(after)).memory(1) == after.memory(1)
    assert after.sampled(1, seed=2).memory(1) == after.memory(1)


@pytest.mark.parametrize(("players", "reward"), [(2, "win"), (3, "margin"), (4, "win")])
def test_open_spiel_accepts_it(players: int, reward: str) -> None:
    game = pyspiel.load_game("python_pairs", {"players": players, "reward": reward})
    pyspiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False)
    assert (game.num_players(), game.max_game_length()) == (players, SPEC.max_decisions)
    assert game.max_utility() == (1 if reward == "win" else SPEC.margin_bound)


def test_it_has_the_parameters_of_its_settings() -> None:
    assert adapter.parameters_of(SPEC) == {"players": 2, "reward": "win", "seed": -1}
    with pytest.raises(ValueError, match="players"):
        pyspiel.load_game("python_pairs(players=5)")


def test_the_same_seed_gives_the_same_game() -> None:
    state = pyspiel.load_game("python_pairs(players=3,seed=7)").new_initial_state()
    game = PairsGame(players=3, seed=7)
    assert state.game().to_bytes() == game.to_bytes()
    assert state.action_to_string(game.legal[0]) == game.describe(game.legal[0])
    assert state.observation_string(0).startswith("seat 0: own[")
    play(state, SPEC.max_decisions)
    assert sum(state.returns()) == pytest.approx(0)


def test_its_states_are_saved_and_sampled() -> None:
    state = pyspiel.load_game("python_pairs(seed=7)").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    twin = pickle.loads(pickle.dumps(state))
    assert str(twin) == str(state)
    assert str(play(twin, SPEC.max_decisions)) == str(play(state.clone(), SPEC.max_decisions))
    sample = state.resample_from_infostate(0, np.random.default_rng(1).random)
    assert sample.information_state_string(0) == state.information_state_string(0)
