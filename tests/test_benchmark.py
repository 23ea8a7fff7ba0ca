"""The benchmark runs, names its rows and compares the right ones; nothing here is timed."""

import sys
from importlib import metadata
from typing import Any

import pytest

from pocketmars_env import Game, pocketmars_v1
from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.speed import __main__ as command
from pocketmars_env.speed.__main__ import choose_rows, main
from pocketmars_env.speed.own_rows import own_rows
from pocketmars_env.speed.peer_rows import EMPTY_EPISODE, EmptyEnv, drawn_outcome, empty_env, peer_rows
from pocketmars_env.speed.playing import Row, new_choose, play_aec
from pocketmars_env.speed.report import COMPARISONS, RATES, comparison_sheet, footnotes, speed_sheet
from pocketmars_env.speed.timing import Speed, first_steps, measure, seconds_to_first_step

ROWS = [*own_rows(SPEC), *peer_rows(SPEC)]
QUICK = ("--seconds", "0.001")
FEW = ("--only", "kernel/mask/2p/1", "game")


def table_in(output: str) -> dict[str, list[str]]:
    """The lines of the Markdown tables in an output by their first cell."""
    lines = [line.strip("| ").split(" | ") for line in output.splitlines() if line.startswith("|")]
    return {line[0]: line[1:] for line in lines}


def of_speed(rate: float) -> Speed:
    return Speed((rate / 2, rate, rate / 4))


@pytest.mark.skipif(not IS_COMPILED, reason="plain Python would take hours")
def test_every_row_appears(capsys: pytest.CaptureFixture[str]) -> None:
    ensure_compiled(SPEC)
    capsys.readouterr()  # it may have said that it compiles
    main([*QUICK, "--markdown"])
    captured = capsys.readouterr()
    table = table_in(captured.out)
    assert captured.err == ""
    for row in ROWS:
        if row.is_installed:
            assert int(table[row.name][0].replace(",", "")) > 0, row.name
        else:
            assert table[row.name][0] == "not installed"
    assert float(table["env() / empty environment in the same wrappers"][0].replace(",", "")) > 0
    assert table["state of a game"][0].endswith(" bytes")
    assert "One core" in captured.out
    assert f"numpy {metadata.version('numpy')}" in captured.out


@pytest.mark.skipif(not IS_COMPILED, reason="plain Python would take long")
def test_only_the_named_rows_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    main([*QUICK, *FEW])
    output = capsys.readouterr().out
    assert [line.split()[0] for line in output.splitlines() if "/" in line and "," in line.split()[1]] == [
        "kernel/mask/2p/1", "game/2p", "game/solo",
    ]  # fmt: skip
    rates_not_measured = [title for title, prefix in RATES.items() if prefix != "kernel/mask"]
    assert output.count("not measured") == len(COMPARISONS) + len(rates_not_measured)


def test_a_missing_peer_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    main([*QUICK, "--only", "open_spiel/hanabi", "--markdown"])
    output = capsys.readouterr().out
    assert table_in(output)["open_spiel/hanabi/mask"][0] == "not installed"
    assert "Not installed: open_spiel; pip install open_spiel adds its rows." in output


