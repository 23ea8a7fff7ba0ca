"""Imitation of a bot."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_agents import make_agent
from pocketmars_env import Games, Views
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common import imitation
from pocketmars_training.common.device import NetworkInputs
from pocketmars_training.common.imitation import Samples
from pocketmars_training.common.network import Network, masked
from pocketmars_training.common.self_play_table import Bots, SelfPlayTable, tables_of, win_shares_from
from pocketmars_training.common.training_spec import kinds_of
from pocketmars_training.ppo import PpoRun
from pocketmars_training.self_play import SelfPlaySettings
from tests.training.tiny import newest, tiny, with_one_matchup

CPU = torch.device("cpu")
SOLO = kinds_of(SPEC, (1,))
INPUTS = NetworkInputs(SPEC, [SPEC.config(**SOLO[0])], CPU)


def untrained() -> Any:
    """Create a network, and the function that computes its outputs."""
    torch.manual_seed(1)
    network = Network.untrained(SPEC, (64, 64))
    network.add_split(SPEC.max_seats - 1)
    return network, lambda stored: network(INPUTS.of(stored))


def collected(forward: Any, size: int, seed: int = 1, teacher_moves: float = 0.3) -> Samples:
    """Play solo games of the network and the teacher `greedy:1`."""
    rng = np.random.default_rng(seed)
    tables = tables_of(SPEC, [64], SOLO[:1], Bots([], 0.0), rng)
    samples = Samples(SPEC, size, INPUTS.dtype)
    samples.size = size
    teacher = make_agent("greedy:1")
    imitation.collect(forward, INPUTS, tables, teacher, samples, range(size), teacher_moves, rng)
    return samples


class Watched(SelfPlayTable):
    """Stores the observations, masks, seats and win shares of the learner's decisions, in order."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.rows: list[list[Any]] = []
        self.open: dict[int, list[list[Any]]] = defaultdict(list)

    def step(self, indices: Any, actions: Any) -> Any:
        views = self.learner_views(indices)
        observations, masks = INPUTS.observe(views)
        for game, *row in zip(indices.tolist(), observations, masks, views.seats.tolist()):
            self.rows.append(row)
            self.open[game].append(row)
        ended = super().step(indices, actions)
        for game in ended:
            for row in self.open.pop(game.game, []):
                rewards = game.result.rewards
                row.append(win_shares_from(np.array([row[2]]), rewards[None], SPEC.max_seats)[0])
        return ended


@pytest.mark.parametrize("size", [3_000, 3_001])
def test_samples_are_those_of_the_games(size: int) -> None:
    _, forward = untrained()
    rng = np.random.default_rng(1)
    table: Any = Watched(SPEC, 9, {"players": 3}, Bots([make_agent("random")], 0.4), rng)
    samples = Samples(SPEC, size, INPUTS.dtype)
    teacher = make_agent("greedy:1")
    results = imitation.collect(forward, INPUTS, [table], teacher, samples, range(size), 0.5, rng)
    assert size <= len(table.rows) < size + 9
    unknown = 0
    for k, (observation, mask, _, *shares) in enumerate(table.rows[:size]):
        assert np.array_equal(samples.observations[k], observation)
        assert np.array_equal(samples.masks[k], mask != 0)
        assert samples.preferences[k][mask == 0].sum() == 0
        assert samples.preferences[k].sum() == pytest.approx(1.0, abs=0.01)
        if shares:
            assert np.array_equal(samples.win_shares[k], shares[0])
        else:
            assert np.isnan(samples.win_shares[k]).all()
            unknown += 1
    assert 0 < unknown < size / 2
    assert set(samples.seats.tolist()) == {3}
    assert len(results) > 5


