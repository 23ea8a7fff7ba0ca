"""The settings of the training scripts."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from tests.training.field_docs import field_docs
from tests.training.tiny import tiny

pytest.importorskip("sb3_contrib")
pytest.importorskip("tyro")

import tyro

from pocketmars_training.da_seat import DaSeatSettings
from pocketmars_training.run.settings import MOST_IMITATION, Settings
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.solo import SoloSettings

KINDS = (SoloSettings, SelfPlaySettings, DaSeatSettings)

WRONG: list[tuple[type[Settings], str, Any, str]] = [
    *[
        (Settings, name, 0, "at least 1")
        for name in ("decisions", "games", "steps", "epochs", "width", "layers")
    ],
    *[(Settings, name, 0, "at least 1") for name in ("ladder_every", "ladder_games", "checkpoint_every")],
    (Settings, "threads", -1, "at least 1"),
    (Settings, "seed", -1, "in 0..2^32 - 1"),
    (Settings, "seed", 2**32, "in 0..2^32 - 1"),
    (Settings, "imitation", -1, f"in 0..{MOST_IMITATION}"),
    (Settings, "imitation", MOST_IMITATION + 1, f"in 0..{MOST_IMITATION}"),
    (Settings, "imitation_share", 1.01, "in 0..1"),
    (Settings, "teacher_moves", float("nan"), "in 0..1"),
    (Settings, "clip", -0.1, "in 0..1"),
    (Settings, "gae", 1.5, "in 0..1"),
    (Settings, "entropy", -1e-9, "0 or more"),
    (Settings, "entropy", float("nan"), "0 or more"),
    (Settings, "learning_rate", 0.0, "above 0"),
    (Settings, "learning_rate", float("inf"), "above 0"),
    (Settings, "batch", 1, "in 2..48, which is games × steps"),
    (Settings, "batch", 49, "in 2..48, which is games × steps"),
    (Settings, "batch", 47, "such that not 1 of 48 decisions is left over"),
    (SelfPlaySettings, "players", (), "some of 2, 3 and 4"),
    (SelfPlaySettings, "players", (2, 5), "some of 2, 3 and 4"),
    (SelfPlaySettings, "bots", (), "at least one agent"),
    (SelfPlaySettings, "present_share", -0.5, "in 0..1"),
    (SelfPlaySettings, "past_every", 0, "at least 1"),
    (DaSeatSettings, "player", (), "at least one agent"),
]


@pytest.mark.parametrize(("kind", "name", "value", "accepted"), WRONG)
def test_wrong_values_are_named(kind: type[Settings], name: str, value: Any, accepted: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{name} must be {accepted}, got {value}")):
        tiny(kind, Path("run"), **{name: value})


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (Settings, "teacher", "nobody"),
        (SelfPlaySettings, "bots", ("greedy", "nobody")),
        (DaSeatSettings, "player", ("greedy", "nobody")),
    ],
)
def test_unknown_bots_are_named_at_once(kind: type[Settings], name: str, value: Any) -> None:
    with pytest.raises(ValueError, match="unknown agent 'nobody'; accepted: 'random', "):
        tiny(kind, Path("run"), **{name: value})


def test_every_number_has_a_wrong_value_above() -> None:
    tried = {name for _, name, _, _ in WRONG}
    numbers = {
        field.name
        for kind in KINDS
        for field in dataclasses.fields(kind)
        if field.type in ("int", "float", int, float)
    }
    assert numbers
    assert numbers <= tried


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_line_explains_every_setting(
    kind: type[Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        tyro.cli(kind, args=["--help"])
    shown = re.sub(r"[│\s]+", " ", capsys.readouterr().out)
    fields = dataclasses.fields(kind)
    assert set(field_docs(kind)) == {field.name for field in fields}
    for name, text in field_docs(kind).items():
        assert f"--{name.replace('_', '-')}" in shown
        assert text.replace("``", "") in shown.replace("``", ""), name


@pytest.mark.parametrize("kind", KINDS)
def test_the_defaults_are_accepted(kind: type[Settings]) -> None:
    assert kind(run=Path("run")).imitation_decisions == 1_000_000 // 256 * 256


def test_the_imitation_takes_its_share_at_most() -> None:
    settings = tiny(Settings, Path("run"), decisions=100, imitation=200, imitation_share=0.5, games=6)
    assert settings.imitation_decisions == 48  # a multiple of the games
    assert tiny(Settings, Path("run"), decisions=100, imitation=0).imitation_decisions == 0


@pytest.mark.parametrize(("number", "expected"), [(1, [17]), (3, [6, 6, 5]), (4, [5, 4, 4, 4])])
def test_games_are_shared_out_as_equally_as_can_be(number: int, expected: list[int]) -> None:
    assert tiny(Settings, Path("run"), games=17).parts_of_games(number) == expected
