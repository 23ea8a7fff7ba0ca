"""Golden games of Project Mars, which must not change unless the rules do.

``python -m tests.games.project_mars.test_golden`` regenerates them. Do so only after changing a rule on
purpose.
"""

from pathlib import Path

import pytest

from pocketmars_env.games.project_mars.game import Game
from tests.fixed_play import play_on
from tests.games.project_mars.modes import MODES

GOLDEN = Path(__file__).parents[2] / "golden" / "project_mars"
SEED = 2018


def golden_game(mode: str) -> Game:
    """Play a complete game of a mode with fixed choices of actions."""
    return play_on(Game(**MODES[mode], seed=SEED), SEED)


@pytest.mark.parametrize("mode", MODES)
def test_golden_games_are_played_again(mode: str) -> None:
    text = (GOLDEN / f"{mode}.txt").read_text(encoding="utf-8")
    game = golden_game(mode)
    assert game.over
    assert game.to_text() == text
    assert Game.from_text(text).to_bytes() == game.to_bytes()


def test_golden_files_and_modes_are_the_same() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(MODES)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name in MODES:
        (GOLDEN / f"{name}.txt").write_text(golden_game(name).to_text(), encoding="utf-8")
