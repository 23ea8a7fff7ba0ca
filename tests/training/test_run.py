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
from pocketmars_env.games.pocket_mars.ids import SOLO_ID
from pocketmars_training import solo as script
from pocketmars_training.common import checkpoints, imitation, maskable_ppo
from pocketmars_training.common import run as running
from pocketmars_training.common.evaluation import evaluate
from pocketmars_training.common.maskable_ppo import MaskablePpoRun
from pocketmars_training.common.run_folder import RunError
from pocketmars_training.common.training_spec import Matchup
from pocketmars_training.self_play import SelfPlayRun, SelfPlaySettings
from pocketmars_training.solo import SoloSettings
from tests.training.tiny import newest, no_space, options, solo_env, tiny, with_one_matchup

AFTER_IMITATION = 198  # the tiny imitation: 200 decisions, rounded down to equally many in 6 games
AT_THE_END = 198 + 9 * 48  # at least 600 decisions, in whole updates of 48


def solo(folder: Path, **changes: Any) -> contextlib.closing[MaskablePpoRun]:
    """Create a run on one level with a fast baseline."""
    settings = tiny(SoloSettings, folder, level="standard", **changes)
    matchups = [Matchup("standard", SOLO_ID)]
    return contextlib.closing(MaskablePpoRun(settings, solo_env(settings), matchups, ("random",), "solo"))


def table(folder: Path, **changes: Any) -> contextlib.closing[SelfPlayRun]:
    settings = tiny(SelfPlaySettings, folder, bots=("random", "greedy:1"), past_every=96, **changes)
    return with_one_matchup(SelfPlayRun(settings))


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
    shown = capsys.readouterr().out
    assert "198 decisions: imitation round 8 of 8, " in shown
    assert re.search(r"\n[34]\d\d decisions: standard \d+\.\d%\n", shown)
    assert f"{AT_THE_END} decisions with seed 1" in shown
    assert re.search(r"agent +standard", shown)
    assert re.search(r"solo +\d+\.\d % \[", shown)
    assert re.search(r"random +\d+\.\d % \[", shown)
    assert f"policy: {tmp_path / 'solo.onnx'}" in shown
    card = PolicyAgent(tmp_path / "solo.onnx").card
    assert card["decisions"] == AT_THE_END == newest(tmp_path)["num_timesteps"]
    assert card["settings"]["teacher"] == "greedy:1"
    assert card["evaluation"] == {"standard": {"win_share": round(expected.win_share, 4), "games": 4}}
    assert "run" not in card["settings"]
    assert card["history"][-1] == {
        "decisions": AT_THE_END,
        "evaluation": {"standard": card["evaluation"]["standard"]["win_share"]},
        "games": 4,
    }
    made = [entry["decisions"] for entry in card["history"]]
    assert made == sorted(made)


def test_the_same_seed_gives_the_same_policy(tmp_path: Path) -> None:
    def weights(seed: int, folder: str) -> Any:
        policy = newest(trained(tmp_path / folder, seed=seed))["policy"]
        return np.concatenate([weight.numpy().reshape(-1) for weight in policy.values()])

    one = weights(1, "one")
    assert np.array_equal(one, weights(1, "again"))
    assert not np.array_equal(one, weights(2, "other"))


def test_the_number_of_threads_does_not_change_the_games(tmp_path: Path) -> None:
    def played(threads: int) -> Any:
        env = solo_env(tiny(SoloSettings, tmp_path, n_envs=7, threads=threads))
        env.seed(1)
        found: list[Any] = [env.reset()]
        for _ in range(200):
            actions = [np.flatnonzero(mask)[0] for mask in env.env_method("action_masks")]
            found.append(env.step(np.array(actions))[0])
        env.close()
        return np.array(found)

    assert np.array_equal(played(1), played(3))


class Stop(Exception):
    """Simulates the end of a process."""


@contextlib.contextmanager
def at(decisions: int, act: Callable[[Any], None]) -> Iterator[None]:
    """Call a function while decisions are collected, from the given number of decisions on."""

    def on_step(self: Any) -> bool:
        if self.num_timesteps >= decisions:
            act(self)
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maskable_ppo.UpdateCallback, "_on_step", on_step)
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
    assert kept["num_timesteps"] == AFTER_IMITATION + 5 * 48
    with solo(tmp_path, resume=True) as run:
        assert run.model.num_timesteps == kept["num_timesteps"]
        for name, weight in run.model.policy.state_dict().items():
            assert torch.equal(weight, kept["policy"][name])
        moments = run.model.policy.optimizer.state_dict()["state"]
        assert moments.keys() == kept["optimizer"]["state"].keys() != set()
        for number, moment in moments.items():
            assert torch.equal(moment["exp_avg"], kept["optimizer"]["state"][number]["exp_avg"])
        assert run.seconds > kept["seconds"] > 0
        run.train()
    assert newest(tmp_path)["num_timesteps"] == AT_THE_END


def test_an_imitation_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(AFTER_IMITATION, raising(Stop)), pytest.raises(Stop):
        trained(tmp_path)
    assert newest(tmp_path)["num_timesteps"] == AFTER_IMITATION
    monkeypatch.delattr(maskable_ppo, "imitate")
    # more decisions would allow a longer imitation, but the imitation is already over
    trained(tmp_path, resume=True, total_timesteps=650)
    assert newest(tmp_path)["num_timesteps"] == AT_THE_END + 48


