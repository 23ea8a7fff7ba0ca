"""Games recorded by another implementation of the rules: every decision and position must agree.

`tests/traces/README.md` describes the files and their format.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pocketmars_env import Game
from tests.modes import AMOUNTS

TRACES = Path(__file__).parents[2] / "traces"
FILES = sorted(TRACES.glob("*.jsonl.gz"))
GAMES_RECORDED = 540


def games_in(file: Path) -> Iterator[list[str]]:
    """Yield each game of a file as a list of lines; a line with a deal begins a game."""
    game: list[str] = []
    with gzip.open(file, "rt", encoding="utf-8") as text:
        for line in text:
            if '"deal"' in line and game:
                yield game
                game = []
            game.append(line)
    yield game


def replay(game_lines: list[str], place: str) -> None:
    """Play a recorded game, and compare every decision and position with the recording."""
    header, *questions, end = map(json.loads, game_lines)
    game = Game.from_deal(header["deal"], **header["config"], seed=0)
    for number, line in enumerate(questions):
        at = f"{place}, answer {number}"
        assert (game.to_play, game.decision) == (line["asked"], line["decision"]), at
        assert game.legal() == line["legal"], at
        assert game.snapshot() == line["snapshot"], at
        game.stack_shuffles(line.get("shuffles", []))
        game.step(line["action"])
    assert game.over, place
    assert end["over"], place
    assert game.snapshot() == end["snapshot"], place
    assert game.scores() == end["scores"], place
    assert game.winners() == end["winners"], place


@AMOUNTS
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])
def test_recorded_games_come_out_the_same(file: Path, share: float) -> None:
    for number, lines in enumerate(games_in(file)):
        if number % round(1 / share) == 0:
            replay(lines, f"{file.name}, game {number}")


def test_all_recorded_games_are_there() -> None:
    texts = [gzip.decompress(file.read_bytes()) for file in FILES]
    assert sum(text.count(b'"deal"') for text in texts) == GAMES_RECORDED
