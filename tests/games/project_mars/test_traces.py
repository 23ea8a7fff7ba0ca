"""Games recorded by another implementation of the rules: every decision and position must agree.

`tests/traces/README.md` describes the files and their format.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pocketmars_env.games.project_mars.game import Game

Line = dict[str, Any]

TRACES = Path(__file__).parents[2] / "traces" / "project_mars"
FILES = sorted(TRACES.glob("*.jsonl.gz"))
GAMES_RECORDED = 318


def games_in(file: Path) -> Iterator[list[Line]]:
    """Yield each game of a file as a list of its lines."""
    game: list[Line] = []
    with gzip.open(file, "rt", encoding="utf-8") as text:
        for line in map(json.loads, text):
            game.append(line)
            if line.get("over"):
                yield game
                game = []
    assert not game, f"{file.name} ends in the middle of a game"


def game_of(header: Line) -> Game:
    """Return the recorded game before its first decision."""
    deal, settings = header["deal"], {"mode": header["mode"]}
    if header["mode"] == "constructed":
        settings |= {f"deck_{seat}": deal["decklists"][seat] for seat in range(2)}
    return Game.from_deal(deal, seed=0, **settings)


def replay(lines: list[Line], place: str) -> None:
    """Play a recorded game, and compare every decision and position with the recording."""
    header, *decisions, end = lines
    game = game_of(header)
    for number, line in enumerate(decisions):
        at = f"{place}, decision {number}"
        assert (game.to_play, game.decision) == (line["asked"], line["decision"]), at
        assert game.legal() == line["legal"], at
        assert game.snapshot() == line["snapshot"], at
        game.stack_chance(line.get("shuffles", []), line.get("reveals", []))
        game.step(line["action"])
        assert not game._given, at
    assert game.over, place
    assert game.snapshot() == end["snapshot"], place
    assert (game.scores(), game.winners()) == (end["scores"], end["winners"]), place


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])
def test_recorded_games_come_out_the_same(file: Path) -> None:
    for number, lines in enumerate(games_in(file)):
        replay(lines, f"{file.name}, game {number}")


def test_all_recorded_games_are_there() -> None:
    texts = [gzip.decompress(file.read_bytes()) for file in FILES]
    assert sum(text.count(b'"deal"') for text in texts) == GAMES_RECORDED


def test_every_action_and_decision_occurs() -> None:
    lines = [line for file in FILES for game in games_in(file) for line in game[1:-1]]
    assert {action for line in lines for action in line["legal"]} == set(range(227))
    assert len({line["decision"] for line in lines}) == 9
