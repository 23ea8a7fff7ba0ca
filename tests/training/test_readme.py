"""The page of the training scripts says what they do.

``python -m tests.training.test_readme`` writes its tables of settings anew.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.training.field_docs import field_docs
from tests.training.settings_tables import BLOCK, settings_table, with_tables
from tests.training.tiny import tiny, tiny_expert, tiny_self_play_ppo, write_start

pytest.importorskip("sb3_contrib")
pytest.importorskip("tensorboard")

from tensorboard.backend.event_processing import event_accumulator  # type: ignore[import-untyped]

from pocketmars_training.common.network_run import NetworkRunSettings
from pocketmars_training.common.run import Run
from pocketmars_training.common.settings import (
    MAY_CHANGE,
    GameSettings,
    LocalSettings,
    MaskablePpoSettings,
    PpoSettings,
)
from pocketmars_training.da_seat import DaSeatSettings
from pocketmars_training.expert_iteration import ExpertRun, ExpertSettings
from pocketmars_training.self_play import SelfPlayRun, SelfPlaySettings
from pocketmars_training.self_play_ppo import SelfPlayPpoRun, SelfPlayPpoSettings
from pocketmars_training.solo import SoloSettings, solo_run

PAGE = Path(__file__).parents[2] / "training" / "README.md"
KINDS = {
    kind.__name__: kind
    for kind in (
        LocalSettings,
        PpoSettings,
        MaskablePpoSettings,
        GameSettings,
        SoloSettings,
        SelfPlaySettings,
        DaSeatSettings,
        NetworkRunSettings,
        SelfPlayPpoSettings,
        ExpertSettings,
    )
}


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def table(name: str) -> str:
    """All general settings, or those that a kind adds or gives another default."""
    kind = KINDS[name]
    if kind is LocalSettings:
        return settings_table(kind)
    return settings_table(kind, but_for=set(field_docs(kind)) - set(kind.__annotations__))


def section(title: str) -> str:
    return page().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| (`[^|]+?) \|", text, flags=re.MULTILINE)


def test_the_tables_of_settings_are_those_of_the_code() -> None:
    assert [name for name, _ in BLOCK.findall(page())] == list(KINDS)
    assert page() == with_tables(page(), table), "run python -m tests.training.test_readme"


def tags(folder: Path) -> set[str]:
    found: set[str] = set()
    for path in folder.glob("events.out.tfevents.*"):
        log = event_accumulator.EventAccumulator(str(path))
        log.Reload()
        found |= set(log.Tags()["scalars"])
    return found


def train(run: Run, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Every number that a run has logged."""
    run.baselines = []
    run.train()
    run.close()
    capsys.readouterr()
    return tags(run.folder)


# TensorBoard's protocol buffers announce changes of Python's to come
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_number_of_the_log_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logged = train(
        solo_run(tiny(SoloSettings, tmp_path / "solo", imitation_timesteps=400, total_timesteps=1_400)),
        capsys,
    )
    evaluated = {tag for tag in logged if tag.startswith("eval/")}
    assert evaluated == {"eval/standard", "eval/super_droid", "eval/cyborg"}
    explained = set(re.findall(r"^\| `(\w+/[\w<>]+)` \|", section("The log"), flags=re.MULTILINE))
    assert (logged - evaluated) | {"eval/<matchup>"} == explained
    table = train(
        SelfPlayRun(tiny(SelfPlaySettings, tmp_path / "table", players=(2,), bots=("random",))), capsys
    )
    assert table - logged == {"eval/greedy_2p", "eval/planner_2p"}
    start = write_start(tmp_path / "start.onnx")
    for name, run in (
        ("self_play_ppo", SelfPlayPpoRun(tiny_self_play_ppo(tmp_path / "ppo", start, players=(2,)))),
        ("expert_iteration", ExpertRun(tiny_expert(tmp_path / "expert", start, players=(2,)))),
    ):
        text = section(f"The log of `{name}`")
        assert train(run, capsys) - table == set(re.findall(r"^\| `(\w+/\w+)` \|", text, flags=re.MULTILINE))


def test_the_files_of_a_run_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(SelfPlayRun(tiny(SelfPlaySettings, tmp_path, players=(2,), bots=("random",))), capsys)
    found = {re.sub(r"\d{12}", "DECISIONS", path.name) for path in tmp_path.iterdir()}
    found = {re.sub(r"(tfevents)\..*", r"\1.*", name) for name in found}
    listed = {name for cell in first_column(section("Resuming")) for name in re.findall(r"`(.+?)`", cell)}
    assert found | {"solo.onnx", "da_seat.onnx"} == listed


def test_what_may_change_is_listed() -> None:
    text = section("Resuming").partition(" may then be")[0]
    options = {f"--{name.replace('_', '-')}" for name in MAY_CHANGE}
    assert set(re.findall(r"`(--[\w-]+)`", text)) == options


def test_the_example_has_settings_that_exist() -> None:
    (example,) = [
        block for block in re.findall(r"```sh\n(.*?)```", page(), flags=re.DOTALL) if "tiny" in block
    ]
    words = example.replace("\\\n", "").split()[3:]
    names = [word.removeprefix("--").replace("-", "_") for word in words[::2]]
    values = [ast.literal_eval(word) if word[0].isdigit() else word for word in words[1::2]]
    SoloSettings(**dict(zip(names, values)))


if __name__ == "__main__":
    PAGE.write_text(with_tables(page(), table), encoding="utf-8")
