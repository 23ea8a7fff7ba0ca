"""Whole runs that learn from all seats, small ones, in this process."""

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
from pocketmars_training.all_seats import LOGGED, AllSeatsRun
from pocketmars_training.data.experience import Experience
from pocketmars_training.model.masking import masked
from pocketmars_training.run import checkpoints
from tests.training.tiny import tiny_all_seats, write_start


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of a network that knows nothing."""
    return write_start(tmp_path_factory.mktemp("start") / "begin.onnx")


@contextlib.contextmanager
def all_seats(folder: Path, start: Path, **changes: Any) -> Iterator[AllSeatsRun]:
    with contextlib.closing(AllSeatsRun(tiny_all_seats(folder, start, **changes))) as run:
        run.rungs, run.opponent_win_split = run.rungs[:1], []
        yield run


def newest(folder: Path) -> dict[str, Any]:
    return checkpoints.read(checkpoints.kept(folder)[-1])


def test_a_run_goes_from_its_start_to_a_policy(
    tmp_path: Path, start: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with all_seats(tmp_path / "run", start) as run:
        run.train()
        assert 1_500 <= run.decisions < 2_500
    shown = capsys.readouterr().out
    assert re.search(r"^[\d,]+ decisions: greedy_2p \d+\.\d%\n", shown)
    assert re.search(r"([\d,]+) decisions with seed 1; in this process \1 in ", shown)
    agent = PolicyAgent(tmp_path / "run" / "table.onnx")
    assert agent.card["start"] == {"name": "begin", "decisions": 7}
    assert agent.card["settings"]["start"] == "begin.onnx"
    assert agent.card["decisions"] == newest(tmp_path / "run")["decisions"] == run.decisions
    before, after = PolicyAgent(start).mlp, agent.mlp
    assert before is not None
    assert after is not None
    assert not np.array_equal(before.first, after.first)
    assert after.opponent_win_split.any()


def experience(run: AllSeatsRun) -> Experience:
    return run.play(run.new_players())


def test_better_answers_become_likelier(tmp_path: Path, start: Path) -> None:
    """Half of the answers are said to be good, the others bad."""
    with all_seats(tmp_path, start, learning_rate=1e-3, entropy=0.0, barrier=0.0) as run:
        found = experience(run)
        is_good = np.random.default_rng(0).random(found.decisions) < 0.5
        found = found._replace(advantages=np.where(is_good, 1, -1).astype(np.float32))
        batch = found.batch(np.arange(found.decisions))
        for _ in range(40):
            numbers = dict(zip(LOGGED, run.step(batch), strict=True))
        with torch.no_grad():
            policies = masked(run.learner(batch.observations)[0], batch.masks).log_softmax(dim=1)
        changes = (policies[torch.arange(len(policies)), batch.actions] - batch.logs).numpy()
        has_choice = found.masks.sum(axis=1) > 1
        assert changes[is_good & has_choice].mean() > 0.05
        assert changes[~is_good & has_choice].mean() < -0.05
        # what is beyond the clip has no reason to go on
        assert np.abs(np.exp(changes) - 1)[has_choice].mean() < 0.4
        assert numbers["clip_fraction"] > 0
        assert numbers["divergence"] > 0
        assert numbers["policy_loss"] < 0


def test_values_and_rivals_are_learnt(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path, start, players=(3, 4), learning_rate=3e-3, gae=1.0) as run:
        found = experience(run)
        batch = found.batch(np.arange(found.decisions))
        before = dict(zip(LOGGED, run.step(batch), strict=True))
        for _ in range(60):
            after = dict(zip(LOGGED, run.step(batch), strict=True))
    assert after["value_loss"] < before["value_loss"] / 2
    assert after["rival_loss"] < before["rival_loss"]


def test_a_bonus_keeps_policies_undecided(tmp_path: Path, start: Path) -> None:
    found = {}
    for bonus in (0.0, 1.0):
        with all_seats(tmp_path / str(bonus), start, learning_rate=1e-3, entropy=bonus) as run:
            batch = experience(run).batch(np.arange(400))
            steps = [dict(zip(LOGGED, run.step(batch), strict=True)) for _ in range(30)]
            found[bonus] = steps[-1]["entropy"] - steps[0]["entropy"]
    assert found[1.0] > found[0.0]
    assert found[1.0] > 0


def test_a_barrier_brings_back_answers_that_are_no_longer_tried(tmp_path: Path, start: Path) -> None:
    """All answers were equally good: entropy alone does little for one that is very improbable."""
    likeliest = {}
    for name in ("barrier", "entropy"):
        weights = {"barrier": 0.0, "entropy": 0.0} | {name: 0.01}
        with all_seats(tmp_path / name, start, learning_rate=1e-2, **weights) as run:
            with torch.no_grad():
                run.learner.action_net.bias[::2] -= 20.0
            found = experience(run)
            batch = found._replace(advantages=np.zeros_like(found.advantages)).batch(np.arange(400))
            steps = [dict(zip(LOGGED, run.step(batch), strict=True)) for _ in range(60)]
            with torch.no_grad():
                policies = masked(run.learner(batch.observations)[0], batch.masks).softmax(dim=1)
            # where some of the legal answers are the improbable ones, but not all of them
            has_both = batch.masks[:, ::2].any(dim=1) & batch.masks[:, 1::2].any(dim=1)
            likeliest[name] = policies[has_both][:, ::2].amax(dim=1).median().item()
            if name == "barrier":
                assert steps[-1]["barrier"] < steps[0]["barrier"] / 2
    assert likeliest["barrier"] > 1e-3 > likeliest["entropy"]


def test_exploring_falls_with_the_learning_rate(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path, start, entropy=1.0) as run:
        assert run._exploring == 1.0
        run._decisions = run.settings.decisions // 2
        run.improve(experience(run), np.random.default_rng(0))
        assert run._exploring == pytest.approx(0.55)


def test_a_deeper_network_begins_with_the_same_answers(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path / "as_it_was", start) as run:
        observations = experience(run).batch(np.arange(200)).observations
        expected = run.answers(observations)
    with all_seats(tmp_path / "deeper", start, layers=4) as run:
        assert len(run.learner.trunk.linears()) == 4
        assert all(map(torch.equal, expected, run.answers(observations)))
        run.train()
    mlp = PolicyAgent(tmp_path / "deeper" / "table.onnx").mlp
    assert mlp is not None
    assert len(mlp.biases) == 4
    assert not np.array_equal(mlp.others[-1], np.eye(len(mlp.value)))


def test_bfloat16_answers_about_the_same(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path, start) as run:
        observations = experience(run).batch(np.arange(200)).observations
        exact = run.answers(observations)
    with all_seats(tmp_path / "half", start, bfloat16=True) as run:
        rough = run.answers(observations)
    for one, other in zip(exact, rough, strict=True):
        assert other.dtype == torch.float32
        assert torch.allclose(one, other, rtol=0.05, atol=0.05)
    assert not torch.equal(exact[0], rough[0])


def test_an_update_goes_over_all_decisions_once_an_epoch(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path, start) as run:
        rng = np.random.default_rng(0)
        full = list(run.batches(64 * 3, rng))
        assert sorted(np.concatenate(full).tolist()) == list(range(64 * 3))
        assert [len(rows) for rows in run.batches(64 * 3 + 63, rng)] == [64] * 3
        assert [len(rows) for rows in run.batches(5, rng)] == [5]


def test_the_games_are_shared_out(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path, start, games=17, threads=2) as run:
        rooms = [room for player in run.new_players() for room in player._rooms]
    assert sum(len(room.games) for room in rooms) == 17
    assert [room.games.config.players for room in rooms] == [2, 3, 4, 2, 3, 4]
    assert {len(room.games) for room in rooms} == {2, 3}


def test_a_player_count_that_is_named_twice_has_twice_the_games(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path, start, games=16, players=(2, 2, 4), threads=1) as run:
        (player,) = run.new_players()
        rooms = [(room.games.config.players, len(room.games)) for room in player._rooms]
    assert rooms == [(2, 6), (2, 5), (4, 5)]


def test_a_gradient_that_breaks_spoils_neither_weights_nor_checkpoints(tmp_path: Path, start: Path) -> None:
    with all_seats(tmp_path, start) as run:
        found = experience(run)
        before = [weight.clone() for weight in run.learner.parameters()]
        with pytest.raises(ValueError, match="the gradient is not finite; a lower learning_rate"):
            run.improve(found._replace(values=np.full_like(found.values, np.inf)), np.random.default_rng(0))
        assert all(map(torch.equal, before, run.learner.parameters()))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"games": 5, "threads": 2}, "games must be at least 6, one of each kind in each thread, got 5"),
        ({"update": 63}, "update must be at least the batch, got 63"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"clip": -0.1}, "clip must be in 0..1"),
        ({"gae": 1.1}, "gae must be in 0..1"),
        ({"entropy": float("nan")}, "entropy must be 0 or more"),
        ({"barrier": -0.1}, "barrier must be 0 or more"),
        ({"layers": 1}, "layers must be at least 2, those of the start, got 1"),
    ],
)
def test_wrong_settings_are_named(
    tmp_path: Path, start: Path, changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        tiny_all_seats(tmp_path, start, **changes)
