"""Tests of the results file: interrupted runs continue it, and unsuitable files stay unchanged."""

import errno
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.arena import results_file
from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult, line_of
from pocketmars_agents.arena.results_file import ResultsError, ResultsFile, header, read_results
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import this_process
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.playing import without_time

MATCHES = [Match(("random", "greedy:1"), GameConfig(), seed, r) for seed in range(8) for r in range(2)]


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    return play_matches(MATCHES)


@pytest.fixture
def full_file(tmp_path: Path, results: list[GameResult]) -> Path:
    """A results file with all games of `MATCHES`."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join([header(SPEC).to_line(), *(result.to_line() for result in results)]))
    return path


def test_every_line_of_the_file_is_plain_json(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run(MATCHES[:2], this_process, path)
    first, *games = [json.loads(line) for line in lines_of(path)]
    assert first["format"] == "pocketmars-games-2"
    assert {"pocketmars_env", "numpy", "numba", "sources"} < set(first)
    assert [game["match"]["seed"] for game in games] == [0, 0]
    assert games[0]["match"]["bots"] == ["random", "greedy:1"]
    assert games[0]["match"]["config"]["players"] == 2
    assert games[0]["match"]["config"]["handicap"] == 0
    assert len(games[0]["seconds"]) == len(games[0]["decisions"]) == 2


@pytest.mark.parametrize("cut", [1, 30, 400, 2500])
def test_a_stopped_run_goes_on_where_it_was_cut_off(
    full_file: Path, results: list[GameResult], cut: int
) -> None:
    content = full_file.read_bytes()[:-cut]
    full_file.write_bytes(content)
    kept = content[: content.rfind(b"\n") + 1]
    assert without_time(run(MATCHES, this_process, full_file)) == without_time(results)
    assert full_file.read_bytes().startswith(kept)
    assert len(lines_of(full_file)) == 1 + len(results)


def test_a_finished_run_is_not_played_again(full_file: Path, results: list[GameResult]) -> None:
    content = full_file.read_bytes()
    assert run(MATCHES, this_process, full_file) == results
    assert full_file.read_bytes() == content


def test_any_games_of_the_same_version_go_on_with_the_file(full_file: Path) -> None:
    content = full_file.read_bytes()
    more = [Match(("random",), GameConfig(mode="solo"), seed) for seed in range(3)]
    assert [result.match for result in run(more, this_process, full_file)] == more
    assert full_file.read_bytes().startswith(content)
    assert len(read_results(full_file)[1]) == len(MATCHES) + 3


@pytest.mark.parametrize("content", [b"", header(SPEC).to_line()[:20]])
def test_a_file_without_a_whole_header_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    run(MATCHES[:1], this_process, path)
    assert len(lines_of(path)) == 2


def changed_header(**changes: Any) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [line_of({**json.loads(lines[0]), **changes}), *lines[1:]]


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda lines: [b"My diary.\n", b"Dear diary,\n"], "is not a results file"),
        (lambda lines: [b"no end of line"], "is not a results file"),
        (lambda lines: lines[1:], "is not a results file"),
        (changed_header(format="pocketmars-bench-1"), "is not a results file"),
        (changed_header(more=1), "is not a results file"),
        (changed_header(format="pocketmars-games-1"), r"is not a results file: .*pocketmars-games-1"),
        (changed_header(pocketmars_env="9.9"), "another version .pocketmars_env: '9.9'"),
        (changed_header(sources="0"), "another version .sources: '0'"),
        (lambda lines: [*lines[:3], b"{}\n", *lines[3:]], "line 4 is damaged"),
        (lambda lines: [*lines[:3], lines[3][:-9] + b"\n", *lines[4:]], "line 4 is damaged"),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], "line 4 repeats a game"),
        (lambda lines: [*lines, b"garbage\n"], "line 18 is damaged"),
    ],
)
def test_a_file_that_cannot_be_continued_is_refused_unchanged(
    full_file: Path, spoil: Callable[[list[bytes]], list[bytes]], complaint: str
) -> None:
    content = b"".join(spoil(lines_of(full_file)))
    full_file.write_bytes(content)
    changed = full_file.stat().st_mtime_ns
    with pytest.raises(ResultsError, match=complaint):
        run(MATCHES, this_process, full_file)
    assert full_file.read_bytes() == content
    assert full_file.stat().st_mtime_ns == changed


@pytest.mark.parametrize("name", ["missing/results.jsonl", "."])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ResultsError, match=str(tmp_path)):
        run(MATCHES, this_process, tmp_path / name)


# --- two processes --------------------------------------------------------------------------------

HOLDING = """
import sys
from pathlib import Path
from pocketmars_agents.arena.results_file import ResultsFile
from pocketmars_env.games.pocket_mars.spec import SPEC
with ResultsFile(Path(sys.argv[1]), SPEC):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_two_processes_do_not_write_the_same_file(full_file: Path) -> None:
    command = [sys.executable, "-c", HOLDING, str(full_file)]
    content = full_file.read_bytes()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(ResultsError, match=str(full_file)):
            ResultsFile(full_file, SPEC)
        other.kill()
    assert full_file.read_bytes() == content
    ResultsFile(full_file, SPEC).__exit__(None, None, None)  # a killed process releases its lock


def test_a_file_system_without_locks_is_named(full_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lock(file: object) -> bool:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(results_file, "lock", lock)
    with pytest.raises(ResultsError, match="No locks available"):
        ResultsFile(full_file, SPEC)


# --- reading --------------------------------------------------------------------------------------


def test_a_file_of_another_version_can_be_read(full_file: Path, results: list[GameResult]) -> None:
    full_file.write_bytes(b"".join(changed_header(pocketmars_env="0.0")(lines_of(full_file))))
    versions, found = read_results(full_file)
    assert (versions.pocketmars_env, found) == ("0.0", results)


@pytest.mark.parametrize("content", [b"", b"diary\n", b"{}\n"])
def test_a_foreign_file_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=r"results\.jsonl"):
        read_results(path)
    with pytest.raises(ResultsError, match="missing"):
        read_results(tmp_path / "missing")