def test_a_finished_run_is_evaluated_again_or_continues(tmp_path: Path) -> None:
    trained(tmp_path)
    before = newest(tmp_path)["policy"]
    (tmp_path / "solo.onnx").unlink()
    trained(tmp_path, resume=True)
    assert PolicyAgent(tmp_path / "solo.onnx").card["decisions"] == AT_THE_END
    assert all(torch.equal(weight, before[name]) for name, weight in newest(tmp_path)["policy"].items())
    trained(tmp_path, resume=True, total_timesteps=700)
    assert newest(tmp_path)["num_timesteps"] == AT_THE_END + 2 * 48


def test_a_run_without_imitation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(tmp_path, imitation_timesteps=0, total_timesteps=96)
    assert newest(tmp_path)["num_timesteps"] == 96
    assert "imitation round" not in capsys.readouterr().out


def test_interrupted_in_the_middle(tmp_path: Path) -> None:
    interruption = pytest.raises(SystemExit, match=r"interrupted; .*--resume")
    with at(500, raising(KeyboardInterrupt)), interruption:
        main(tmp_path)
    # decisions that no update has used are not counted
    assert newest(tmp_path)["num_timesteps"] == AFTER_IMITATION + 6 * 48
    trained(tmp_path, resume=True)
    assert newest(tmp_path)["num_timesteps"] == AT_THE_END


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
        patch.setattr(MaskablePpoRun, "between_updates", raising(Stop))
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
        pytest.raises(SystemExit, match=r"train solo: cannot write .*0438.pt: .*No space left"),
    ):
        main(tmp_path)
    assert newest(tmp_path)["num_timesteps"] == AFTER_IMITATION + 3 * 48
    assert not [path.name for path in tmp_path.iterdir() if ".ptx" in path.name]
    trained(tmp_path, resume=True)


def test_too_little_memory_ends_the_run_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"^pocketmars train solo: not enough memory: Unable to allocate"):
        main(tmp_path, n_steps=10**12)


def test_a_policy_that_cannot_be_written_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(running, "export", no_space)
        with pytest.raises(RunError, match=r"cannot export .*solo.onnx: .*No space left.*--resume"):
            trained(tmp_path)
    assert (trained(tmp_path, resume=True) / "solo.onnx").is_file()


def test_a_network_that_breaks_leaves_the_last_good_checkpoint(tmp_path: Path) -> None:
    def spoil(callback: Any) -> None:
        torch.nn.init.constant_(callback.model.policy.action_net.bias, float("nan"))

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
    assert newest(tmp_path)["num_timesteps"] == AT_THE_END


def test_unknown_names_fail_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(tmp_path / "run", teacher="nobody")
    assert "unknown agent 'nobody'" in capsys.readouterr().err
    settings = tiny(SoloSettings, tmp_path / "run")
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        MaskablePpoRun(settings, solo_env(settings), [], baselines=("nobody",), name="solo")
    assert not (tmp_path / "run").exists()


def test_a_league_is_taken_up_as_it_was(tmp_path: Path) -> None:
    with table(tmp_path) as run:
        with at(550, raising(KeyboardInterrupt)), pytest.raises(KeyboardInterrupt):
            run.train()
        expected = run.league
        assert len(expected.agents) > 1 + 2 + 3
    # a past self that does not belong to the checkpoint must be ignored
    checkpoints.write(tmp_path / "past-000000000001.pt", run.network.state_dict())
    with table(tmp_path, resume=True) as resumed:
        found = resumed.league
        assert [agent.name for agent in found.agents] == [agent.name for agent in expected.agents]
        assert found.agents[0].name == "present"
        assert found.scores.tolist() == expected.scores.tolist()
        assert found.weights().tolist() == expected.weights().tolist()
        assert resumed.next_past == run.next_past
        for one, other in zip(found.agents[3:], expected.agents[3:]):
            game = Game(players=3, seed=1)
            actions = [agent.act(game.view(), np.random.default_rng(1)) for agent in (one, other)]
            assert actions[0] == actions[1]
        resumed.train()
    assert newest(tmp_path)["num_timesteps"] == AT_THE_END


def test_a_league_without_a_past_self_is_not_resumed(tmp_path: Path) -> None:
    with table(tmp_path) as run:
        run.train()
    last = newest(tmp_path)["past"][-1]
    (tmp_path / f"{last}.pt").unlink()
    with (
        pytest.raises(checkpoints.CheckpointError, match=rf"cannot read .*{last}.pt"),
        table(tmp_path, resume=True),
    ):
        pass


def test_the_learner_gets_its_share_of_every_kind_of_game(tmp_path: Path) -> None:
    settings = tiny(SoloSettings, tmp_path, n_envs=8, batch_size=32)
    levels = [part.envs.games.config.level for part in solo_env(settings).parts]
    assert levels == ["standard", "super_droid", "cyborg"]
    assert [part.num_envs for part in solo_env(settings).parts] == [3, 3, 2]
