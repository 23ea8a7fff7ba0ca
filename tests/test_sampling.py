"""Sampling of random legal actions from masks."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, Games, sample_actions


def test_every_allowed_action_is_equally_likely_and_no_other_comes() -> None:
    masks = np.zeros((30_000, NUM_ACTIONS), dtype=np.int8)
    masks[:, [0, 5, 266]] = 1
    found, counts = np.unique(sample_actions(masks, np.random.default_rng(1)), return_counts=True)
    assert found.tolist() == [0, 5, 266]
    assert abs(counts - 10_000).max() < 400


def test_the_generator_decides_the_choices() -> None:
    masks = Games(200, seed=1).masks()

    def drawn(seed: int) -> list[int]:
        return list(sample_actions(masks, np.random.default_rng(seed)).tolist())

    assert drawn(1) == drawn(1) != drawn(2)
    rng = np.random.default_rng(1)
    assert sample_actions(masks, rng).tolist() != sample_actions(masks, rng).tolist()


def test_masks_may_be_bools_and_need_not_be_contiguous() -> None:
    masks = Games(50, seed=1).masks()
    expected = sample_actions(masks, np.random.default_rng(1)).tolist()
    for same in (masks.astype(np.bool_), np.asfortranarray(masks)):
        assert sample_actions(same, np.random.default_rng(1)).tolist() == expected


def test_an_empty_mask_gives_0() -> None:
    masks = np.zeros((2, NUM_ACTIONS), dtype=np.int8)
    assert sample_actions(masks, np.random.default_rng(1)).tolist() == [0, 0]


@pytest.mark.parametrize(
    "masks",
    [
        np.ones(NUM_ACTIONS, dtype=np.int8),
        np.ones((2, 0), dtype=np.int8),
        np.ones((2, NUM_ACTIONS)),
        [[1, 0]],
    ],
)
def test_wrong_masks_are_named(masks: Any) -> None:
    with pytest.raises(ValueError, match="masks"):
        sample_actions(masks, np.random.default_rng(1))
