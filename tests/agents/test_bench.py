"""The benchmark: fixed deals, repeatable results, files that survive interruptions."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents import bench
from agents.bench import Plan, header, new_deal, run
from agents.bench_table import footnotes, markdown_table, rows_of
from agents.results import GameResult, ResultsError, line_of

PLAN = Plan(("random", "greedy:1"), ("standard", "cyborg"), 12)
BOTS = "tests.agents.bots"


def without_time(results: list[GameResult]) -> list[GameResult]:
    return [replace(result, seconds=0.0) for result in results]


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    """The games of `PLAN`, played on this process."""
    return run(PLAN, jobs=1)


@pytest.fixture
def full_file(tmp_path: Path, results: list[GameResult]) -> Path:
    """A results file with all games of `PLAN`."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join([line_of(header()), *(result.to_line() for result in results)]))
    return path


def test_all_bots_and_levels_play_the_same_deals() -> None:
    for level in ("standard", "cyborg"):
        game = new_deal(level, 5)
        assert game.snapshot()["deck"] == new_deal("super_droid", 5).snapshot()["deck"]
        assert game.bookmark()["seed"] == 1_000_005


def test_two_processes_play_the_same_games_as_one(results: list[GameResult]) -> None:
    assert without_time(run(PLAN, jobs=2)) == without_time(results)


def test_a_game_depends_on_nothing_that_was_played_before(results: list[GameResult]) -> None:
    alone = run(Plan(("greedy:1",), ("cyborg",), 3), jobs=1)
    assert without_time(alone) == without_time([game for game in results if game.key in PLAYED_ALONE])


PLAYED_ALONE = [("greedy:1", "cyborg", deal) for deal in range(3)]


def test_results_come_in_the_order_of_the_plan(results: list[GameResult]) -> None:
    assert [result.key for result in results] == PLAN.games_to_play()


def test_bots_levels_and_games_are_counted_once() -> None:
    plan = Plan(("random", "random"), ("cyborg", "cyborg"), 2)
    assert plan.games_to_play() == [("random", "cyborg", 0), ("random", "cyborg", 1)]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"agents": ("bob",)}, "unknown agent 'bob'; accepted: 'random'"),
        ({"agents": ()}, "at least one agent"),
        ({"levels": ("hard",)}, "unknown level 'hard'; accepted: standard, super_droid, cyborg"),
        ({"games": 0}, "games must be an integer of at least 1, got 0"),
    ],
)
def test_a_plan_says_what_is_accepted(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Plan(**settings)


def test_at_least_one_process_is_needed() -> None:
    with pytest.raises(ValueError, match="jobs must be an integer of at least 1, got 0"):
        run(PLAN, jobs=0)


# --- bots that fail -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "decisions", "reason"),
    [("Raising", 0, "LookupError: lost my notes"), ("Illegal", 3, "is no answer to")],
)
def test_a_bot_that_fails_loses_the_game_and_is_named(name: str, decisions: int, reason: str) -> None:
    agent = f"{BOTS}:{name}"
    failed = run(Plan((agent, "random"), ("standard",), 2), jobs=1)
    for result in failed[:2]:
        assert (result.won, result.decisions, result.truncated) == (False, decisions, False)
        assert result.error is not None
        assert reason in result.error
    (note,) = footnotes(failed)
    assert note.startswith(f"{agent} failed in 2 games, which count as lost; the first: standard, deal 0: ")


def test_a_failed_game_survives_its_file(tmp_path: Path) -> None:
    plan, path = Plan((f"{BOTS}:Raising",), ("standard",), 2), tmp_path / "results.jsonl"
    assert run(plan, 1, path) == run(plan, 1, path)


# --- the results file -----------------------------------------------------------------------------


