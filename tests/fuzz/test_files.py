"""Damaged files are read or refused, and nothing that they name is imported or opened."""

import builtins
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import ResultsError, ResultsFile, read_results
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import this_process
from pocketmars_agents.games.pocket_mars.bench import Plan, bench_table
from pocketmars_agents.games.pocket_mars.leaderboard import (
    add_to_leaderboard,
    entries_of,
    header_line,
    read_leaderboard,
)
from pocketmars_agents.games.pocket_mars.leaderboard_table import leaderboard_table
from pocketmars_agents.games.pocket_mars.suites import DA_2
from pocketmars_agents.registry import canonical_name, make_agent, needs_trust
from pocketmars_env import Game
from pocketmars_env.core.compiled.kernel_cache import cache_root
from pocketmars_env.core.game_text import parsed
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.replays import Replay
from pocketmars_env.replays.file_format import checksum, to_bytes
from tests.fixed_play import play_on
from tests.fuzz.amounts import inputs
from tests.fuzz.damage import Rng, damaged, damaged_json, mutations_of, try_all

CANARY = "canary_bot"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder with canary files, then check that only results and leaderboard files were opened."""
    (tmp_path / f"{CANARY}.py").write_text("class Bot:\n    name = 'bot'\n    act = print\n")
    (tmp_path / f"{CANARY}.onnx").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    opened: list[str] = []
    for module, name in ((os, "open"), (builtins, "open")):
        monkeypatch.setattr(module, name, watched(getattr(module, name), opened))
    yield tmp_path
    assert CANARY not in sys.modules
    found = {Path(path) for path in opened if not Path(path).is_relative_to(cache_root())}
    assert {path.name for path in found} <= {"raw.jsonl", "board.jsonl"}


def watched(function: Any, opened: list[str]) -> Any:
    def opening(path: Any, *arguments: Any, **options: Any) -> Any:
        opened.append(str(path))
        return function(path, *arguments, **options)

    return opening


# --- results and leaderboards -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the lines of a small results file."""
    path = tmp_path_factory.mktemp("raw") / "raw.jsonl"
    run(Plan(("random",), ("cyborg",), 3, handicaps=(0, 6)).matches(), this_process, path)
    failing = Plan(("tests.agents.bots:Raising",), ("cyborg",), 1, seconds_per_decision=9.0, handicaps=(0,))
    run(failing.matches(), this_process, path)
    return path.read_bytes().splitlines(keepends=True)


def lines_with_damage(lines: list[bytes], rng: Rng) -> bytes:
    """Return the joined lines after damage, in most cases to the values of one line."""
    if rng.random() < 0.2:
        return damaged(b"".join(lines), rng)
    number = int(rng.integers(len(lines)))
    changed = damaged_json(lines[number].strip(), rng) + b"\n"
    return b"".join([*lines[:number], changed, *lines[number + 1 :]])


def test_results(folder: Path, raw: list[bytes]) -> None:
    path = folder / "raw.jsonl"

    def read(content: bytes) -> None:
        path.write_bytes(content)
        _, results = read_results(path)
        bench_table(results)
        leaderboard_table(entries_of([path], DA_2))

    make = lambda rng: lines_with_damage(raw, rng)  # noqa: E731
    accepted = try_all(inputs(600), 1, make, read)
    assert accepted > 0  # a torn last line or a changed number is accepted


def test_results_that_are_gone_on_with(folder: Path, raw: list[bytes]) -> None:
    """A refused file is left unchanged; an accepted one loses at most a torn last line."""
    path = folder / "raw.jsonl"

    def read(content: bytes) -> None:
        path.write_bytes(content)
        try:
            with ResultsFile(path, SPEC) as file:
                assert len(file.finished) == path.read_bytes().count(b"\n") - 1
        except ResultsError:
            assert path.read_bytes() == content
            raise
        assert content.startswith(path.read_bytes()) or raw[0].startswith(content)

    try_all(inputs(300), 2, lambda rng: lines_with_damage(raw, rng), read)


def test_leaderboard(folder: Path, raw: list[bytes]) -> None:
    (folder / "raw.jsonl").write_bytes(b"".join(raw))
    path = folder / "board.jsonl"
    entries = entries_of([folder / "raw.jsonl"], DA_2)
    lines = [header_line(DA_2), *(entry.to_line() for entry in entries)]

    def read(content: bytes) -> None:
        path.write_bytes(content)
        leaderboard_table(read_leaderboard(path, DA_2))

    try_all(inputs(600), 3, lambda rng: lines_with_damage(lines, rng), read)


# --- games ------------------------------------------------------------------------------------------

DEAL = {"hands": [[0, 1, 2, 3], [4, 5, 6, 7]], "deck": list(range(8, 35)), "starting_seat": 1}
GAMES = (
    play_on(Game(seed=1), seed=2, most=40),
    play_on(Game(mode="solo", level="cyborg", seed=3), seed=2, most=40),
    play_on(Game.from_deal(DEAL, seed=3, shuffles=[[33, 34]]), seed=2, most=40),
)
"""Games that start from a seed or a deal; snapshots are tested in `test_positions.py`."""


