"""Lessons wait for the end of their game, and the newest ones are kept."""

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.data.replay_buffer import EVEN_SHARE, Lesson, ReplayBuffer

EVEN = np.zeros(2)
EVEN_SHARES = np.array([0.5, 0.5, 0.0, 0.0], np.float32)
AT = (0, 0)


def lesson(number: int, surprise: float = 1.0, seat: int = 0) -> Lesson:
    """A lesson that can be told by its first observed number; 0.5 is exact in every float."""
    observation = np.zeros(OBSERVATION_SIZE, np.float32)
    observation[0] = number / 2
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[[number, number + 1]] = 1
    policy = np.zeros(NUM_ACTIONS, np.float32)
    policy[number] = 1.0
    return Lesson(observation, mask, policy, seat, EVEN_SHARES, surprise)


def numbers(buffer: ReplayBuffer) -> list[int]:
    return sorted((2 * buffer.batch(np.arange(len(buffer))).observations[:, 0]).astype(int).tolist())


def test_lessons_can_be_learnt_from_when_their_game_is_over() -> None:
    buffer = ReplayBuffer(SPEC, 10, outcome_share=0.5)
    buffer.add((0, 0), lesson(1))
    buffer.add((0, 1), lesson(2))
    buffer.add((0, 0), lesson(3))
    assert len(buffer) == buffer.added == 0
    buffer.end_game((0, 0), EVEN)
    assert numbers(buffer) == [1, 3]
    buffer.end_game((0, 0), EVEN)
    buffer.end_game((1, 1), EVEN)
    assert buffer.added == 2
    buffer.end_game((0, 1), EVEN)
    assert numbers(buffer) == [1, 2, 3]


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, [0.7, 0.1, 0.2, 0.0]), (0.5, [0.6, 0.3, 0.1, 0.0]), (1.0, [0.5, 0.5, 0.0, 0.0])],
)
def test_shares_are_made_of_the_outcome_and_what_the_search_expects(
    share: float, expected: list[float]
) -> None:
    buffer = ReplayBuffer(SPEC, 10, outcome_share=share)
    buffer.add(AT, lesson(1, seat=2)._replace(shares=np.array([0.7, 0.1, 0.2, 0.0], np.float32)))
    buffer.end_game(AT, np.array([0.25, -0.5, 0.25]))  # seats 0 and 2 have won
    batch = buffer.batch(np.array([0, 0]))
    assert batch.shares == pytest.approx(np.array([expected] * 2), abs=1e-6)
    assert batch.seats.tolist() == [3, 3]
    assert batch.observations.dtype == batch.policies.dtype == batch.shares.dtype == np.float32
    assert np.flatnonzero(batch.masks[0]).tolist() == [1, 2]
    assert np.flatnonzero(batch.policies[0]).tolist() == [1]


def test_the_newest_lessons_take_the_places_of_the_oldest() -> None:
    buffer = ReplayBuffer(SPEC, 3, outcome_share=1.0)
    for number in range(5):
        buffer.add(AT, lesson(number))
    buffer.end_game(AT, EVEN)
    assert numbers(buffer) == [2, 3, 4]
    assert (len(buffer), buffer.added) == (3, 5)


def test_surprising_lessons_are_drawn_more_often() -> None:
    buffer = ReplayBuffer(SPEC, 100, outcome_share=1.0)
    for number, surprise in enumerate([0.0, 3.0, 0.0]):
        buffer.add(AT, lesson(number, surprise=surprise))
    buffer.end_game(AT, EVEN)
    rows = np.concatenate(buffer.batches(10, 3000, np.random.default_rng(0)))
    shares = np.bincount(rows, minlength=3) / len(rows)
    assert shares == pytest.approx(
        [EVEN_SHARE / 3, EVEN_SHARE / 3 + 1 - EVEN_SHARE, EVEN_SHARE / 3], abs=0.01
    )


def test_lessons_that_surprise_nobody_are_drawn_alike() -> None:
    buffer = ReplayBuffer(SPEC, 4, outcome_share=1.0)
    for number in range(4):
        buffer.add(AT, lesson(number, surprise=0.0))
    buffer.end_game(AT, EVEN)
    rows = np.concatenate(buffer.batches(4, 1000, np.random.default_rng(0)))
    assert np.bincount(rows, minlength=4) / len(rows) == pytest.approx([0.25] * 4, abs=0.03)
