"""The speed benchmark works with a third-party game."""

import pytest
from typer.testing import CliRunner

from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.speed.__main__ import app
from pocketmars_env.speed.own_rows import own_rows
from pocketmars_env.speed.timing import Row
from tests.third_game.pairs import SPEC

ROWS = own_rows(SPEC)
QUICK = [row for row in ROWS if not row.name.endswith(("/1024", "/4096"))]


def test_it_has_rows_in_every_form() -> None:
    forms = {row.name.split("/")[0] for row in ROWS}
    assert forms == {"kernel", "games", "game", "raw_env", "env", "vector", "sb3_vec_env", "learn"}


@pytest.mark.skipif(not IS_COMPILED, reason="plain Python would take long")
@pytest.mark.parametrize("row", QUICK, ids=lambda row: row.name)
def test_a_row_is_played(row: Row) -> None:
    if not row.is_installed:
        pytest.skip(f"{row.package} is not installed")
    assert next(row.start()) > 0


@pytest.mark.skipif(not IS_COMPILED, reason="plain Python would take long")
def test_the_command_measures_it() -> None:
    options = ["--game", "pairs", "--seconds", "0.001", "--only", "kernel/mask", "vector/default/64"]
    output = " ".join(CliRunner().invoke(app, options).stdout.split())
    assert "| kernel/mask/default/64 |" in output
    assert f"| state of a game | {SPEC.state.itemsize} bytes |" in output
