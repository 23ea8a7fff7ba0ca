"""The benchmark plays its rows and reports the right ones; no test here depends on the speed."""

import json
import sys
from itertools import islice

import pytest
from typer.testing import CliRunner

from pocketmars_env import pocketmars_v1
from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.speed.__main__ import app, choose_rows
from pocketmars_env.speed.own_rows import own_rows
from pocketmars_env.speed.peer_rows import EMPTY_EPISODE, drawn_outcome, empty_env, peer_rows
from pocketmars_env.speed.report import FIGURES, figures, result_of, rows_table
from pocketmars_env.speed.timing import ROUNDS, Play, Row, measure, new_choose, play_aec

ROWS = [*own_rows(SPEC), *peer_rows(SPEC)]
QUICK = ("--seconds", "0.001")
LARGE = ("/1024", "/4096")
SLOW = ("learn/solo",)  # takes a second or more per item
needs_compiled = pytest.mark.skipif(not IS_COMPILED, reason="plain Python would take long")


def output_of(*options: str) -> str:
    result = CliRunner().invoke(app, [*QUICK, *options])
    assert result.exit_code == 0, result.output
    return result.stdout


@needs_compiled
@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.name, marks=pytest.mark.slow if row.name.endswith(LARGE) else ())
        for row in ROWS
        if row.name not in SLOW
    ],
)
def test_a_row_is_played(row: Row) -> None:
    if not row.is_installed:
        pytest.skip(f"{row.package} is not installed")
    size = row.name.split("/")[-1]
    made = next(row.start())
    assert made == (int(size) if row.name.startswith("vector") else made) > 0


@pytest.mark.parametrize("name", ["game/2p", "gymnasium/solo", "open_spiel/hanabi/observation"])
def test_play_continues_with_a_new_game(name: str) -> None:
    (row,) = choose_rows(ROWS, [name])
    if not row.is_installed:
        pytest.skip(f"{row.package} is not installed")
    assert sum(islice(row.start(), 1_000)) == 1_000


@needs_compiled
def test_the_result_is_printed_as_tables_or_json() -> None:
    lines = output_of("--only", "kernel/mask/2p/1", "game/2p").splitlines()
    assert [line.split()[1] for line in lines if line.startswith(("| kernel/", "| game"))] == [
        "kernel/mask/2p/1", "game/2p",
    ]  # fmt: skip
    result = json.loads(output_of("--only", "kernel/mask/2p/1", "--json"))
    assert len(result["rows"].pop("kernel/mask/2p/1")) == ROUNDS
    assert result["rows"] == {}
    values = dict(result["figures"])
    assert values["kernel, rules + mask"].endswith(" decisions/s")
    assert values["raw_env()"] == "not measured"
    assert values["state of a game"] == f"{SPEC.state.itemsize} bytes"


def test_a_missing_peer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    result = json.loads(output_of("--only", "open_spiel/hanabi", "--json"))
    assert result["rows"] == {"open_spiel/hanabi/mask": None, "open_spiel/hanabi/observation": None}
    assert any("pyspiel" in line for line in result["about"])


@pytest.mark.parametrize(
    "arguments",
    [
        "--only kernels",
        "--only kernel/mask/2",
        "--seconds 0",
        "--seconds nan",
        "--seconds fast",
        "--game chess",
    ],
)
def test_a_bad_option_is_explained(arguments: str) -> None:
    result = CliRunner().invoke(app, arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert any(word in result.stderr for word in arguments.split())


def test_a_name_selects_all_rows_that_begin_with_its_parts() -> None:
    names = [row.name for row in choose_rows(ROWS, ["env", "kernel/mask/solo/64"])]
    assert names == ["kernel/mask/solo/64", "env/2p", "env/solo"]
    assert choose_rows(ROWS, None) == ROWS
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(("name", "form", "dividend", "divisor"), FIGURES, ids=lambda part: part)
def test_a_figure_is_the_ratio_of_the_best_rows(name: str, form: str, dividend: str, divisor: str) -> None:
    rates = {}
    for prefix, best in ((dividend, 30.0), (divisor, 8.0)):
        for row in choose_rows(ROWS, [prefix.replace("*", "2p")]) if prefix else ():
            rates[row.name] = [best / 2, best, best / 4]
    ratio = (30.0 if dividend else 1.0) / (8.0 if divisor else 1.0)
    assert (name, form.format(ratio)) in figures(SPEC, rates)


def test_a_row_shows_its_best_round() -> None:
    result = result_of(SPEC, [Row("snail", lambda: iter([1]))], {"snail": [1_000.0, 2_000.0, 500.0]}, 1.0)
    assert rows_table(result).splitlines()[2] == "| snail |       2,000 |     500,000 |        0.50 |"


def test_rows_are_played_in_turns() -> None:
    played: list[str] = []

    def row(name: str) -> Row:
        def play() -> Play:
            while True:
                if played[-1:] != [name]:
                    played.append(name)
                yield 1

        return Row(name, play)

    rates = measure([row("a"), row("b")], seconds=0.001)
    assert played[-2 * ROUNDS :] == ["a", "b"] * ROUNDS
    assert {name: len(found) for name, found in rates.items()} == {"a": ROUNDS, "b": ROUNDS}


def test_the_empty_environment_costs_only_its_wrappers() -> None:
    ours, empty = pocketmars_v1.raw_env(), empty_env(SPEC)
    assert sum(islice(play_aec(empty), EMPTY_EPISODE + 1)) == EMPTY_EPISODE + 1
    assert empty.steps_left == EMPTY_EPISODE - 1  # in the second episode
    agent = empty.agent_selection
    assert ours.observation_space(agent) == empty.observation_space(agent)
    assert empty.observation_space(agent).contains(empty.observe(agent))


def test_choices_reach_every_action() -> None:
    choose = new_choose()
    assert {choose([3, 5, 8]) for _ in range(100)} == {3, 5, 8}


@pytest.mark.parametrize(("number", "outcome"), [(0.0, 7), (0.24, 7), (0.25, 9), (0.9999, 9)])
def test_chance_falls_by_probability(number: float, outcome: int) -> None:
    assert drawn_outcome([(7, 0.25), (9, 0.7499)], number) == outcome
