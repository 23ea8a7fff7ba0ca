"""Damaged files and messages of every format are read or refused.

Nothing that they name is imported or opened.
"""

import asyncio
import builtins
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from baselines.results import ResultError, RunResult, read_file
from pocketmars_agents.arena import results_file
from pocketmars_agents.arena.results_file import ResultsError, ResultsFile, read_results
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import this_process
from pocketmars_agents.games.pocket_mars.bench import Plan, bench_table
from pocketmars_agents.ladder.rows import FOLDER, all_divisions, path_of, read_rows
from pocketmars_agents.line_protocol import messages
from pocketmars_agents.line_protocol.engine import Engine
from pocketmars_agents.llm import chat
from pocketmars_agents.network.policy_card import read_card
from pocketmars_agents.play.links_file import LinksFile, links_of
from pocketmars_agents.play.web.server import ForAction, ForNewGame, json_in
from pocketmars_agents.registry import canonical_name, make_agent, needs_trust
from pocketmars_env import Game
from pocketmars_env.core import game as core
from pocketmars_env.core.compiled.kernel_cache import cache_root
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.project_mars.game import Game as Duel
from pocketmars_env.replays import Replay
from pocketmars_env.replays.file_format import to_bytes
from pocketmars_training.common.run_folder import RunError, read_settings
from tests.fixed_play import play_on
from tests.fuzz.amounts import inputs
from tests.fuzz.damage import Rng, damaged, damaged_line, try_all

