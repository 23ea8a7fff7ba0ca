"""How the seats share a win."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pocketmars_env.envs.rewards import final_rewards  # noqa: E402
from pocketmars_training.model.shares import rivals_loss, shares_from, shares_of_wins  # noqa: E402

CASES = [
    ([3, 2], {0}, [1, 0]),
    ([2, 2], {0, 1}, [0.5, 0.5]),
    ([1, 5, 2], {1}, [0, 1, 0]),
    ([5, 1, 5, 5], {0, 2, 3}, [1 / 3, 0, 1 / 3, 1 / 3]),
]


@pytest.mark.parametrize(("scores", "winners", "expected"), CASES)
def test_shares_of_wins_undo_the_reward(scores: list[int], winners: set[int], expected: list[float]) -> None:
    rewards = np.array(final_rewards("win", scores, winners))
    assert shares_of_wins(rewards, len(scores)) == pytest.approx(expected)


@pytest.mark.parametrize(("scores", "winners", "expected"), CASES)
def test_shares_begin_with_a_seat(scores: list[int], winners: set[int], expected: list[float]) -> None:
    rewards = np.array(final_rewards("win", scores, winners))
    for seat in range(len(scores)):
        turned = [*expected[seat:], *expected[:seat], *[0.0] * (4 - len(scores))]
        found = shares_from(seat, rewards, 4)
        assert found.dtype == np.float32
        assert found == pytest.approx(turned)


def test_the_others_share_what_is_left_as_they_win() -> None:
    """The best logits are those of the shares on average; a seat that is not there changes nothing."""
    shares, logits = torch.tensor([[0.5, 0.25, 0.0], [0.0, 0.25, 0.0]]), torch.zeros(3, requires_grad=True)
    seats, optimizer = torch.tensor([3, 3]), torch.optim.Adam([logits], lr=0.05)
    for _ in range(300):
        optimizer.zero_grad()
        rivals_loss(shares, seats, logits.expand(2, 3)).backward()
        optimizer.step()
    assert logits[:2].softmax(dim=0).tolist() == pytest.approx([0.5, 0.5], abs=0.01)
    assert logits[2] == 0
    assert rivals_loss(torch.tensor([[0.7, 0.0, 0.0]]), torch.tensor([2]), logits[None]) == 0
