"""Thermometer encoding of counts, with a flag for every step that is reached."""

import numpy as np
import torch

from pocketmars_env import Game, Games
from pocketmars_env.core.layout import start_of_piece
from pocketmars_env.games.pocket_mars.observation.layout import OBSERVATION_LAYOUT
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.network import MAX_STEPS, thermometers_of

THERMOMETERS = thermometers_of(OBSERVATION_LAYOUT)
COLUMNS, CUTS = THERMOMETERS.columns.numpy(), THERMOMETERS.cuts.numpy()


def lit(observation: np.ndarray, column: int) -> int:
    """Return how many flags of an observation entry are set."""
    flags = THERMOMETERS(torch.from_numpy(observation[None]))[0, len(observation) :]
    return int(flags.numpy()[column == COLUMNS].sum())


def test_the_observation_stands_before_the_flags() -> None:
    observations, _ = Games(6, players=3, seed=1).observe()
    found = THERMOMETERS(torch.from_numpy(observations)).numpy()
    assert found.shape == (6, observations.shape[1] + len(COLUMNS))
    assert np.array_equal(found[:, : observations.shape[1]], observations)
    assert set(np.unique(found[:, observations.shape[1] :])) == {0.0, 1.0}


def test_energy_and_colonists_light_a_flag_for_each() -> None:
    game, rng = Game(players=2, seed=5), np.random.default_rng(5)
    seen = set()
    while not game.over:
        for seat in range(2):
            snapshot = game.snapshot()["seats"][seat]
            observation, first = game.view(seat).observation, start_of_piece(OBSERVATION_LAYOUT, "seats")
            assert lit(observation, first + 6) == snapshot["energy"]
            assert lit(observation, first + 3) == snapshot["earth"]
            seen.add(snapshot["energy"])
        game.step(int(rng.choice(game.legal)))
    assert len(seen) > 4


def test_every_entry_with_few_steps_has_its_flags_and_no_other() -> None:
    for piece in OBSERVATION_LAYOUT:
        steps = np.broadcast_to(piece.steps, piece.shape).reshape(-1)
        for entry, most in enumerate(steps):
            flags = CUTS[start_of_piece(OBSERVATION_LAYOUT, piece.name) + entry == COLUMNS]
            assert len(flags) == (most if most <= MAX_STEPS else 0)
            assert np.allclose(flags, (np.arange(len(flags)) + 0.5) / max(most, 1))


def test_the_steps_of_the_layout_are_those_that_occur() -> None:
    games = Games(60, players=4, seed=3)
    for _ in range(150):
        for name, values in SPEC.observation_pieces(games.observe()[0]).items():
            piece = next(piece for piece in OBSERVATION_LAYOUT if piece.name == name)
            steps = np.maximum(np.broadcast_to(piece.steps, piece.shape), 1)  # flags have 0 steps
            assert np.allclose(values * steps, np.round(values * steps), atol=1e-4), name
        games.step(games.random_actions(), ~games.over)
