"""Complete but small training runs in the process of the tests."""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import Game
from pocketmars_training import solo as script
from pocketmars_training.common import checkpoints, imitation
from pocketmars_training.common import run as running
from pocketmars_training.common.evaluation import evaluate
from pocketmars_training.common.run_folder import RunError
from pocketmars_training.common.settings import FINAL_RATE
from pocketmars_training.ppo import PpoRun
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.solo import SoloRun, SoloSettings
from tests.training.tiny import newest, no_space, options, tiny, with_one_matchup

AFTER_IMITATION = 200


def solo(folder: Path, **changes: Any) -> contextlib.closing[SoloRun]:
    """Create a run on one level without baselines."""
    return with_one_matchup(SoloRun(tiny(SoloSettings, folder, level="standard", **changes)))


def table(folder: Path, **changes: Any) -> contextlib.closing[PpoRun]:
    settings = tiny(SelfPlaySettings, folder, bots=("random", "greedy:1"), past_every=96, **changes)
    return with_one_matchup(PpoRun(settings))


def trained(folder: Path, **changes: Any) -> Path:
    with solo(folder, **changes) as run:
        run.train()
    return folder


def main(folder: Path, **changes: Any) -> None:
    """Run `pocketmars train solo` with these options."""
    sys.argv[1:] = options("solo", folder, level="standard", **changes)
    script.main()


@pytest.fixture(autouse=True)
def own_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pocketmars_training.solo"])


def test_a_run_trains_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with solo(tmp_path) as run:
        before = torch.cat([weight.detach().reshape(-1).clone() for weight in run.network.parameters()])
        run.train()
        after = torch.cat([weight.detach().reshape(-1) for weight in run.network.parameters()])
        assert not torch.equal(before, after)
        expected = evaluate(
            PolicyAgent(tmp_path / "solo.onnx"), run.matchups[0], run.settings.n_eval_episodes
        )
        made = run.num_timesteps
    assert 600 <= made < 700
    shown = capsys.readouterr().out
    assert "200 decisions: imitation round 8 of 8, " in shown
    assert re.search(r"\n[34]\d\d decisions: standard \d+\.\d%\n", shown)
    assert f"{made} decisions with seed 1" in shown
    assert re.search(r"agent +standard", shown)
    assert re.search(r"solo +\d+\.\d % \[", shown)
    assert f"policy: {tmp_path / 'solo.onnx'}" in shown
    card = PolicyAgent(tmp_path / "solo.onnx").card
    assert card["decisions"] == made == newest(tmp_path)["num_timesteps"]
    assert card["settings"]["teacher"] == "greedy:1"
    assert card["evaluation"] == {"standard": {"win_share": round(expected.win_share, 4), "games": 4}}
    assert "run" not in card["settings"]
    assert card["history"][-1] == {
        "decisions": made,
        "evaluation": {"standard": card["evaluation"]["standard"]["win_share"]},
        "games": 4,
    }
    evaluated = [entry["decisions"] for entry in card["history"]]
    assert evaluated == sorted(evaluated)
    assert evaluated[0] == 200  # imitation is evaluated too


def test_the_same_seed_gives_the_same_policy(tmp_path: Path) -> None:
    def weights(seed: int, folder: str) -> Any:
        policy = newest(trained(tmp_path / folder, seed=seed))["policy"]
        return np.concatenate([weight.numpy().reshape(-1) for weight in policy.values()])

    one = weights(1, "one")
    assert np.array_equal(one, weights(1, "again"))
    assert not np.array_equal(one, weights(2, "other"))


class Stop(Exception):
    """Simulates the end of a process."""


@contextlib.contextmanager
def at(decisions: int, act: Callable[[Any], None]) -> Iterator[None]:
    """Call a function while decisions are collected, from the given number of decisions on."""

    forward = PpoRun.play_forward

    def play_forward(self: PpoRun, observations: torch.Tensor) -> Any:
        if self.num_timesteps >= decisions:
            act(self)
        return forward(self, observations)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PpoRun, "play_forward", play_forward)
        yield