def test_every_line_of_the_file_is_plain_json(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    played = run(Plan(("random",), ("cyborg",), 2), 1, path)
    first, *games = [json.loads(line) for line in lines_of(path)]
    assert (first["format"], first["suite"]) == ("pocketmars-bench-1", "da-0")
    assert {"pocketmars_env", "numpy", "numba", "sources"} <= set(first)
    assert [GameResult(**{**game, "scores": tuple(game["scores"])}) for game in games] == played


@pytest.mark.parametrize("cut", [1, 30, 400, 2500])
def test_a_stopped_run_goes_on_where_it_was_cut_off(
    full_file: Path, results: list[GameResult], cut: int
) -> None:
    content = full_file.read_bytes()[:-cut]
    full_file.write_bytes(content)
    kept = content[: content.rfind(b"\n") + 1]
    assert without_time(run(PLAN, 1, full_file)) == without_time(results)
    assert full_file.read_bytes().startswith(kept)
    assert len(lines_of(full_file)) == 1 + len(results)


def test_a_finished_run_is_not_played_again(full_file: Path, results: list[GameResult]) -> None:
    content = full_file.read_bytes()
    assert run(PLAN, 1, full_file) == results
    assert full_file.read_bytes() == content


def test_more_games_go_on_with_the_file(full_file: Path, results: list[GameResult]) -> None:
    content = full_file.read_bytes()
    more = run(replace(PLAN, games=14), 1, full_file)
    assert [result for result in more if result.deal < PLAN.games] == results
    assert full_file.read_bytes().startswith(content)
    assert len(lines_of(full_file)) == 1 + 2 * 2 * 14


@pytest.mark.parametrize("content", [b"", line_of(header())[:20]])
def test_a_file_without_a_whole_header_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    run(Plan(("random",), ("cyborg",), 1), 1, path)
    assert len(lines_of(path)) == 2


def test_an_interruption_keeps_the_finished_games(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    plan = Plan((f"{BOTS}:Interrupting",), ("standard",), 200)
    heard: list[GameResult] = []
    bench_games = run_until_interrupted(plan, path, heard.append)
    assert 0 < len(heard) < 200
    assert bench_games == heard


def run_until_interrupted(plan: Plan, path: Path, hear: Callable[[GameResult], None]) -> list[GameResult]:
    """The games in the file after the interruption."""
    with pytest.raises(KeyboardInterrupt):
        run(plan, 1, path, hear)
    return [GameResult.from_line(line) for line in lines_of(path)[1:]]


def changed_header(**changes: Any) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [line_of({**header(), **changes}), *lines[1:]]


def changed_game(**changes: Any) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [*lines[:3], line_of({**json.loads(lines[3]), **changes}), *lines[4:]]


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda lines: [b"My diary.\n", b"Dear diary,\n"], "is no results file of the format"),
        (lambda lines: [b"no end of line"], "is no results file"),
        (lambda lines: [b"\x00\xff\n"], "is no results file"),
        (lambda lines: [b"[1, 2]\n"], "is no results file"),
        (lambda lines: lines[1:], "is no results file"),
        (changed_header(format="pocketmars-bench-0"), "is no results file of the format"),
        (changed_header(suite="da-1"), "another kind of run .suite: 'da-1', now 'da-0'"),
        (changed_header(pocketmars_env="9.9"), "another kind of run .pocketmars_env: '9.9'"),
        (changed_header(more=1), "another kind of run .more: 1, now None"),
        (lambda lines: [b" " + lines[0], *lines[1:]], "its header is damaged"),
        (lambda lines: [*lines[:3], b"{}\n", *lines[3:]], "line 4 is damaged"),
        (lambda lines: [*lines[:3], lines[3][:-9] + b"\n", *lines[4:]], "line 4 is damaged"),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], "line 4 repeats the game"),
        (lambda lines: [*lines, b"garbage\n"], "line 50 is damaged"),
        (changed_game(won=True), "line 4 is damaged"),
        (changed_game(deal=-1), "line 4 is damaged"),
        (changed_game(scores=[1]), "line 4 is damaged"),
        (changed_game(scores=[1, 2, 3]), "line 4 is damaged"),
        (changed_game(scores="12"), "line 4 is damaged"),
        (changed_game(seconds=None), "line 4 is damaged"),
        (changed_game(decisions="7"), "line 4 is damaged"),
        (changed_game(cheat=1), "line 4 is damaged"),
    ],
)
def test_a_file_that_cannot_be_continued_is_refused_unchanged(
    full_file: Path, spoil: Callable[[list[bytes]], list[bytes]], complaint: str
) -> None:
    content = b"".join(spoil(lines_of(full_file)))
    full_file.write_bytes(content)
    with pytest.raises(ResultsError, match=complaint):
        run(PLAN, 1, full_file)
    assert full_file.read_bytes() == content


@pytest.mark.parametrize(
    ("name", "complaint"), [("missing/results.jsonl", "cannot write"), (".", "cannot read")]
)
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str, complaint: str) -> None:
    with pytest.raises(ResultsError, match=complaint):
        run(PLAN, 1, tmp_path / name)


# --- the table ------------------------------------------------------------------------------------


def test_a_row_sums_up_the_games_of_a_bot_at_a_level() -> None:
    games = [
        GameResult("me", "cyborg", deal, won, scores, False, 40, 0.5)
        for deal, (won, scores) in enumerate(
            [(True, (9, 5)), (False, (5, 5)), (False, (2, 9)), (True, (8, 1))]
        )
    ]
    (row,) = rows_of(games)
    assert (row.games, row.wins, row.margin, row.decisions_per_second) == (4, 2, 1.0, 80.0)
    assert row.margin_interval[0] < 1.0 < row.margin_interval[1]
    assert row.cells()[:5] == ("me", "cyborg", "4", "2", "50.0 % [15.0, 85.0]")


def test_the_markdown_table_has_a_line_for_each_bot_and_level(results: list[GameResult]) -> None:
    lines = markdown_table(rows_of(results)).splitlines()
    assert len(lines) == 2 + 4
    assert {line.count("|") for line in lines} == {8}
    assert lines[2].startswith("| random | standard | 12 | 0 | 0.0 % [0.0, 24.2] |")


def test_the_default_plan_is_that_of_the_command() -> None:
    assert Plan() == Plan(("random", "greedy"), ("standard", "super_droid", "cyborg"), bench.DEFAULT_GAMES)
