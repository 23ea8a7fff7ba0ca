"""The pages about the training scripts agree with the code."""

import dataclasses
import re
from pathlib import Path

import pytest
from tensorboard.backend.event_processing import event_accumulator  # type: ignore[import-untyped]

from pocketmars_training.common.run import Run
from pocketmars_training.common.settings import RunSettings
from pocketmars_training.expert_iteration import ExpertRun
from pocketmars_training.ppo import PpoRun, PpoSettings
from pocketmars_training.rllib.settings import ScaleOutSettings
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.solo import SoloRun, SoloSettings
from tests.training.tiny import tiny, tiny_expert, tiny_self_play_ppo, write_start

TRAINING = Path(__file__).parents[2] / "training"
PAGE, CLUSTERS = TRAINING / "README.md", TRAINING / "SCALING.md"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def section(title: str, page: Path = PAGE) -> str:
    return text_of(page).partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| (`[^|]+?) \|", text, flags=re.MULTILINE)


def tags(folder: Path) -> set[str]:
    found: set[str] = set()
    for path in folder.glob("events.out.tfevents.*"):
        log = event_accumulator.EventAccumulator(str(path))
        log.Reload()
        found |= set(log.Tags()["scalars"])
    return found


def train(run: Run, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Train a run, and return the tags of all numbers that it logged."""
    run.baselines = []
    run.train()
    run.close()
    capsys.readouterr()
    return tags(run.folder)


# TensorBoard's protocol buffers cause deprecation warnings of Python
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_number_of_the_log_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logged = train(
        SoloRun(tiny(SoloSettings, tmp_path / "solo", imitation_timesteps=400, total_timesteps=1_400)),
        capsys,
    )
    evaluated = {tag for tag in logged if tag.startswith("eval/")}
    assert evaluated == {"eval/standard", "eval/super_droid", "eval/cyborg"}
    explained = set(re.findall(r"^\| `(\w+/[\w<>]+)` \|", section("The log"), flags=re.MULTILINE))
    assert (logged - evaluated) | {"eval/<matchup>"} == explained
    start = write_start(tmp_path / "start.onnx")
    ppo = train(PpoRun(tiny_self_play_ppo(tmp_path / "ppo", start, players=(2,))), capsys)
    assert ppo - logged == {"eval/greedy_2p", "eval/planner_2p"}
    text = section("The log of `expert_iteration`")
    expert = train(ExpertRun(tiny_expert(tmp_path / "expert", start, players=(2,))), capsys)
    listed = set(re.findall(r"^\| `(\w+/\w+)` \|", text, flags=re.MULTILINE))
    assert expert - {"eval/greedy_2p", "eval/planner_2p"} == listed


def test_the_files_of_a_run_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(PpoRun(tiny(SelfPlaySettings, tmp_path, players=(2,), bots=("random",))), capsys)
    found = {re.sub(r"\d{12}", "DECISIONS", path.name) for path in tmp_path.iterdir()}
    found = {re.sub(r"(tfevents)\..*", r"\1.*", name) for name in found}
    listed = {name for cell in first_column(section("Resuming")) for name in re.findall(r"`(.+?)`", cell)}
    assert found | {"solo.onnx", "da_seat.onnx"} == listed


@pytest.mark.parametrize(("page", "kind"), [(PAGE, PpoSettings), (CLUSTERS, ScaleOutSettings)])
def test_what_may_change_is_listed(page: Path, kind: type[RunSettings]) -> None:
    sentences = re.split(r"(?<=\.)\s", section("Resuming", page))
    (listing,) = [sentence for sentence in sentences if "`--total-timesteps`" in sentence]
    assert set(re.findall(r"`(--[\w-]+)`", listing)) == {option(name) for name in kind.may_change}


def test_the_commands_for_clusters_have_options_that_exist() -> None:
    commands = re.findall(r"train rllib-self-play((?:[^\n`]*\\\n)*[^\n`]*)", text_of(CLUSTERS))
    assert len(commands) >= 3
    known = {option(field.name) for field in dataclasses.fields(ScaleOutSettings)}
    for command in commands:
        assert set(re.findall(r"(?<!\S)--[\w-]+", command)) <= known, command


def test_every_module_for_clusters_has_its_job_on_the_page() -> None:
    listed = set(re.findall(r"`(?:rllib/)?(\w+\.py)`", section("Where things are", CLUSTERS)))
    modules = {path.name for path in (TRAINING / "pocketmars_training" / "rllib").glob("*.py")}
    assert listed == modules - {"__init__.py"} | {"rllib_self_play.py"}
