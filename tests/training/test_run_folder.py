"""The folder of a training run."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pocketmars_env.games.pocket_mars.spec import RULES_VERSION
from pocketmars_training.common import checkpoints
from pocketmars_training.common.run_folder import RunError, begin_folder
from pocketmars_training.common.settings import RunSettings
from pocketmars_training.da_seat import DaSeatSettings
from pocketmars_training.expert_iteration import ExpertSettings
from pocketmars_training.exploit import ExploitSettings
from pocketmars_training.ppo import PpoSettings
from pocketmars_training.rllib.settings import ScaleOutSettings
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.solo import SoloSettings
from tests.training.tiny import given, tiny, tiny_self_play_ppo, write_start


def begin(folder: Path, **changes: Any) -> None:
    begin_folder(tiny(SelfPlaySettings, folder, **changes)).close()


def begun(folder: Path) -> Path:
    """Create a run with one checkpoint in a folder, and return the folder."""
    begin(folder)
    checkpoints.save(folder, 5, {})
    return folder


def test_a_run_leaves_its_settings(tmp_path: Path) -> None:
    begin(tmp_path / "new" / "run", seed=3, players=(2, 4))
    kept = json.loads((tmp_path / "new" / "run" / "settings.json").read_text())
    assert kept["rules_version"] == RULES_VERSION
    assert (kept["seed"], kept["players"], kept["teacher"]) == (3, [2, 4], "greedy:1")
    assert "run" not in kept


def test_a_relative_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begin(Path("runs/one"))
    assert (tmp_path / "runs" / "one" / "settings.json").is_file()


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    before = (begun(tmp_path) / "settings.json").read_bytes()
    with pytest.raises(RunError, match=f"{tmp_path} .*--resume"):
        begin(tmp_path, seed=2)
    assert (tmp_path / "settings.json").read_bytes() == before


def test_a_run_without_a_checkpoint_begins_anew(tmp_path: Path) -> None:
    begin(tmp_path)
    (tmp_path / "events.out.tfevents.1.host").touch()
    begin(tmp_path, seed=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "settings.json"]
    assert json.loads((tmp_path / "settings.json").read_text())["seed"] == 2


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(RunError, match=f"{tmp_path} .* another --run"):
        begin(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for run in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(RunError, match=f"{run} "):
            begin(run)


def test_two_processes_do_not_train_in_one_folder(tmp_path: Path) -> None:
    first = begin_folder(tiny(SelfPlaySettings, tmp_path))
    before = (tmp_path / "settings.json").read_bytes()
    for changes in ({"seed": 2}, {"resume": True}):
        with pytest.raises(RunError, match=f"another process .*{tmp_path}"):
            begin(tmp_path, **changes)
    assert (tmp_path / "settings.json").read_bytes() == before
    first.close()
    begin(tmp_path)


def test_a_run_is_resumed_with_its_settings(tmp_path: Path) -> None:
    begun(tmp_path)
    begin(tmp_path, resume=True)
    begin(tmp_path, resume=True, total_timesteps=900, eval_freq=7, n_eval_episodes=7, save_freq=7, threads=2)
    with pytest.raises(RunError) as caught:
        begin(tmp_path, resume=True, seed=2, players=(2,))
    assert str(caught.value) == (
        f"{tmp_path} is a run with other settings: seed 1, now 2; players [2, 3, 4], now [2]"
    )


def test_settings_that_may_change_are_kept(tmp_path: Path) -> None:
    begun(tmp_path)
    begin(tmp_path, resume=True, total_timesteps=900)
    kept = given(SelfPlaySettings, "--resume", str(tmp_path))
    assert (kept.total_timesteps, kept.players) == (900, (2, 3, 4))
    begin_folder(kept).close()


def test_a_run_is_resumed_without_the_file_of_its_start(tmp_path: Path) -> None:
    start, folder = write_start(tmp_path / "begin.onnx"), tmp_path / "run"
    begin_folder(tiny_self_play_ppo(folder, start)).close()
    start.unlink()
    kept = given(PpoSettings, "--resume", str(folder))
    assert kept.start.name == "begin.onnx"
    begin_folder(kept).close()


def test_a_run_continues_on_another_cluster_with_the_same_network(tmp_path: Path) -> None:
    begin_folder(ScaleOutSettings(run=tmp_path)).close()
    other: dict[str, Any] = {"address": "host:6379", "env_runners": 64, "envs_per_runner": 8}
    begin_folder(ScaleOutSettings(run=tmp_path, resume=True, **other)).close()
    with pytest.raises(RunError, match="net_arch"):
        begin_folder(ScaleOutSettings(run=tmp_path, resume=True, net_arch=(512, 512)))


def change_settings(folder: Path, change: dict[str, Any]) -> None:
    """Change a run's settings file; None removes a setting."""
    path = begun(folder) / "settings.json"
    kept = json.loads(path.read_text()) | change
    path.write_text(json.dumps({name: value for name, value in kept.items() if value is not None}))