def raising(error: type[BaseException]) -> Callable[..., None]:
    """Return a function that raises the error."""

    def fail(*_: Any) -> None:
        raise error

    return fail


def test_a_lost_process_is_resumed_from_its_last_checkpoint(tmp_path: Path) -> None:
    with at(500, raising(Stop)), pytest.raises(Stop):
        trained(tmp_path)
    kept = newest(tmp_path)
    assert AFTER_IMITATION < kept["num_timesteps"] < 600
    with solo(tmp_path, resume=True) as run:
        assert run.num_timesteps == kept["num_timesteps"]
        for name, weight in run.learner.state_dict().items():
            assert torch.equal(weight, kept["policy"][name])
        moments = run.optimizer.state_dict()["state"]
        assert moments.keys() == kept["optimizer"]["state"].keys() != set()
        for number, moment in moments.items():
            assert torch.equal(moment["exp_avg"], kept["optimizer"]["state"][number]["exp_avg"])
        assert run.seconds > kept["seconds"] > 0
        run.train()
    assert newest(tmp_path)["num_timesteps"] >= 600


def test_an_imitation_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(AFTER_IMITATION, raising(Stop)), pytest.raises(Stop):
        trained(tmp_path)
    assert newest(tmp_path)["num_timesteps"] == AFTER_IMITATION
    monkeypatch.delattr(imitation, "collect")
    # more decisions would allow a longer imitation, but the imitation is already over
    trained(tmp_path, resume=True, total_timesteps=650)
    assert newest(tmp_path)["num_timesteps"] >= 650


def test_a_finished_run_is_evaluated_again_or_continues(tmp_path: Path) -> None:
    trained(tmp_path)
    before = newest(tmp_path)
    (tmp_path / "solo.onnx").unlink()
    trained(tmp_path, resume=True)
    assert PolicyAgent(tmp_path / "solo.onnx").card["decisions"] == before["num_timesteps"]
    after = newest(tmp_path)["policy"]
    assert all(torch.equal(weight, before["policy"][name]) for name, weight in after.items())
    history = PolicyAgent(tmp_path / "solo.onnx").card["history"]
    assert history == newest(tmp_path)["history"] == before["history"]
    trained(tmp_path, resume=True, total_timesteps=700)
    assert newest(tmp_path)["num_timesteps"] >= 700
    assert PolicyAgent(tmp_path / "solo.onnx").card["history"][: len(history)] == history


@pytest.mark.parametrize("stopped", [100, AFTER_IMITATION, 400])
def test_an_interruption_does_not_shift_evaluations_and_checkpoints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: int
) -> None:
    evaluate_when_due, save = PpoRun.evaluate_when_due, checkpoints.save
    saved: dict[Path, set[int]] = {tmp_path / name: set() for name in ("whole", "parts")}

    def stop(run: PpoRun) -> None:
        if run.num_timesteps >= stopped:
            raise Stop
        evaluate_when_due(run)

    def save_and_count(folder: Path, num_timesteps: int, content: dict[str, Any]) -> Path:
        saved[folder].add(num_timesteps)
        return save(folder, num_timesteps, content)

    monkeypatch.setattr(PpoRun, "update", lambda _: 10)  # learns nothing, so both runs have the same policy
    monkeypatch.setattr(checkpoints, "save", save_and_count)
    with monkeypatch.context() as patch:
        patch.setattr(PpoRun, "evaluate_when_due", stop)
        with pytest.raises(Stop):
            trained(tmp_path / "parts", eval_freq=70)
    resumed = newest(trained(tmp_path / "parts", eval_freq=70, resume=True))
    history = newest(trained(tmp_path / "whole", eval_freq=70))["history"]
    assert [entry["decisions"] for entry in history] == [75, 150, 270, 340, 410, 480, 550, 600]
    assert resumed["history"] == history
    assert saved[tmp_path / "parts"] == saved[tmp_path / "whole"] >= {200, 300, 400, 500, 600}