def test_nothing_missing_needs_no_footnote() -> None:
    assert footnotes([row for row in own_rows(SPEC) if row.module is None]) == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--only", "kernels"], "no row is named 'kernels'; accepted: kernel, game, raw_env, env, solo-v1"),
        (["--only", "kernel/mask/2"], "no row is named 'kernel/mask/2'"),
        (["--only"], "argument --only: expected at least one argument"),
        (["--seconds", "0"], "argument --seconds: must be a number above 0, at most 3600; got '0'"),
        (["--seconds", "nan"], "got 'nan'"),
        (["--seconds", "fast"], "got 'fast'"),
        (["--second-hand"], "unrecognized arguments: --second-hand"),
    ],
)
def test_a_bad_option_is_explained(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert complaint in captured.err


def test_a_name_stands_for_all_rows_that_begin_with_its_parts() -> None:
    names = [row.name for row in choose_rows(ROWS, ["env", "kernel/mask/solo/16"])]
    assert names == ["kernel/mask/solo/16", "env/2p", "env/solo"]
    assert choose_rows(ROWS, None) == ROWS


def test_names_are_given_once() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("title", COMPARISONS)
def test_the_best_row_is_compared_with_the_peer(title: str) -> None:
    own_prefix, peer_name = COMPARISONS[title]
    ours = choose_rows(ROWS, [f"{own_prefix}/2p"])
    (peer,) = choose_rows(ROWS, [peer_name])
    speeds = {row.name: of_speed(100.0 * (number + 1)) for number, row in enumerate(ours)}
    speeds[peer.name] = of_speed(40.0)
    ratios = {title: ratio for title, ratio, _ in comparison_sheet(SPEC, speeds).rows}
    assert ratios.pop(title) == f"{len(ours) * 2.5:.2f}"
    assert set(ratios.values()) == {"not measured"}


def test_every_aim_is_one_of_the_report() -> None:
    assert set(SPEC.speed_aims) <= {*COMPARISONS, *RATES}


def test_a_row_shows_its_best_round() -> None:
    row = Row("snail", lambda: lambda count: count)
    sheet = speed_sheet([row], {"snail": Speed((1_000.0, 2_000.0, 500.0))})
    assert sheet.rows == [("snail", "2,000", "500,000", "0.50")]
    assert sheet.as_markdown().splitlines()[2] == "| snail | 2,000 | 500,000 | 0.50 |"


def test_rows_are_played_in_turns() -> None:
    played: list[str] = []

    def row(name: str) -> Row:
        def play(count: int) -> int:
            played.append(name)
            return sum(1 for _ in range(count))

        return Row(name, lambda: play)

    speeds = measure([row("a"), row("b")], seconds=0.001)
    assert played[-10:] == ["a", "b"] * 5
    assert {name: len(speed.rates) for name, speed in speeds.items()} == {"a": 5, "b": 5}


ONE_BY_ONE = [row for row in ROWS if not row.name.startswith(("kernel", "vector", "sb3_vec_env"))]


@pytest.mark.parametrize("row", ONE_BY_ONE, ids=lambda row: row.name)
def test_a_play_makes_the_decisions_asked_for(row: Row) -> None:
    if not row.is_installed:
        pytest.skip(f"{row.package} is not installed")
    assert row.start()(500) == 500  # games end on the way


def test_the_kernel_plays_whole_batches() -> None:
    (row,) = choose_rows(ROWS, ["kernel/observation/solo/16"])
    assert row.start()(17) == 32


@pytest.mark.parametrize("name", ["vector/solo/64", "vector/2p/64", "sb3_vec_env/2p"])
def test_vector_environments_play_whole_batches(name: str) -> None:
    (row,) = choose_rows(ROWS, [name])
    if not row.is_installed:
        pytest.skip(f"{row.package} is not installed")
    size = int(row.name.split("/")[-1])
    assert row.start()(size + 1) == 2 * size


def test_learning_is_measured_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    main([*QUICK, *FEW, "--learn", "--markdown"])
    table = table_in(capsys.readouterr().out)
    assert 0 < float(table["environment's share of MaskablePPO.learn"][0].rstrip("%")) < 100
    assert float(table["MaskablePPO.learn, 10 epochs, all cores"][0].split()[0].replace(",", "")) > 0


def test_learning_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(spec: Any) -> None:
        raise ImportError("No module named 'sb3_contrib'")

    monkeypatch.setattr(command, "share_of_learning", fail)
    with pytest.raises(SystemExit):
        main([*QUICK, *FEW, "--learn"])
    assert "--learn needs sb3-contrib (No module named 'sb3_contrib')" in capsys.readouterr().err


class CountingEnv(EmptyEnv):
    steps = 0
    resets = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.resets += 1
        super().reset(seed, options)

    def step(self, action: Any) -> None:
        assert self.observe(self.agent_selection)["action_mask"][action] == 1
        self.steps += 1
        super().step(action)


def test_the_aec_loop_steps_legally_and_resets_at_the_end() -> None:
    env = CountingEnv(SPEC)
    assert play_aec(env)(2 * EMPTY_EPISODE + 1) == 2 * EMPTY_EPISODE + 1
    assert (env.steps, env.resets) == (2 * EMPTY_EPISODE + 1, 3)


def test_the_empty_environment_is_wrapped_as_ours() -> None:
    ours, empty = pocketmars_v1.env(), empty_env(SPEC)
    while isinstance(ours, type(empty)) and ours is not ours.unwrapped:
        ours, empty = ours.env, empty.env
    assert (ours, empty) == (ours.unwrapped, empty.unwrapped)
    assert ours.observation_space("player_0") == empty.observation_space("player_0")
    assert ours.action_space("player_0") == empty.action_space("player_0")
    empty.reset()
    assert empty.observation_space("player_0").contains(empty.observe("player_0"))


def test_choices_reach_every_action() -> None:
    choose = new_choose()
    assert {choose([3, 5, 8]) for _ in range(100)} == {3, 5, 8}


@pytest.mark.parametrize(("number", "outcome"), [(0.0, 7), (0.24, 7), (0.25, 9), (0.999, 9)])
def test_chance_falls_by_probability(number: float, outcome: int) -> None:
    assert drawn_outcome([(7, 0.25), (9, 0.7499)], number) == outcome
    assert drawn_outcome([(7, 0.25), (9, 0.7)], 0.999) == 9


def test_the_first_steps_are_steps() -> None:
    played: dict[str, Any] = {}
    for program in first_steps(SPEC).values():
        exec(program, played)
    start = Game(seed=1).snapshot()
    assert played["game"].snapshot() != start
    assert played["env"].unwrapped.game.snapshot() != start


def test_a_start_takes_time() -> None:
    assert seconds_to_first_step("import time; time.sleep(0.001)") > 0
