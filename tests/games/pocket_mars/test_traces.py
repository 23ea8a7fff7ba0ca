"""Games recorded by another implementation of the rules: every question and position must agree.

The files and their form are described in `tests/traces/README.md`.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pocketmars_env import Game

Line = dict[str, Any]

TRACES = Path(__file__).parents[2] / "traces"
FILES = sorted(TRACES.glob("*.jsonl.gz"))
GAMES_RECORDED = 540


def games_in(file: Path) -> Iterator[list[Line]]:
    """The games of a file, each as its lines."""
    game: list[Line] = []
    with gzip.open(file, "rt", encoding="utf-8") as text:
        for row in text:
            line = json.loads(row)
            game.append(line)
            if line.get("over"):
                yield game
                game = []
    assert not game, f"{file.name} ends in the middle of a game"


def replay(lines: list[Line], place: str) -> None:
    """Play a recorded game and compare everything at every line."""
    header, *questions, end = lines
    game = Game.from_deal(header["deal"], **header["config"], seed=0)
    for number, line in enumerate(questions):
        at = f"{place}, answer {number}"
        assert (game.to_play, game.decision) == (line["asked"], line["decision"]), at
        assert game.legal() == line["legal"], at
        assert game.snapshot() == line["snapshot"], at
        game.stack_shuffles(line.get("shuffles", []))
        game.step(line["action"])
    assert game.over, place
    assert game.snapshot() == end["snapshot"], place
    assert game.scores() == end["scores"], place
    assert game.winners() == end["winners"], place


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])
def test_recorded_games_come_out_the_same(file: Path) -> None:
    for number, lines in enumerate(games_in(file)):
        replay(lines, f"{file.name}, game {number}")


def test_all_recorded_games_are_there() -> None:
    texts = [gzip.decompress(file.read_bytes()) for file in FILES]
    assert sum(text.count(b'"deal"') for text in texts) == GAMES_RECORDED
