"""Helpers that press keys in the terminal program and read its screen."""

import asyncio
import html
import re
import tempfile
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from textual.pilot import Pilot

from pocketmars_agents.play.links_file import LinksFile
from pocketmars_agents.play.saved_games import Autosave
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.terminal.app import PlayApp
from pocketmars_agents.play.terminal.panels import Choices
from pocketmars_env import View

Drive = Callable[[Pilot[None]], Awaitable[None]]
SMALL, LARGE = (80, 24), (120, 40)
SECONDS = 8.0
"""The time limit for a test that waits for the screen, in seconds."""


def drive(session: Session, how: Drive, save: Path | None = None, size: tuple[int, int] = SMALL) -> PlayApp:
    """Run the program without a terminal while `how` operates it, and return the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = save or Path(folder) / "game.json"
        with closing(Autosave(session, LinksFile(path))) as autosave:
            app = PlayApp(autosave)

            async def run() -> None:
                async with app.run_test(size=size, notifications=True) as pilot:
                    await settled(pilot)
                    await how(pilot)

            asyncio.run(run())
    return app


def driven(
    make: Callable[[], Session], size: tuple[int, int] = SMALL
) -> Callable[[Callable[[Pilot[None], Session], Awaitable[None]]], Callable[[], None]]:
    """Decorate a test so that it gets the running program and a new session."""

    def decorate(how: Callable[[Pilot[None], Session], Awaitable[None]]) -> Callable[[], None]:
        def test() -> None:
            session = make()
            drive(session, lambda pilot: how(pilot, session), size=size)

        return test

    return decorate


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until the program has no more work to do."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def until(pilot: Pilot[Any], holds: Callable[[], bool]) -> None:
    """Wait until `holds()` is true; fail after `SECONDS`."""
    for _ in range(int(SECONDS / 0.02)):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError(words_on(pilot))


async def sees(pilot: Pilot[Any], *words: str, where: str | None = None) -> None:
    """Wait until all words are on the screen, or in the part that the selector `where` names."""
    await until(pilot, lambda: all(bare(part) in bare(words_on(pilot, where)) for part in words))


def bare(words: str) -> str:
    """Remove spaces, line breaks and borders, since lines may be broken anywhere."""
    return re.sub(r"[\s│─╭╮╰╯▁▂▃▄▅▆▇▎▊]", "", words)


def words_on(pilot: Pilot[Any], where: str | None = None) -> str:
    """Return the text of the screen or of a part of it, with every character in its line and column."""
    lines: dict[int, str] = defaultdict(str)
    for x, line, words in TEXTS.findall(pilot.app.export_screenshot()):
        column = round(float(x) / CHARACTER_WIDTH)
        lines[int(line)] = lines[int(line)].ljust(column) + html.unescape(words).replace("\xa0", " ").rstrip(
            "\n"
        )
    shown = [lines[line] for line in sorted(lines)]
    if where is not None:
        part = pilot.app.screen.query_one(where).region
        shown = [line[part.x : part.right] for line in shown[part.y : part.bottom]]
    return "\n".join(shown)


TEXTS = re.compile(r'<text[^>]* x="([\d.]+)"[^>]*-line-(\d+)\)">([^<]*)</text>')
CHARACTER_WIDTH = 12.2
"""The width of a character in an exported screenshot."""


def choices_on(pilot: Pilot[Any]) -> int:
    """Return the number of choices on the screen."""
    return pilot.app.screen.query_one(Choices).option_count


class Waiting:
    """A bot that plays only while its event `let_go` is set."""

    name = "waiting"

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.let_go.set()

    def act(self, view: View, rng: np.random.Generator) -> int:
        assert self.let_go.wait(SECONDS)
        return view.legal[0]


def waiting_in(session: Session) -> Waiting:
    """Return the `Waiting` of a session, in a seat or for hints."""
    seating = session.seating
    return next(bot for bot in (*seating.bots.values(), seating.hint) if isinstance(bot, Waiting))
