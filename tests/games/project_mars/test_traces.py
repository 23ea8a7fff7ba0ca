"""Games recorded by another implementation of the rules: every decision and position must agree.

`tests/traces/README.md` describes the files and their format.
"""

import gzip
from pathlib import Path

import pytest

from pocketmars_env.games.project_mars.game import Game
from tests.recorded_games import TRACES, Line, games_in, replay

FILES = sorted(TRACES.glob("project_mars/*.jsonl.gz"))
GAMES_RECORDED = 318


def game_of(header: Line) -> Game:
    """Return the recorded game before its first decision."""
    deal, settings = header["deal"], {"mode": header["mode"]}
    if header["mode"] == "constructed":
        settings |= {f"deck_{seat}": deal["decklists"][seat] for seat in range(2)}
    return Game.from_deal(deal, seed=0, **settings)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])
def test_recorded_games_come_out_the_same(file: Path) -> None:
    for number, lines in enumerate(games_in(file)):
        replay(game_of(lines[0]), lines, f"{file.name}, game {number}")


def test_all_recorded_games_are_there() -> None:
    texts = [gzip.decompress(file.read_bytes()) for file in FILES]
    assert sum(text.count(b'"deal"') for text in texts) == GAMES_RECORDED


def test_every_action_and_decision_occurs() -> None:
    lines = [line for file in FILES for game in games_in(file) for line in game[1:-1]]
    assert {action for line in lines for action in line["legal"]} == set(range(227))
    assert len({line["decision"] for line in lines}) == 9