@pytest.mark.parametrize("change", [{"rules_version": None}, {"n_steps": 32, "train_freq": None}])
def test_a_run_of_an_earlier_version_is_not_resumed(tmp_path: Path, change: dict[str, Any]) -> None:
    change_settings(tmp_path, change)
    with pytest.raises(RunError, match=r"the run in .* version"):
        begin(tmp_path, resume=True)


def test_a_run_is_resumed_with_the_default_of_a_new_setting(tmp_path: Path) -> None:
    change_settings(tmp_path, {"imitation_share": None})
    with pytest.raises(RunError, match=r"imitation_share 0\.75, now 0\.5"):
        begin(tmp_path, resume=True, imitation_share=0.5)
    begin(tmp_path, resume=True)


@pytest.mark.parametrize("kind", [SoloSettings, PpoSettings, DaSeatSettings, ExpertSettings, ExploitSettings])
def test_a_run_of_another_script_is_not_resumed(tmp_path: Path, kind: type[RunSettings]) -> None:
    policy = ["greedy"] if kind is ExploitSettings else []
    reason = f"{tmp_path} is a run of 'pocketmars train self-play': resume it with that command"
    with pytest.raises(SystemExit, match=f"^{kind.command}: {reason}$"):
        given(kind, *policy, "--resume", str(begun(tmp_path)))


def test_a_run_without_the_name_of_its_script_is_resumed(tmp_path: Path) -> None:
    change_settings(tmp_path, {"command": None})
    begin_folder(given(SelfPlaySettings, "--resume", str(tmp_path))).close()
    assert json.loads((tmp_path / "settings.json").read_text())["command"] == SelfPlaySettings.command


@pytest.mark.parametrize("text", [None, "", "[]", '{"seed": 1'])
def test_a_folder_without_a_run_is_not_resumed(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "settings.json").write_text(text)
    with pytest.raises(RunError, match=f"{tmp_path} "):
        begin(tmp_path, resume=True)


NAMED_IN: list[tuple[type[RunSettings], str, Any]] = [
    (SelfPlaySettings, "bots", ["greedy", "{}"]),
    (SelfPlaySettings, "teacher", "{}"),
    (PpoSettings, "bots", ["{}"]),
    (ScaleOutSettings, "bots", ["{}"]),
    (DaSeatSettings, "player", ["{}"]),
    (ExploitSettings, "policy", "{}"),
]
"""The settings that name agents: their class, their name, and the form of their value."""


@pytest.mark.parametrize(("kind", "setting", "form"), NAMED_IN)
@pytest.mark.parametrize("name", ["exec:true", "llm:mars", "tests.agents.bots:Wild", "table.onnx"])
def test_agents_in_the_settings_of_a_run_need_trust(
    name: str,
    kind: type[RunSettings],
    setting: str,
    form: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    value = json.loads(json.dumps(form).replace("{}", name))
    content = {"rules_version": RULES_VERSION, "trust": True, setting: value}
    (tmp_path / "settings.json").write_text(json.dumps(content))
    monkeypatch.delitem(sys.modules, "tests.agents.bots", raising=False)
    with pytest.raises(SystemExit, match=f"need --trust: {name}. Check them"):
        given(kind, "--resume", str(tmp_path))
    assert "tests.agents.bots" not in sys.modules


@pytest.mark.parametrize(("words", "names"), [(["--trust"], ["exec:true"]), ([], ["random", "greedy:2"])])
def test_a_run_is_resumed_with_trust_or_with_built_in_agents(
    words: list[str], names: list[str], tmp_path: Path
) -> None:
    begin(tmp_path, bots=tuple(names))
    settings = given(SelfPlaySettings, "--resume", str(tmp_path), *words)
    assert settings.bots == tuple(names)
    begin_folder(settings).close()
