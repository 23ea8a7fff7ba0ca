"""The command ``pocketmars plot`` and the learning curves that it draws."""

from pathlib import Path
from typing import Any

import pytest

from pocketmars_training.common import checkpoints
from pocketmars_training.common.learning_curves import curves_of, plot_curves
from tests.agents.playing import output_of, refusal_of
from tests.test_documents import ROOT

HISTORY = [
    {"decisions": 1_000 * step, "evaluation": {"standard": 0.1 * step, "cyborg": 0.05 * step}, "games": 50}
    for step in range(1, 6)
]


def a_run(folder: Path, history: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    checkpoints.write(folder / "checkpoint-000000005000.pt", {"history": history})
    return folder


def test_the_curves_of_a_run_are_the_evaluations_in_its_checkpoint(tmp_path: Path) -> None:
    first, second = curves_of(a_run(tmp_path / "run", HISTORY))
    assert ("standard" in first.panel, "cyborg" in second.panel) == (True, True)
    assert first.decisions == [1_000, 2_000, 3_000, 4_000, 5_000]
    assert first.rates == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert first.games == [50] * 5


def test_a_table_has_a_curve_for_each_seed() -> None:
    curves = list(curves_of(ROOT / "examples" / "ppo.csv"))
    assert len(curves) == 5
    assert all(curve.rates[0] < 0.1 and curve.rates[-1] > 0.5 for curve in curves)


def test_runs_and_tables_are_plotted_together(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    runs, out = (a_run(tmp_path / "run", HISTORY), ROOT / "examples" / "ppo.csv"), tmp_path / "curves.svg"
    assert str(out) in output_of("plot", *map(str, runs), "--out", str(out))
    picture = out.read_bytes()
    assert picture.startswith(b"<?xml")
    plot_curves(out, [curve for run in runs for curve in curves_of(run)])
    assert out.read_bytes() == picture


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("missing", "run"), ("run", "run"), ("diary.txt", "win_rate"), ("empty.csv", "win_rate")],
)
def test_what_is_not_a_run_is_refused_in_one_line(
    name: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    a_run(tmp_path / "run", [])
    (tmp_path / "empty.csv").write_text("decisions,win_rate\n")
    (tmp_path / "diary.txt").write_text("Dear diary\nhello\n")
    line = refusal_of("plot", name)
    assert line.startswith("pocketmars plot: ")
    assert complaint in line
