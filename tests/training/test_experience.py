"""What a learner has done is remembered with how it ended."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from pocketmars_agents import make_agent  # noqa: E402
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE  # noqa: E402
from pocketmars_env.games.pocket_mars.spec import SPEC  # noqa: E402
from pocketmars_training.data.experience import (  # noqa: E402
    Decision,
    Experience,
    Player,
    advantages,
    experience_of,
    joined,
)
from pocketmars_training.model.masking import masked  # noqa: E402
from pocketmars_training.model.network import Network  # noqa: E402
from pocketmars_training.run.training_spec import kinds_of  # noqa: E402
from tests.agents.mlps import random_mlp  # noqa: E402


@pytest.fixture(scope="module")
def network() -> Network:
    network = Network.of_mlp(random_mlp(2, 12))
    network.add_rivals(3)
    return network


def player(
    counts: tuple[int, ...] = (6, 6, 6), bot_share: float = 0.5, gae: float = 0.9, seed: int = 1
) -> Player:
    bots = [make_agent("random"), make_agent("greedy:1")]
    return Player(SPEC, counts, kinds_of(SPEC, (2, 3, 4)[: len(counts)]), bots, bot_share, gae, (seed,))


def decision(seat: int, value: float, number: int = 0) -> Decision:
    """A decision that can be told by its first observed number."""
    observation = np.zeros(OBSERVATION_SIZE, np.float16)
    observation[0] = number
    mask = np.zeros(NUM_ACTIONS, np.bool_)
    mask[[number, number + 1]] = True
    return Decision(observation, mask, number, -0.5, value, seat)


def test_an_advantage_is_what_came_in_place_of_what_was_expected() -> None:
    values = np.array([0.5, -0.25, 0.125], np.float32)
    assert advantages(values, 1.0, gae=1.0) == pytest.approx([0.5, 1.25, 0.875])
    assert advantages(values, 1.0, gae=0.0) == pytest.approx([-0.75, 0.375, 0.875])
    changes = [-0.75, 0.375, 0.875]
    expected = [sum(0.5 ** (k - i) * changes[k] for k in range(i, 3)) for i in range(3)]
    assert advantages(values, 1.0, gae=0.5) == pytest.approx(expected)


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_every_seat_learns_from_its_own_end(winner: int) -> None:
    rewards = np.full(3, -0.5)
    rewards[winner] = 1.0
    played = [decision(seat, 0.1 * number, number) for number, seat in enumerate((1, 0, 2, 1, 0))]
    found = experience_of(played, rewards, gae=1.0, max_seats=4)
    assert found.observations[:, 0].tolist() == found.actions.tolist() == [0, 1, 2, 3, 4]
    assert found.values + found.advantages == pytest.approx(rewards[[1, 0, 2, 1, 0]])
    assert found.shares[:, 0].tolist() == [float(seat == winner) for seat in (1, 0, 2, 1, 0)]
    assert found.shares.sum(axis=1).tolist() == [1.0] * 5
    assert found.shares[0].argmax() == (winner - 1) % 3
    assert found.seats.tolist() == [3] * 5
    own = experience_of(played, rewards, gae=0.5, max_seats=4).advantages[[0, 3]]
    assert own == pytest.approx(advantages(np.array([0.0, 0.3], np.float32), float(rewards[1]), 0.5))


def test_a_batch_is_some_of_the_decisions() -> None:
    rewards = np.array([1.0, -1.0])
    one = experience_of([decision(0, 0.25, 1), decision(1, 0.5, 2)], rewards, 1.0, 4)
    other = experience_of([decision(0, 0.0, 3)], rewards, 1.0, 4)
    both = joined([one, other])
    assert both.decisions == 3
    batch = both.batch(np.array([2, 1]))
    assert batch.actions.tolist() == [3, 2]
    assert batch.observations.dtype == torch.float32
    assert batch.observations[:, 0].tolist() == [3, 2]
    assert batch.masks.nonzero().tolist() == [[0, 3], [0, 4], [1, 2], [1, 3]]
    assert batch.returns.tolist() == [1.0, -1.0]
    assert batch.advantages.tolist() == [1.0, -1.5]
    assert batch.shares[:, :2].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert batch.seats.tolist() == [2, 2]


def test_what_is_remembered_is_what_the_network_said(network: Network) -> None:
    found = player(gae=1.0).play(network, 800)
    assert 800 <= found.decisions < 1_600
    rows = np.arange(found.decisions)
    assert found.masks[rows, found.actions].all()
    batch = found.batch(rows)
    with torch.no_grad():
        logits, values, _ = network(batch.observations)
        logs = masked(logits, batch.masks).log_softmax(dim=1)[rows, batch.actions]
    assert values.numpy() == pytest.approx(found.values, abs=5e-3)  # observations are kept as float16
    assert logs.numpy() == pytest.approx(found.logs, abs=5e-3)
    seats = found.seats
    assert set(seats.tolist()) == {2, 3, 4}
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(len(rows)))
    assert batch.returns.numpy() == pytest.approx((found.shares[:, 0] * seats - 1) / (seats - 1), abs=1e-5)


def test_answers_are_drawn_from_the_policy(network: Network) -> None:
    """On average an answer is as probable as the network says that its answers are."""
    found = player((40,), bot_share=0.0).play(network, 6_000)
    batch = found.batch(np.arange(found.decisions))
    with torch.no_grad():
        policies = masked(network(batch.observations)[0], batch.masks).softmax(dim=1)
    expected = policies.square().sum(dim=1).mean().item()
    assert np.exp(found.logs).mean() == pytest.approx(expected, abs=0.01)


def test_the_learner_has_all_seats_or_one(network: Network) -> None:
    assert player((8,), bot_share=0.0).play(network, 300).shares[:, 0].mean() == pytest.approx(0.5, abs=0.1)
    alone = player((8,), bot_share=1.0).play(network, 300)
    parts = np.flatnonzero(np.diff(alone.shares[:, 0]) != 0)
    assert len(parts) < 30  # decisions of a game stand together, and all of them are of one seat


def test_the_same_seed_gives_the_same_experience(network: Network) -> None:
    one, again, other = (player(seed=seed).play(network, 200) for seed in (1, 1, 2))
    for name in Experience._fields:
        assert np.array_equal(getattr(one, name), getattr(again, name))
    assert not np.array_equal(one.observations[:100], other.observations[:100])


def test_games_go_on_when_enough_has_been_learnt(network: Network) -> None:
    playing = player((30,), bot_share=0.0)
    first, second = playing.play(network, 100), playing.play(network, 100)
    assert not np.array_equal(first.observations[:50], second.observations[:50])
    assert second.decisions >= 100