CANARY = "canary_bot"
BASELINE = Path(__file__).parents[2] / "training/baselines/solo/maskable_ppo/1000000/1.json"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder with canary files, and check that only the inputs were opened."""
    (tmp_path / f"{CANARY}.py").write_text("class Bot:\n    name = 'bot'\n    act = print\n")
    (tmp_path / f"{CANARY}.onnx").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    games()  # compiles kernels, which opens other files
    importlib.import_module("scipy.stats")  # would otherwise be imported at its first use
    results_lines()
    fingerprint = results_file.source_fingerprint
    monkeypatch.setattr(results_file, "source_fingerprint", cache(fingerprint))  # reads many files
    opened = set[str]()
    for module, name in ((os, "open"), (builtins, "open")):
        monkeypatch.setattr(module, name, watched(getattr(module, name), opened))
    yield tmp_path
    assert CANARY not in sys.modules
    found = {Path(path) for path in opened if not Path(path).is_relative_to(cache_root())}
    assert {path.name for path in found} <= {"input", "input.links", "settings.json", "project-mars.jsonl"}


def watched(function: Any, opened: set[str]) -> Any:
    def opening(path: Any, *arguments: Any, **options: Any) -> Any:
        opened.add(str(path))
        return function(path, *arguments, **options)

    return opening


class Format(NamedTuple):
    """Sound inputs of a format, the code that reads an input, and the exception with which it refuses one."""

    samples: list[bytes]
    read: Callable[[bytes], object]
    refusal: type[Exception] = ValueError


# --- files ------------------------------------------------------------------------------------------------


@cache
def results_lines() -> bytes:
    """Return the content of a small results file."""
    path = Path("input").absolute()
    run(Plan(("random",), ("cyborg",), 1, handicaps=(0, 6)).matches(), this_process, path)
    failing = Plan(("tests.agents.bots:Raising",), ("cyborg",), 1, seconds_per_decision=9.0, handicaps=(0,))
    run(failing.matches(), this_process, path)
    return path.read_bytes()


def results(path: Path) -> Format:
    """A run leaves a refused file unchanged, and removes at most a torn last line from an accepted one."""

    def read(content: bytes) -> None:
        path.write_bytes(content)
        try:
            with ResultsFile(path, SPEC) as file:
                assert len(file.finished) == path.read_bytes().count(b"\n") - 1
            assert content.startswith(path.read_bytes()) or results_lines().startswith(content)
        except ResultsError:
            assert path.read_bytes() == content
        _, found = read_results(path)
        bench_table(found)

    return Format([results_lines()], read)


def ladder(path: Path) -> Format:
    division = all_divisions()["project-mars"]
    rows = path_of(FOLDER, division).read_bytes()

    def read(content: bytes) -> None:
        path_of(path.parent, division).write_bytes(content)
        read_rows(path.parent, division)

    return Format([rows], read)


@cache
def games() -> list[core.Game]:
    """Return games of both packages that start from a seed, a deal or a position."""
    deal = {"hands": [[0, 1, 2, 3], [4, 5, 6, 7]], "deck": list(range(8, 35)), "starting_seat": 1}
    starts = [
        Game(seed=1),
        Game(mode="solo", level="cyborg", seed=3),
        Game.from_deal(deal, seed=3, shuffles=[[33, 34]]),
        Duel(seed=5),
    ]
    starts += [type(game).from_state(play_on(game.clone(), 3, 30).states) for game in (starts[1], starts[3])]
    return [play_on(game, 2, 20) for game in starts]


def replays(path: Path) -> Format:
    def read(content: bytes) -> None:
        try:
            data = json.loads(content)
        except (ValueError, RecursionError):
            data = None
        if isinstance(data, dict):
            content = to_bytes(data)  # with a matching checksum
        replay = Replay.from_bytes(content)
        assert Replay.from_bytes(to_bytes(replay.as_dict())) == replay

    return Format([json.dumps(Replay.of(game).as_dict()).encode() for game in games()], read)


def texts_of_games(path: Path) -> Format:
    return Format(
        [game.to_text().encode() for game in games()[:3]], lambda content: Game.from_text(content.decode())
    )


def links(path: Path) -> Format:
    line = {
        "format": "pocketmars-links",
        "version": 1,
        "tokens": {"player_0": "A" * 22, "player_1": "B" * 22},
    }
    line |= {
        "names": {"player_0": "Ada"},
        "port": 8000,
        "game": "input",
        "settings": {"bot": "multi", "draft": True},
    }

    def read(content: bytes) -> None:
        links_of(path).write_bytes(content)
        file = LinksFile(path)
        file.close()
        assert file.replay.parent == path.parent

    return Format([json.dumps(line).encode() + b"\n"], read)


def run_settings(path: Path) -> Format:
    settings = {
        "rules_version": 1,
        "seed": 1,
        "start": "multi.onnx",
        "kinds": [{"players": 2}],
        "learning_rate": 1e-3,
    }

    def read(content: bytes) -> None:
        path.with_name("settings.json").write_bytes(content)
        read_settings(path.parent, "")

    return Format([json.dumps(settings).encode()], read, RunError)


def baselines(path: Path) -> Format:
    def read(content: bytes) -> None:
        path.write_bytes(content)
        read_file(path, RunResult)

    return Format([json.dumps(json.loads(BASELINE.read_bytes())).encode()], read, ResultError)


def policy_cards(path: Path) -> Format:
    card = {
        "ladder": {"share": 0.5},
        "settings": {"layers": 2, "width": None},
        "start": {"settings": {"width": 9}},
    }

    def read(content: bytes) -> None:
        json.dumps(read_card(content.decode(errors="replace")))  # a damaged card is empty

    return Format([json.dumps(card).encode()], read, NotImplementedError)


# --- messages ---------------------------------------------------------------------------------------------


def requests_to_an_engine(path: Path) -> Format:
    view = Game(seed=1).view()
    hello, new_game = messages.line_of(messages.hello(SPEC)), messages.line_of(messages.new_game(1, view))
    decision = messages.line_of(messages.decision(5, 1, view, 7, 60.0, ("position",)))

    def read(content: bytes) -> None:
        engine = Engine("random")
        engine.answer(hello)
        engine.answer(new_game)
        engine.answer(content)

    return Format([hello, new_game, decision, decision, decision], read, messages.ProtocolError)


def replies_of_bots(path: Path) -> Format:
    ready = {"type": "ready", "protocol": 1, "name": "bot", "fields": ["text", "view"]}
    action = {"type": "action", "id": 5, "action": 7, "value": 0.5}

    def read(content: bytes) -> None:
        if b"ready" in content:
            messages.reply_of(content, messages.Ready)
        else:
            messages.answer_of(content, 5, [6, 7])

    return Format([messages.line_of(ready), messages.line_of(action)], read, messages.ProtocolError)


def web_requests(path: Path) -> Format:
    new_game = {"version": 3, "settings": {"bot": "multi", "players": 2, "draft": True}}

    def read(content: bytes) -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": content}

        request = Request({"type": "http", "method": "POST", "headers": []}, receive)
        asyncio.run(json_in(request, ForNewGame if b"settings" in content else ForAction))

    return Format(
        [json.dumps(data).encode() for data in (new_game, {"version": 3, "action": 7})], read, HTTPException
    )


def responses_of_models(path: Path) -> Format:
    text, parts = "ACTION: 5", [{"type": "text", "text": "ACTION: 5"}]
    samples = [
        json.dumps({"choices": [{"message": {"content": content}}], "usage": {"prompt_tokens": 9}}).encode()
        for content in (text, parts)
    ]

    def read(content: bytes) -> None:
        with pytest.MonkeyPatch.context() as changes:
            changes.setattr(chat, "post", lambda *arguments: (200, None, content.decode(errors="replace")))
            assert isinstance(chat.complete("http://localhost", {}, 1.0).text, str)

    return Format(samples, read, chat.ServerError)


def names_of_bots(path: Path) -> Format:
    names = (
        "random", "greedy:32", "planner", "ismcts:100:rollout=random:objective=score:exploration=0.5",
        "table:sample", "puct:0.5s:temperature=2", f"puct:9:policy={CANARY}.onnx",
        f"{CANARY}:Bot", f"{CANARY}.onnx:sample",
    )  # fmt: skip

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

    return Format([name.encode() for name in names], read)


FORMATS = (
    results, ladder, replays, texts_of_games, links, run_settings, baselines, policy_cards,
    requests_to_an_engine, replies_of_bots, web_requests, responses_of_models, names_of_bots,
)  # fmt: skip


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
def test_damaged_inputs_are_read_or_refused_in_one_line(make: Callable[[Path], Format], folder: Path) -> None:
    samples, read, refusal = make(folder / "input")
    for sample in samples:
        read(sample)

    def change(rng: Rng) -> bytes:
        sample = samples[int(rng.integers(len(samples)))]
        if rng.random() < 0.2:
            return damaged(sample, rng)
        lines = sample.splitlines(keepends=True)
        number = int(rng.integers(len(lines)))
        lines[number] = damaged_line(lines[number], rng)
        return b"".join(lines)

    try_all(inputs(300), 1, change, read, refusal)


def make_fifo(path: Path) -> None:
    os.mkfifo(path) if hasattr(os, "mkfifo") else pytest.skip("no named pipes")


@pytest.mark.parametrize("make", [os.mkdir, make_fifo, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_regular_file_is_refused(folder: Path, make: Any) -> None:
    path = folder / "input"
    make(path)
    with pytest.raises(ResultsError):
        read_results(path)
    with pytest.raises(ResultsError):
        ResultsFile(path, SPEC)
    with pytest.raises(ValueError):  # noqa: PT011  # any message
        Replay.load(path)
