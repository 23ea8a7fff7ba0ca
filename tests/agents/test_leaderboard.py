"""Tests of the leaderboard: it is small, is verified by replaying games, and is never left half-written."""

import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from pocketmars_agents.arena.results import line_of
from pocketmars_agents.arena.results_file import ResultsError, header, read_results
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import this_process
from pocketmars_agents.bots import policy_agent
from pocketmars_agents.games.pocket_mars import leaderboard
from pocketmars_agents.games.pocket_mars.bench import Plan, rating_of
from pocketmars_agents.games.pocket_mars.leaderboard import (
    VERSIONS,
    Entry,
    add_to_leaderboard,
    check_by_replay,
    entries_of,
    path_of,
    read_leaderboard,
)
from pocketmars_agents.games.pocket_mars.leaderboard_table import leaderboard_table
from pocketmars_agents.games.pocket_mars.suites import DA_2, Suite
from pocketmars_env.games.pocket_mars.spec import SPEC

FAST = ("random", "greedy", "planner")
"""Bots fast enough for the tests to replay their games."""
MAX_BYTES = 1_000_000
LEVELS = ("standard", "cyborg")
HANDICAPS = (0, 6)


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results file of two bots on a few deals, with some games that are not part of the suite."""
    path = tmp_path_factory.mktemp("raw") / "raw.jsonl"
    run(Plan(("random", "greedy:1"), LEVELS, 12, handicaps=HANDICAPS).matches(), this_process, path)
    plan = Plan(("random",), ("cyborg",), 2, handicaps=(0,))
    not_of_the_suite: tuple[dict[str, Any], ...] = (
        {"da": "greedy:1"}, {"seconds_per_decision": 9.0}, {"handicaps": (5,)},
    )  # fmt: skip
    for settings in not_of_the_suite:
        run(dataclasses.replace(plan, **settings).matches(), this_process, path)
    return path


@pytest.fixture
def entries(raw: Path) -> list[Entry]:
    return entries_of([raw], DA_2)


def test_the_entries_sum_up_the_games_of_the_suite(raw: Path, entries: list[Entry]) -> None:
    bots = ("random", "greedy:1")
    keys = [(bot, level, handicap) for bot in bots for level in LEVELS for handicap in HANDICAPS]
    assert [entry.key for entry in entries] == keys
    games = read_results(raw)[1]
    for entry in entries:
        own = [
            game
            for game in games
            if game.match.bots == (entry.bot,)
            and game.match.config == DA_2.config(entry.level, entry.handicap)
            and game.match.seconds_per_decision is None
        ]
        assert entry.margins == tuple(game.scores[0] - game.scores[1] for game in own)
        assert entry.row().wins == sum(game.winners == (0,) for game in own)
        assert entry.decisions == sum(game.decisions[0] for game in own)
        assert entry.versions == {name: getattr(header(SPEC), name) for name in VERSIONS}


def packed(*margins: int) -> bytes:
    return np.array(margins, dtype=np.int8).tobytes()


def test_an_entry_survives_its_line(entries: list[Entry]) -> None:
    for entry in [
        *entries,
        replace(entries[0], failed=(0, 5)),
        replace(entries[0], packed=packed(-128, 127)),
    ]:
        assert Entry.from_line(entry.to_line()) == entry


def test_a_game_that_was_lost_by_failing_is_no_win() -> None:
    entry = Entry("a", "cyborg", 0, packed(3, 4, -1), (1, 2), 9, 1.0, {})
    assert entry.row().won == [True, False, False]


def test_a_leaderboard_is_made_and_added_to(tmp_path: Path, entries: list[Entry]) -> None:
    path, entries = tmp_path / "new" / "da-2.jsonl", entries[:4]
    assert add_to_leaderboard(path, DA_2, entries[:3], 3) == entries[:3]
    longer = replace(entries[0], seconds=9.0)
    assert add_to_leaderboard(path, DA_2, [longer, entries[3]], 3) == [longer, *entries[1:]]
    assert read_leaderboard(path, DA_2) == [longer, *entries[1:]]
    assert [file.name for file in path.parent.iterdir()] == ["da-2.jsonl"]


def test_entries_that_another_process_adds_during_the_checks_are_kept(
    tmp_path: Path, entries: list[Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, others = tmp_path / "da-2.jsonl", [entries[2]]

    def check(entry: Entry, suite: Suite, games: int) -> None:
        while others:
            add_to_leaderboard(path, DA_2, [others.pop()], 0)

    monkeypatch.setattr(leaderboard, "check_by_replay", check)
    assert add_to_leaderboard(path, DA_2, entries[:2], 1) == [entries[2], *entries[:2]]
    assert read_leaderboard(path, DA_2) == [entries[2], *entries[:2]]


def test_fewer_games_replace_nothing(tmp_path: Path, entries: list[Entry]) -> None:
    path = tmp_path / "da-2.jsonl"
    add_to_leaderboard(path, DA_2, entries, 0)
    content = path.read_bytes()
    with pytest.raises(ResultsError, match=r"random, standard, handicap 0 .* 5 games.* 12"):
        add_to_leaderboard(path, DA_2, [replace(entries[0], packed=entries[0].packed[:5])], 0)
    assert path.read_bytes() == content


def test_a_forged_entry_is_found_out(tmp_path: Path, entries: list[Entry]) -> None:
    forged = replace(entries[0], packed=packed(*entries[0].margins[:-1], 30))
    with pytest.raises(ResultsError, match=r"random, standard, handicap 0, deal 11.* \+30"):
        add_to_leaderboard(tmp_path / "da-2.jsonl", DA_2, [forged], 3)
    with pytest.raises(ResultsError, match="deal 0"):
        check_by_replay(replace(entries[0], failed=(0,)), DA_2, 10**12)  # all games
    assert not (tmp_path / "da-2.jsonl").exists()


def changed(**changes: Any) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [*lines[:2], line_of({**json.loads(lines[2]), **changes}), *lines[3:]]


WRONG: dict[str, tuple[Any, ...]] = {
    "bot": ("a\x1b[2J", 1),
    "margins": ("?", "", "AA" * 10_000 + "=="),
    "level": ("easy",),
    "handicap": (4, True),
    "decisions": (-1,),
    "cheat": (1,),
}
"""Invalid values for each field of an entry."""


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda lines: [], "da-2.jsonl"),
        (lambda lines: [b"My diary.\n"], "da-2.jsonl"),
        (lambda lines: lines[1:], "da-2.jsonl"),
        (lambda lines: [lines[0].replace(b"da-2", b"da-0"), *lines[1:]], "da-2.jsonl"),
        (lambda lines: [lines[0].replace(b"board-2", b"board-1"), *lines[1:]], r"version 0 .* 0\.1\.0"),
        (lambda lines: [*lines[:2], lines[1], *lines[2:]], "line 3"),
        (lambda lines: [*lines[:2], lines[2][:50], *lines[3:]], "line 3"),
        *((changed(**{name: value}), "line 3") for name, values in WRONG.items() for value in values),
    ],
)
def test_a_damaged_leaderboard_is_refused_unchanged(
    tmp_path: Path, entries: list[Entry], spoil: Callable[[list[bytes]], list[bytes]], complaint: str
) -> None:
    path = tmp_path / "da-2.jsonl"
    add_to_leaderboard(path, DA_2, entries, 0)
    content = b"".join(spoil(path.read_bytes().splitlines(keepends=True)))
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=complaint):
        add_to_leaderboard(path, DA_2, entries, 0)
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, entries: list[Entry]) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ResultsError, match=r"da-2\.jsonl"):
        add_to_leaderboard(tmp_path / "file" / "da-2.jsonl", DA_2, entries, 0)


# --- raw results ----------------------------------------------------------------------------------


def test_deals_that_are_left_out_are_noticed(tmp_path: Path, raw: Path) -> None:
    lines = raw.read_bytes().splitlines(keepends=True)
    path = tmp_path / "raw.jsonl"
    path.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    with pytest.raises(ResultsError, match=r"random, standard, handicap 0 .* 11"):
        entries_of([path], DA_2)


@pytest.mark.parametrize("name", ["gready:1", "greedy:01"])
def test_an_unknown_bot_or_another_spelling_of_its_name_is_named(
    tmp_path: Path, raw: Path, name: str
) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_bytes(raw.read_bytes().replace(b'"greedy:1"', f'"{name}"'.encode()))
    with pytest.raises(ResultsError, match=name):
        entries_of([path], DA_2)


CANARY = "from pathlib import Path\nPath(__file__).with_suffix('.trace').touch()\n"


@pytest.mark.parametrize("name", ["canary:Bot", "canary.onnx", "puct:400:policy=canary.onnx"])
def test_a_bot_that_is_not_built_in_is_only_named(
    tmp_path: Path, raw: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Without `--trust`, no module or file named in results is imported or opened."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "canary", raising=False)
    Path("canary.py").write_text(CANARY)
    path = Path("raw.jsonl")
    path.write_bytes(raw.read_bytes().replace(b'"greedy:1"', f'"{name}"'.encode()))
    before = len(list(tmp_path.iterdir()))
    opened: list[str] = []

    def opening(path: Path) -> bytes:
        opened.append(str(path))
        return b""

    monkeypatch.setattr(policy_agent, "read_policy", opening)

    entries = entries_of([path], DA_2)
    assert {entry.bot for entry in entries} == {"random", name}
    assert name in {row[0] for row in leaderboard_table(entries).rows}
    with pytest.raises(ResultsError) as caught:
        add_to_leaderboard(Path("da-2.jsonl"), DA_2, entries, 1)
    assert name in str(caught.value)
    assert "--trust" in str(caught.value)
    assert (len(list(tmp_path.iterdir())), opened) == (before, [])
    assert "canary" not in sys.modules

    with pytest.raises(ValueError):  # noqa: PT011  # no such bot exists, but the command looked for it
        add_to_leaderboard(Path("da-2.jsonl"), DA_2, entries, 1, is_trusted=True)
    assert Path("canary.trace").exists() == (name == "canary:Bot")
    assert opened == [] if name == "canary:Bot" else ["canary.onnx"]


def test_a_bot_in_two_files_is_named(raw: Path) -> None:
    with pytest.raises(ResultsError, match="random, standard, handicap 0"):
        entries_of([raw, raw], DA_2)


def test_games_of_no_suite_are_no_entries(tmp_path: Path) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_bytes(header(SPEC).to_line())
    with pytest.raises(ResultsError, match="da-2"):
        entries_of([path], DA_2)


# --- the leaderboard of the repository ------------------------------------------------------------


def test_the_repositorys_leaderboard_is_small() -> None:
    assert path_of(DA_2).stat().st_size < MAX_BYTES


def test_fast_bots_play_the_games_of_the_repositorys_leaderboard_again() -> None:
    checked = [entry for entry in read_leaderboard(path_of(DA_2), DA_2) if entry.bot in FAST]
    assert {entry.bot for entry in checked} == {*FAST}
    for entry in checked:
        check_by_replay(entry, DA_2, games=5)


def test_the_table_has_a_line_for_each_bot_and_the_best_at_the_hardest_level_first(
    entries: list[Entry],
) -> None:
    worse = replace(entries[2], bot="worse", failed=(1,))
    table = leaderboard_table([*entries, worse])
    assert [row[0] for row in table.rows] == ["greedy:1", "random", "worse"]
    assert [row[1] for row in table.rows] == ["48", "48", "12"]
    greedy = {entry.key[1:]: entry.row() for entry in entries if entry.bot == "greedy:1"}
    for column, level in ((2, "standard"), (6, "cyborg")):
        assert table.columns[column].startswith(level)
        easiest = greedy[level, 0]
        assert table.rows[0][column] == str(rating_of([easiest, greedy[level, 6]]))
        assert table.rows[0][column + 1] == f"{100 * easiest.wins / 12:.1f} %"
    assert table.rows[0][4:6] == ("-", "-"), "a level that was not played"
    assert table.rows[2][6:8] == ("-", "0.0 %"), "one handicap alone has no rating"
    assert "worse" in table.notes[-1]
