"""Replay games recorded by another implementation of the rules; see `tests/traces/README.md`."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pocketmars_env.core.game import Game, chance_of

TRACES = Path(__file__).parent / "traces"

Line = dict[str, Any]


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


def replay(game: Game, lines: list[Line], place: str) -> None:
    """Play a recorded game from its deal, and compare every decision and position with the recording."""
    _, *decisions, end = lines
    for number, line in enumerate(decisions):
        at = f"{place}, decision {number}"
        assert (game.to_play, game.decision) == (line["asked"], line["decision"]), at
        assert game.legal() == line["legal"], at
        assert game.snapshot() == line["snapshot"], at
        game.stack_chance(**chance_of(line))
        game.step(line["action"])
        assert not game._given, at
    assert game.over, place
    assert game.snapshot() == end["snapshot"], place
    assert (game.scores(), game.winners()) == (end["scores"], end["winners"]), place