def test_a_run_without_imitation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(tmp_path, imitation_timesteps=0, total_timesteps=96)
    assert newest(tmp_path)["num_timesteps"] >= 96
    assert "imitation round" not in capsys.readouterr().out


def test_the_learning_rate_falls_from_the_end_of_the_imitation_on(tmp_path: Path) -> None:
    with solo(tmp_path, learning_rate=1e-3) as run:
        rates = []
        run.start_games()
        rollout = run.collect()
        for run.num_timesteps in (AFTER_IMITATION, 400, 600):
            run.train_on(rollout)
            rates.append(run.optimizer.param_groups[0]["lr"])
    assert rates == pytest.approx([1e-3, 1e-3 * (1 + FINAL_RATE) / 2, 1e-3 * FINAL_RATE])


def test_interrupted_in_the_middle(tmp_path: Path) -> None:
    interruption = pytest.raises(SystemExit, match=r"interrupted; .*--resume")
    with at(500, raising(KeyboardInterrupt)), interruption:
        main(tmp_path)
    # decisions that no update has used are not counted
    assert 500 <= newest(tmp_path)["num_timesteps"] < 600
    trained(tmp_path, resume=True)
    assert newest(tmp_path)["num_timesteps"] >= 600


def test_interrupted_in_the_imitation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(imitation, "train_epoch", raising(KeyboardInterrupt))
        with pytest.raises(SystemExit, match="interrupted; there is no checkpoint"):
            main(tmp_path)
    assert not checkpoints.kept(tmp_path)
    trained(tmp_path)


def test_an_interrupted_imitation_continues_and_gives_the_same_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_epoch, calls = imitation.train_epoch, 0

    def interrupted(*arguments: Any) -> imitation.Epoch:
        nonlocal calls
        calls += 1
        if calls > 3 * imitation.EPOCHS + 1:
            raise KeyboardInterrupt
        return train_epoch(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(imitation, "train_epoch", interrupted)
        with pytest.raises(SystemExit, match=f"continue with --resume {tmp_path}"):
            main(tmp_path)
    assert 0 < newest(tmp_path)["num_timesteps"] < AFTER_IMITATION
    found = newest(trained(tmp_path, resume=True))["policy"]
    expected = newest(trained(tmp_path / "whole"))["policy"]
    assert all(torch.equal(weight, expected[name]) for name, weight in found.items())
    assert not list(tmp_path.glob("imitation-*"))


def test_the_older_checkpoint_is_usable_when_the_imitation_has_just_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(PpoRun, "between_updates", raising(Stop))
        with pytest.raises(Stop):
            trained(tmp_path)
    older, newer = checkpoints.kept(tmp_path)
    assert checkpoints.num_timesteps_of(older) < checkpoints.num_timesteps_of(newer) == AFTER_IMITATION
    newer.unlink()
    found = newest(trained(tmp_path, resume=True))["policy"]
    expected = newest(trained(tmp_path / "whole"))["policy"]
    assert all(torch.equal(weight, expected[name]) for name, weight in found.items())
    assert not list(tmp_path.glob("imitation-*"))


def test_a_full_disk_ends_the_run_with_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        monkeypatch.context() as patch,
        at(400, lambda _: patch.setattr(os, "fsync", no_space)),
        pytest.raises(SystemExit, match=r"train solo: cannot write .*\.pt: .*No space left"),
    ):
        main(tmp_path)
    assert AFTER_IMITATION <= newest(tmp_path)["num_timesteps"] < 500
    assert not [path.name for path in tmp_path.iterdir() if ".ptx" in path.name]
    trained(tmp_path, resume=True)


def test_too_little_memory_ends_the_run_in_one_line(tmp_path: Path) -> None:
    with at(0, raising(MemoryError)), pytest.raises(SystemExit, match="train solo: not enough memory"):
        main(tmp_path)


