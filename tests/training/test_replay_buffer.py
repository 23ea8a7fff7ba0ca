"""The replay buffer."""

import numpy as np
import pytest
import torch

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.replay_buffer import UNIFORM_SHARE, ReplayBuffer, Sample

UINT8 = np.dtype(np.uint8)
EVEN = np.zeros(2)
EVEN_SHARES = np.array([0.5, 0.5, 0.0, 0.0], np.float32)


def sample(number: int, surprise: float = 1.0, seat: int = 0) -> Sample:
    """Create a sample that can be identified by the first count of its observation."""
    observation = np.zeros(OBSERVATION_SIZE, UINT8)
    observation[0] = number
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[[number, number + 1]] = 1
    policy = np.zeros(NUM_ACTIONS, np.float32)
    policy[number] = 1.0
    return Sample(observation, mask, policy, seat, EVEN_SHARES, surprise)


def numbers(buffer: ReplayBuffer) -> list[int]:
    return sorted(buffer.batch(np.arange(len(buffer))).observations[:, 0].tolist())


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, [0.7, 0.1, 0.2, 0.0]), (0.5, [0.6, 0.3, 0.1, 0.0]), (1.0, [0.5, 0.5, 0.0, 0.0])],
)
def test_shares_are_made_of_the_outcome_and_what_the_search_expects(
    share: float, expected: list[float]
) -> None:
    buffer = ReplayBuffer(SPEC, 10, UINT8, outcome=share)
    expected_by_search = np.array([0.7, 0.1, 0.2, 0.0], np.float32)
    won = np.array([0.25, -0.5, 0.25])  # seats 0 and 2 share the win
    buffer.add_game([sample(1, seat=2)._replace(win_shares=expected_by_search)], won)
    batch = buffer.batch(np.array([0, 0]))
    assert batch.win_shares.numpy() == pytest.approx(np.array([expected] * 2), abs=1e-6)
    assert batch.seats.tolist() == [3, 3]
    assert batch.observations.dtype == torch.uint8
    assert batch.policies.dtype == batch.win_shares.dtype == torch.float32
    assert batch.masks[0].nonzero().flatten().tolist() == [1, 2]
    assert batch.policies[0].nonzero().flatten().tolist() == [1]


def test_the_newest_samples_replace_the_oldest() -> None:
    buffer = ReplayBuffer(SPEC, 3, UINT8, outcome=1.0)
    buffer.add_game([sample(0), sample(1)], EVEN)
    assert (len(buffer), buffer.added) == (2, 2)
    buffer.add_game([sample(2), sample(3), sample(4)], EVEN)
    assert numbers(buffer) == [2, 3, 4]
    assert (len(buffer), buffer.added) == (3, 5)


def test_surprising_samples_are_drawn_more_often() -> None:
    buffer = ReplayBuffer(SPEC, 100, UINT8, outcome=1.0)
    buffer.add_game([sample(number, surprise) for number, surprise in enumerate([0.0, 3.0, 0.0])], EVEN)
    rows = buffer.sample_rows(10, 3000, np.random.default_rng(0)).reshape(-1)
    shares = np.bincount(rows, minlength=3) / len(rows)
    assert shares == pytest.approx(
        [UNIFORM_SHARE / 3, UNIFORM_SHARE / 3 + 1 - UNIFORM_SHARE, UNIFORM_SHARE / 3], abs=0.01
    )


def test_samples_without_surprise_are_drawn_evenly() -> None:
    buffer = ReplayBuffer(SPEC, 4, UINT8, outcome=1.0)
    buffer.add_game([sample(number, surprise=0.0) for number in range(4)], EVEN)
    rows = buffer.sample_rows(4, 1000, np.random.default_rng(0)).reshape(-1)
    assert np.bincount(rows, minlength=4) / len(rows) == pytest.approx([0.25] * 4, abs=0.03)
