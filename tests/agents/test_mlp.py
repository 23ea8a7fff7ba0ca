"""Compiled networks give the same outputs as NumPy matrix products."""

import numpy as np
import pytest

from pocketmars_agents.network.mlp import Mlp, compact, new_activations
from pocketmars_env import Games
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.mlps import blank_mlp, outputs_of, random_mlp


def positions() -> tuple[np.ndarray, np.ndarray]:
    games = Games(32, players=3, seed=2)
    for _ in range(20):
        games.step(games.random_actions(), ~games.over)
    return games.observe()


def kept_weights(mlp: Mlp) -> np.ndarray:
    """Return the weights of the layers after the first, as the kernels store them."""
    network = compact(mlp)
    weights: np.ndarray = network.others * network.units[:, :, None].astype(np.float64)
    return weights


@pytest.mark.parametrize(
    ("layers", "width", "flags"), [(1, 1, 0), (1, 7, 1), (2, 32, 300), (3, 9, 0), (2, 1040, 9)]
)
def test_logits_and_values_are_those_of_the_matrices(layers: int, width: int, flags: int) -> None:
    mlp, (observations, masks) = random_mlp(layers, width, flags), positions()
    inputs = np.concatenate([observations, observations[:, mlp.columns] >= mlp.cuts], axis=1)
    features = np.maximum(inputs.astype(np.float64) @ mlp.first + mlp.biases[0], 0)
    for weights, bias in zip(kept_weights(mlp), mlp.biases[1:]):
        features = np.maximum(features @ weights + bias, 0)
    logits, values = outputs_of(mlp, observations, masks)
    expected = features @ mlp.logits.T + mlp.logit_biases
    assert np.allclose(logits[masks != 0], expected[masks != 0], rtol=1e-4, atol=1e-3)
    assert np.allclose(values, features @ mlp.value + mlp.value_bias, rtol=1e-4, atol=1e-3)
    assert (logits[masks == 0] == -7).all()


def test_weights_are_kept_to_a_65000th_of_the_largest_in_their_row() -> None:
    mlp = random_mlp(3, 40)
    mlp.others[0, 7] = 0
    mlp.others[1, 3] *= 1e-20
    mlp.others[1, 4] *= 1e-40  # so small that the row's scale is clipped
    largest = np.abs(mlp.others).max(axis=2, keepdims=True)
    assert (np.abs(kept_weights(mlp) - mlp.others) <= np.maximum(largest / 65_000, 1e-38)).all()
    assert compact(mlp).others.dtype == np.int16


def test_rivals_are_those_of_the_matrices() -> None:
    mlp, (observations, masks) = random_mlp(2, 16, flags=0, opponent_win_split=3), positions()
    room = new_activations(mlp, SPEC.max_seats)
    for row in range(len(masks)):
        one = slice(row, row + 1)
        outputs_of(mlp, observations[one], masks[one], room)
        features = observations[row].astype(np.float64) @ mlp.first + mlp.biases[0]
        features = np.maximum(np.maximum(features, 0) @ kept_weights(mlp)[0] + mlp.biases[1], 0)
        assert np.allclose(
            room.opponent_win_split,
            mlp.opponent_win_split @ features + mlp.opponent_win_split_biases,
            rtol=1e-4,
            atol=1e-3,
        )


def test_what_a_network_worked_with_before_makes_no_difference() -> None:
    mlp, (observations, masks) = random_mlp(2, 16), positions()
    used = new_activations(mlp, SPEC.max_seats)
    outputs_of(mlp, observations[:1], masks[:1], used)  # later inputs are evaluated as changes to this
    for array in (used.inputs, used.layers, used.used, used.logits):
        array.fill(5)
    for row in range(1, len(masks)):
        one = observations[row : row + 1], masks[row : row + 1]
        for again, fresh in zip(outputs_of(mlp, *one, used), outputs_of(mlp, *one)):
            assert np.allclose(again, fresh, atol=1e-5)


def test_what_one_seat_has_seen_makes_no_difference_to_another() -> None:
    mlp, (observations, masks) = random_mlp(2, 16), positions()
    used, fresh = new_activations(mlp, SPEC.max_seats), new_activations(mlp, SPEC.max_seats)
    outputs_of(mlp, observations, masks, used)  # evaluated for seat 0
    assert used.has_first.tolist() == [True, False, False, False]
    for array in ("first_inputs", "first_sums"):
        assert np.array_equal(getattr(used, array)[1:], getattr(fresh, array)[1:])


def test_a_network_of_zeros_finds_all_alike() -> None:
    observations, masks = positions()
    logits, values = outputs_of(blank_mlp(SPEC), observations, masks)
    assert not logits[masks != 0].any()
    assert not values.any()