def test_a_policy_that_cannot_be_written_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(running, "export", no_space)
        with pytest.raises(RunError, match=r"cannot export .*solo.onnx: .*No space left.*--resume"):
            trained(tmp_path)
    assert (trained(tmp_path, resume=True) / "solo.onnx").is_file()


def test_a_network_that_breaks_leaves_the_last_good_checkpoint(tmp_path: Path) -> None:
    def spoil(run: PpoRun) -> None:
        torch.nn.init.constant_(run.learner.action_net.bias, float("nan"))

    with at(400, spoil), pytest.raises(ValueError, match="nan"):
        trained(tmp_path)
    assert all(weight.isfinite().all() for weight in newest(tmp_path)["policy"].values())


def test_what_cannot_be_resumed_ends_in_one_line(tmp_path: Path) -> None:
    trained(tmp_path)
    with pytest.raises(SystemExit, match="--resume"):
        main(tmp_path)
    with pytest.raises(SystemExit, match=r"net_arch \[16, 16\], now \[8, 8\]$"):
        main(tmp_path, resume=True, net_arch=(8, 8))
    earlier, last = checkpoints.kept(tmp_path)
    checkpoints.write(last, {**checkpoints.read(earlier), "policy": {}})
    with pytest.raises(SystemExit, match=rf"{last.name}: RuntimeError .*{earlier.name}$") as caught:
        main(tmp_path, resume=True)
    assert "\n" not in str(caught.value)
    sys.argv[1:] = ["--resume", str(tmp_path), "--run", "other"]
    with pytest.raises(SystemExit, match="omit --run"):
        script.main()
    with pytest.raises(SystemExit, match="contains no run to resume"):
        main(tmp_path / "other", resume=True)
    last.unlink()
    trained(tmp_path, resume=True)
    assert newest(tmp_path)["num_timesteps"] >= 600


def test_unknown_names_fail_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(tmp_path / "run", teacher="nobody")
    assert "unknown agent 'nobody'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_league_is_taken_up_as_it_was(tmp_path: Path) -> None:
    with table(tmp_path) as run:
        with at(500, raising(KeyboardInterrupt)), pytest.raises(KeyboardInterrupt):
            run.train()
        expected: Any = run.league
        assert len(expected.past) > 2
    # a past self that does not belong to the checkpoint must be ignored
    checkpoints.write(tmp_path / "past-000000000001.pt", run.network.state_dict())
    with table(tmp_path, resume=True) as resumed:
        found: Any = resumed.league
        assert [agent.name for agent in found.agents] == [agent.name for agent in expected.agents]
        assert found.scores.tolist() == expected.scores.tolist()
        assert found.weights().tolist() == expected.weights().tolist()
        assert resumed.next_past == run.next_past
        for one, other in zip(found.past, expected.past):
            game = Game(players=3, seed=1)
            actions = [agent.act(game.view(), np.random.default_rng(1)) for agent in (one, other)]
            assert actions[0] == actions[1]
        resumed.train()
    assert newest(tmp_path)["num_timesteps"] >= 600


def test_a_league_without_a_past_self_is_not_resumed(tmp_path: Path) -> None:
    with table(tmp_path) as run:
        run.train()
    last = newest(tmp_path)["league"]["past"][-1]
    (tmp_path / f"{last}.pt").unlink()
    with (
        pytest.raises(checkpoints.CheckpointError, match=rf"cannot read .*{last}.pt"),
        table(tmp_path, resume=True),
    ):
        pass


@pytest.mark.parametrize(
    ("level", "expected"), [("all", ["standard", "super_droid", "cyborg"]), ("cyborg", ["cyborg"])]
)
def test_the_levels_are_those_of_the_setting(tmp_path: Path, level: Any, expected: list[str]) -> None:
    with contextlib.closing(SoloRun(tiny(SoloSettings, tmp_path, level=level))) as run:
        assert [matchup.name for matchup in run.matchups] == expected
        run.start_games()
        levels = [games.games.config.level for collector in run.collectors for games in collector.games]
    assert levels == expected
