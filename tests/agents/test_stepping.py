"""Stepping through a replay: keys move the place, and only that."""

import io
import os

import pytest
from rich.console import Console

from pocketmars_agents.cli.keys import read_keys
from pocketmars_agents.cli.stepping import KEYS, listing, meaning_of, step_through
from pocketmars_env import Game
from pocketmars_env.replays import Replay
from pocketmars_env.replays.moves import moves_of
from tests.fixed_play import play_on

REPLAY = Replay.of(play_on(Game(seed=1), 1, 12), ["Ada", "greedy"])
NEXT, BACK, END, HOME = "\x1b[C", "\x1b[D", "\x1b[F", "\x1b[H"


def places_shown(*keys: str, viewpoint: int | None = None) -> list[int]:
    return [int(line.split(" of 12 ")[0]) for line in shown(*keys, viewpoint=viewpoint) if " of 12 " in line]


def shown(*keys: str, viewpoint: int | None = None) -> list[str]:
    """All lines that the terminal got."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, color_system=None, width=120, height=50)
    step_through(REPLAY, viewpoint, console, iter(keys))
    return file.getvalue().splitlines()


def test_keys_step_and_jump_and_never_leave_the_game() -> None:
    assert places_shown(BACK, NEXT, NEXT, BACK, "x", END, NEXT, BACK, HOME) == [
        0,
        0,
        1,
        2,
        1,
        1,
        12,
        12,
        11,
        0,
    ]


def test_quit_ends_it_and_so_does_the_end_of_the_input() -> None:
    assert places_shown(NEXT, "q", NEXT) == [0, 1]
    assert places_shown() == [0]


def test_the_screen_shows_the_last_moves_and_the_table_of_the_viewpoint() -> None:
    moves = [str(move) for move in moves_of(REPLAY, 0)]
    screen = "\n".join(shown(END, viewpoint=0))
    for move in moves[-3:]:
        assert move in screen
    assert "as player_0 sees it" in screen
    assert "all cards are shown" in "\n".join(shown())


@pytest.mark.parametrize("does", KEYS)
def test_every_key_means_one_thing(does: str) -> None:
    for key in KEYS[does]:
        assert meaning_of(key) == does
    assert meaning_of("x") == meaning_of("") == ""


def test_keys_that_come_together_are_told_apart() -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b"\x1b[C\x1bOCq \x1b[1~\xc3\xa4\x1b")
        os.close(writing)
        assert list(read_keys(reading)) == ["\x1b[C", "\x1bOC", "q", " ", "\x1b[1~", "ä", "\x1b"]
    finally:
        os.close(reading)


def test_without_a_terminal_all_moves_and_the_points_are_listed() -> None:
    lines = listing(REPLAY, None).splitlines()
    assert lines[:-1] == [str(move) for move in moves_of(REPLAY)]
    scores = REPLAY.final().scores()
    assert lines[-1] == f"The game was left here: player_0 (Ada) {scores[0]}, player_1 (greedy) {scores[1]}"
    finished = Replay.of(play_on(Game(mode="solo", seed=1), 1))
    points = finished.final().scores()
    assert listing(finished, 0).splitlines()[-1] == f"Game over: player_0 {points[0]}, da_0 {points[1]} wins"