def test_replays(folder: Path) -> None:
    replays = [Replay.of(game).as_dict() for game in GAMES]

    def make(rng: Rng) -> bytes:
        data = replays[int(rng.integers(len(replays)))]
        if rng.random() < 0.5:
            return damaged_json(to_bytes(data), rng)
        changed = mutations_of(data, rng)
        changed = changed if isinstance(changed, dict) else {"format": changed}
        return json.dumps({**changed, "checksum": checksum(changed)}).encode()

    def read(content: bytes) -> None:
        replay = Replay.from_bytes(content)
        assert Replay.from_bytes(to_bytes(replay.as_dict())) == replay

    try_all(inputs(1_000), 4, make, read)


def test_transcripts(folder: Path) -> None:
    texts = [game.to_text().splitlines(keepends=True) for game in GAMES]

    def make(rng: Rng) -> bytes:
        lines = list(texts[int(rng.integers(len(texts)))])
        number = int(rng.integers(1, 3) if rng.random() < 0.6 else rng.integers(len(lines)))
        key, space, value = lines[number].partition(" ")
        if key in ("config", "deal", "seed", "shuffles") and rng.random() < 0.8:
            lines[number] = key + space + damaged_json(value.encode(), rng).decode(errors="replace") + "\n"
        else:
            lines[number] = damaged(lines[number].encode(), rng).decode(errors="replace")
        return "".join(lines).encode()

    def read(content: bytes) -> None:
        text = content.decode()
        parsed(text, SPEC)
        Game.from_text(text)

    try_all(inputs(1_000), 5, make, read)


# --- names ------------------------------------------------------------------------------------------

NAMES = (
    "random", "greedy:32", "planner", "ismcts:100:rollout=random:objective=score:exploration=0.5",
    "table:sample", "puct:0.5s:temperature=2", f"puct:9:policy={CANARY}.onnx",
    f"{CANARY}:Bot", f"{CANARY}.onnx:sample",
)  # fmt: skip


def test_names(folder: Path) -> None:
    def make(rng: Rng) -> bytes:
        return damaged(NAMES[int(rng.integers(len(NAMES)))].encode(), rng)

    def read(content: bytes) -> None:
        name = content.decode(errors="surrogateescape")
        try:
            canonical = canonical_name(name)
        except ValueError:
            with pytest.raises(ValueError):  # noqa: PT011  # any message
                make_agent(name)
            raise
        assert canonical_name(canonical) == canonical
        assert needs_trust(name) == needs_trust(canonical)

    try_all(inputs(5_000), 6, make, read)


# --- the findings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["[" * 100_000, "[" * 500 + "]" * 500, "1" + "0" * 400, "NaN", "1e999"])
@pytest.mark.parametrize("key", ["scores", "seconds", "match"])
def test_a_value_of_no_game(folder: Path, raw: list[bytes], key: str, value: str) -> None:
    """Deeply nested lists and huge numbers raise a ValueError, not a RecursionError or OverflowError."""
    data = json.loads(raw[1])
    line = json.dumps({**data, key: "HERE"}).replace(
        '"HERE"', value if key == "match" else f"[{value}, {value}]"
    )
    with pytest.raises(ValueError):  # noqa: PT011  # any message
        GameResult.from_line(line.encode() + b"\n", SPEC)
    path = folder / "raw.jsonl"
    path.write_bytes(raw[0] + line.encode() + b"\n")
    with pytest.raises(ResultsError, match="line 2"):
        read_results(path)


@pytest.mark.parametrize("line", ["config", "seed", "deal", "shuffles"])
def test_deep_lists_in_a_transcript(line: str) -> None:
    text = GAMES[0].to_text().replace("seed ", f"{line} {'[' * 100_000}\nseed ", 1)
    with pytest.raises(ValueError, match="line 3"):
        Game.from_text(text)


def test_deep_lists_in_a_replay() -> None:
    content = to_bytes({**Replay.of(GAMES[0]).as_dict(), "actions": "HERE"})
    with pytest.raises(ValueError):  # noqa: PT011  # any message
        Replay.from_bytes(content.replace(b'"HERE"', b"[" * 100_000))
    with pytest.raises(ValueError):  # noqa: PT011  # any message
        Replay.from_bytes(content.replace(b'"HERE"', b"[" * 300 + b"]" * 300))


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_file(folder: Path, make: Any) -> None:
    path = folder / "raw.jsonl"
    make(path)
    with pytest.raises(ResultsError):
        read_results(path)
    with pytest.raises(ResultsError):
        ResultsFile(path, SPEC)
    with pytest.raises(ResultsError):
        read_leaderboard(path, DA_2)
    with pytest.raises(ValueError):  # noqa: PT011  # any message
        Replay.load(path)
    with pytest.raises(ResultsError):
        add_to_leaderboard(path, DA_2, [], 0)
