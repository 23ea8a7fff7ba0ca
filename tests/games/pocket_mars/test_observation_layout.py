"""The pieces of an observation: their shapes, offsets and documentation."""

import numpy as np
import pytest

from pocketmars_env import OBSERVATION_LAYOUT, OBSERVATION_SIZE, observation_pieces
from pocketmars_env.games.pocket_mars.observation import layout as observation_layout


def test_pieces_fill_the_vector() -> None:
    assert sum(piece.size for piece in OBSERVATION_LAYOUT) == OBSERVATION_SIZE
    vector = np.arange(OBSERVATION_SIZE, dtype=np.float32)
    pieces = observation_pieces(vector)
    assert [piece.name for piece in OBSERVATION_LAYOUT] == list(pieces)
    assert np.array_equal(np.concatenate([piece.ravel() for piece in pieces.values()]), vector)
    for piece in OBSERVATION_LAYOUT:
        assert pieces[piece.name].shape == piece.shape
        assert np.shares_memory(pieces[piece.name], vector)
        assert piece.meaning


def test_the_starts_of_pieces_are_attributes_of_the_layout() -> None:
    vector = np.arange(OBSERVATION_SIZE, dtype=np.float32)
    for name, piece in observation_pieces(vector).items():
        assert getattr(observation_layout, name.upper()) == piece.ravel()[0]
    with pytest.raises(AttributeError, match="there is no piece 'nothing'"):
        observation_layout.NOTHING  # noqa: B018


def test_pieces_of_many_observations() -> None:
    vectors = np.zeros((5, 2, OBSERVATION_SIZE), dtype=np.float32)
    for piece in OBSERVATION_LAYOUT:
        assert observation_pieces(vectors)[piece.name].shape == (5, 2, *piece.shape)


def test_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match=rf"an observation has {OBSERVATION_SIZE} entries"):
        observation_pieces(np.zeros(3, dtype=np.float32))
