"""Games recorded by another implementation of the rules: every decision and position must agree.

`tests/traces/README.md` describes the files and their format.
"""

import gzip
from pathlib import Path

import pytest

from pocketmars_env import Game
from tests.recorded_games import TRACES, games_in, replay

FILES = sorted(TRACES.glob("*.jsonl.gz"))
GAMES_RECORDED = 540


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in (1, 2, 3))])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])
def test_recorded_games_come_out_the_same(file: Path, part: int) -> None:
    for number, lines in enumerate(games_in(file)):
        if number % 4 == part:
            game = Game.from_deal(lines[0]["deal"], **lines[0]["config"], seed=0)
            replay(game, lines, f"{file.name}, game {number}")


def test_all_recorded_games_are_there() -> None:
    texts = [gzip.decompress(file.read_bytes()) for file in FILES]
    assert sum(text.count(b'"deal"') for text in texts) == GAMES_RECORDED
