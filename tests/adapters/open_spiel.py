"""Game states in OpenSpiel for the tests of the adapter, which are skipped if OpenSpiel is not installed."""

from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
adapter = pytest.importorskip("pocketmars_env.adapters.open_spiel")

SEED = 7
PERFECT_RECALL = pyspiel.IIGObservationType(perfect_recall=True)


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_pocket_mars", parameters)


def dealt(seed: int = SEED, **parameters: Any) -> Any:
    """Return a state whose cards were dealt by chance nodes."""
    state = load(**parameters).new_initial_state()
    for action in adapter.seed_actions(seed):
        state.apply_action(action)
    return state


def play(state: Any, decisions: int, seed: int = SEED) -> Any:
    """Play up to `decisions` random actions, stop early if the game ends, and return the same state."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def sampler(seed: int = SEED) -> Any:
    return pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)


def information(state: Any) -> list[str]:
    return [state.information_state_string(player) for player in range(state.num_players())]
