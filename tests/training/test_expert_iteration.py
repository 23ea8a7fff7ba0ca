"""Whole runs of expert iteration, small ones, in this process."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("onnx")

import torch

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import NUM_ACTIONS
from pocketmars_training.expert_iteration import ExpertRun, divergence_from, divergences, drawn
from pocketmars_training.model.masking import masked
from pocketmars_training.run import checkpoints
from tests.training.tiny import tiny_expert, write_start


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of a network that knows nothing."""
    return write_start(tmp_path_factory.mktemp("start") / "begin.onnx")


@contextlib.contextmanager
def expert(folder: Path, start: Path, **changes: Any) -> Iterator[ExpertRun]:
    with contextlib.closing(ExpertRun(tiny_expert(folder, start, **changes))) as run:
        run.rungs, run.opponent_win_split = run.rungs[:1], []
        yield run


def collect(run: ExpertRun, lessons: int) -> None:
    rng = np.random.default_rng(1)
    rooms = run.new_games(rng)
    while run.buffer.added < lessons:
        for room, games in enumerate(rooms):
            run.play(room, games, rng)


def newest(folder: Path) -> dict[str, Any]:
    return checkpoints.read(checkpoints.kept(folder)[-1])


def test_a_run_goes_from_its_start_to_a_policy(
    tmp_path: Path, start: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with expert(tmp_path / "run", start) as run:
        run.train()
        assert run.decisions >= 300
    shown = capsys.readouterr().out
    assert re.search(r"^\d\d\d decisions: greedy_2p \d+\.\d%\n", shown)
    assert re.search(r"\d{3} decisions with seed 1; in this process \d{3} in ", shown)
    agent = PolicyAgent(tmp_path / "run" / "table.onnx")
    card = agent.card
    assert card["start"] == {"name": "begin", "decisions": 7}
    assert card["settings"]["start"] == "begin.onnx"
    assert card["decisions"] == newest(tmp_path / "run")["decisions"] >= 300
    before, after = PolicyAgent(start).mlp, agent.mlp
    assert before is not None
    assert after is not None
    assert not np.array_equal(before.first, after.first)


def test_a_resumed_search_has_the_resumed_network(tmp_path: Path, start: Path) -> None:
    with expert(tmp_path, start, decisions=60) as run:
        run.train()
        learnt = run.network.to_mlp().first
    with expert(tmp_path, start, decisions=60, resume=True) as run:
        found = run.expert._present._network.mlp.first
    before = PolicyAgent(start).mlp
    assert before is not None
    assert np.array_equal(found, learnt)
    assert not np.array_equal(found, before.first)


@pytest.mark.parametrize(
    "bot_share", [0.0, 1.0]
)  # with 1 there are moments without a question to the learner
def test_lessons_are_of_legal_answers_and_of_seats_that_have_a_choice(
    tmp_path: Path, start: Path, bot_share: float
) -> None:
    with expert(tmp_path, start, searched=1.0, searched_if_sure=1.0, bot_share=bot_share, games=3) as run:
        collect(run, 60)
        batch = run.buffer.batch(np.arange(60))
    assert (batch.masks.sum(axis=1) > 1).all()
    assert not batch.policies[~batch.masks].any()
    assert batch.policies.sum(axis=1) == pytest.approx(np.ones(60), abs=1e-2)
    assert batch.shares.sum(axis=1) == pytest.approx(np.ones(60), abs=1e-5)
    assert set(batch.seats.tolist()) <= {2, 3, 4}


def test_few_decisions_are_searched_when_the_network_is_sure(tmp_path: Path, start: Path) -> None:
    with expert(tmp_path, start, searched=0.8, searched_if_sure=0.1, sure=0.9) as run:
        masks, rng = np.ones((8_000, NUM_ACTIONS), dtype=np.int8), np.random.default_rng(0)
        policies = np.zeros((8_000, NUM_ACTIONS), dtype=np.float32)
        policies[:4_000, 0], policies[4_000:, :2] = 0.95, 0.5
        searched = run.is_searched(policies, masks, rng)
        assert searched[:4_000].mean() == pytest.approx(0.1, abs=0.02)
        assert searched[4_000:].mean() == pytest.approx(0.8, abs=0.02)
        masks[:, 1:] = 0
        assert not run.is_searched(policies, masks, rng).any()


def test_it_learns_what_the_expert_says(tmp_path: Path, start: Path) -> None:
    with expert(tmp_path, start, players=(3, 4), learning_rate=3e-3, window=200, outcome=0.0) as run:
        collect(run, 100)
        rows = np.arange(100)
        before = run.step(rows)
        for _ in range(60):
            after = run.step(rows)
    assert after[0] < before[0] / 2  # the policies
    assert after[1] < before[1] / 2  # the values
    assert after[2] < before[2]  # how the others share the rest


def test_a_gradient_that_breaks_spoils_neither_weights_nor_checkpoints(tmp_path: Path, start: Path) -> None:
    with expert(tmp_path, start) as run:
        collect(run, 20)
        run.buffer._shares[:] = np.inf
        before = [weight.clone() for weight in run.learner.parameters()]
        with pytest.raises(ValueError, match="the gradient is not finite; a lower learning_rate"):
            run.improve(20, np.random.default_rng(0))
        assert all(map(torch.equal, before, run.learner.parameters()))


def test_answers_are_drawn_by_their_probabilities() -> None:
    policies = np.tile(np.array([0.0, 0.25, 0.0, 0.75, 0.0], dtype=np.float32), (20_000, 1))
    found = np.bincount(drawn(policies, np.random.default_rng(0)), minlength=5) / 20_000
    assert found == pytest.approx([0.0, 0.25, 0.0, 0.75, 0.0], abs=0.01)
    assert found[0] == found[2] == found[4] == 0


def test_the_noise_of_targets_averages_out() -> None:
    """The best answer to noisy targets is the policy that has no noise, not a more even one."""
    rng = np.random.default_rng(0)
    logits = np.full((20_000, NUM_ACTIONS), -np.inf)
    logits[:, :3] = rng.normal([2.0, 1.0, 0.0], 1.0, size=(20_000, 3))
    targets = torch.from_numpy(logits).softmax(dim=1).float()
    own = torch.zeros(NUM_ACTIONS, requires_grad=True)
    mask = torch.arange(NUM_ACTIONS) < 3
    optimizer = torch.optim.Adam([own], lr=0.05)
    for _ in range(200):
        logs = masked(own[None], mask[None]).log_softmax(dim=1)
        optimizer.zero_grad()
        divergence_from(targets, logs).backward()
        optimizer.step()
    found = logs.exp()[0, :3].detach().numpy()
    quiet = np.exp([2.0, 1.0, 0.0]) / np.exp([2.0, 1.0, 0.0]).sum()
    assert found == pytest.approx(quiet, abs=0.01)
    assert targets.mean(dim=0)[0] < quiet[0] - 0.03


def test_divergences_are_those_of_the_definition() -> None:
    one = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]], dtype=np.float32)
    other = np.array([[0.25, 0.75, 0.0], [0.5, 0.5, 0.0]], dtype=np.float32)
    expected = [0.5 * np.log(2) + 0.5 * np.log(2 / 3), np.log(2)]
    assert divergences(one, other) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"searched": 0.0}, "searched must be above 0"),
        ({"sharpness": 0.0}, "sharpness must be above 0"),
        ({"games": 2}, "games must be at least 3, one of each kind"),
        ({"averaged": 0}, "averaged must be at least 1"),
        ({"window": 0}, "window must be in 1..4000000"),
        ({"simulations": 0}, "simulations must be at least 1"),
        ({"outcome": 1.5}, "outcome must be in 0..1"),
    ],
)
def test_wrong_settings_are_named(
    tmp_path: Path, start: Path, changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        tiny_expert(tmp_path, start, **changes)