@pytest.mark.parametrize("name", ["greedy:2", "planner:1", "ismcts:20", "random"])
def test_a_teacher_prefers_what_it_answers(name: str) -> None:
    games = Games(12, players=2, seed=3)
    for _ in range(30):
        games.step(games.random_actions(), ~games.over)
    going = np.flatnonzero(~games.over)
    views = Views(SPEC, games.states, going, games.to_play[going])
    seeds, teacher = np.arange(len(going), dtype=np.uint64), make_agent(name)
    preferred = imitation.preferences_of(teacher, views, seeds)
    assert preferred.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (preferred[views.masks == 0] == 0).all()
    found = choose_actions(teacher, views, seeds)
    # several equally good actions share the highest preference
    assert (preferred[np.arange(len(going)), found] == preferred.max(axis=1)).all()


def test_the_teacher_or_the_network_moves() -> None:
    network, forward = untrained()
    with torch.no_grad():
        network.action_net.bias[::2] += 20.0
    decisions = [collected(forward, 2_000, teacher_moves=share).masks.mean() for share in (0.0, 1.0, 1.0)]
    assert decisions[0] != decisions[1] == decisions[2]


def agreement(forward: Any) -> float:
    """Return how often the network's most probable action is that of the teacher, in new games."""
    samples = collected(forward, 2_500, seed=1_000)
    with torch.no_grad():
        logits = forward(torch.from_numpy(samples.observations))[0]
        chosen = masked(logits, torch.from_numpy(samples.masks)).argmax(dim=1).numpy()
    return float((chosen == samples.preferences.argmax(axis=1)).mean())


@pytest.mark.slow
def test_the_network_learns_to_answer_as_the_teacher() -> None:
    network, forward = untrained()
    before = agreement(forward)
    samples, rng = collected(forward, 16_000), np.random.default_rng(1)
    optimizer = torch.optim.Adam(network.parameters(), lr=imitation.LEARNING_RATE)
    epochs = [imitation.train_epoch(forward, CPU, optimizer, samples, rng) for _ in range(8)]
    assert agreement(forward) > before + 0.2
    assert epochs[-1].loss < epochs[0].loss
    assert epochs[-1].agreement > epochs[0].agreement


def test_the_value_learns_how_games_end() -> None:
    network, forward = untrained()
    samples, rng = collected(forward, 5_000, teacher_moves=1.0), np.random.default_rng(1)
    known = ~np.isnan(samples.win_shares[:, 0])
    observations, outcomes = torch.from_numpy(samples.observations[known]), samples.win_shares[known, 0]

    def error() -> float:
        with torch.no_grad():
            return float(((forward(observations)[1].numpy() - (2 * outcomes - 1)) ** 2).mean())

    before, optimizer = error(), torch.optim.Adam(network.parameters(), lr=imitation.LEARNING_RATE)
    for _ in range(8):
        imitation.train_epoch(forward, CPU, optimizer, samples, rng)
    assert error() < before / 2
    assert set(np.unique(outcomes)) == {0.0, 1.0}


def test_samples_of_a_file_are_those_that_were_kept() -> None:
    samples = collected(untrained()[1], 1_500)
    found = Samples(SPEC, 1_500, INPUTS.dtype)
    found.add_rows({name: column[:0] for name, column in samples.rows(1_500).items()})
    found.add_rows(samples.rows(0))
    for one, other in zip(found.columns(), samples.columns(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_sample_takes_2_2_kilobytes() -> None:
    samples = Samples(SPEC, 1_000, np.dtype(np.uint8))
    assert 2_150 < sum(array.nbytes for array in samples.columns()) / 1_000 < 2_250


@pytest.mark.parametrize("threads", [1, 2])
def test_all_decisions_are_used_and_the_same_seed_gives_the_same_policy(tmp_path: Path, threads: int) -> None:
    found = []
    for folder in ("one", "again"):
        changes: dict[str, Any] = {"imitation_share": 1.0, "total_timesteps": 203, "imitation_timesteps": 203}
        settings = tiny(SelfPlaySettings, tmp_path / folder, threads=threads, **changes)
        with with_one_matchup(PpoRun(settings)) as run:
            run.train()
            assert run.num_timesteps == 203
        found.append(newest(tmp_path / folder)["policy"])
        assert not list((tmp_path / folder).glob("imitation-*"))
    assert all(torch.equal(weight, found[1][name]) for name, weight in found[0].items())
