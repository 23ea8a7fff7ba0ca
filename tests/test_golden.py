"""Games and counts that must never change unless the rules do.

``python -m tests.test_golden`` regenerates the files of `tests/golden/`. Do so only after a rule was
changed on purpose, and look at the diff: it shows what the change does.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.core import game as core
from pocketmars_env.core.game_spec import game_named
from tests.fixed_play import play_fixed, play_on
from tests.modes import MODES
from tests.text_interface.games import KINDS

pytestmark = pytest.mark.smoke

GOLDEN = Path(__file__).parent / "golden"
COUNTS = GOLDEN / "counts.json"
SEED = 2018

COUNTED_FROM = (0, 10, 100)
"""Sequences of actions are counted from the first TURN decision after this many actions."""
DEPTH = 4


def golden_game(kind: str) -> Any:
    """Return a finished game of a kind, played by a fixed rule."""
    name, settings = KINDS[kind]
    return play_on(core.Game(game_named(name), **settings, seed=SEED), SEED)


def golden_file(kind: str) -> Path:
    return GOLDEN / f"{kind.replace('-', '/', 1)}.txt"


def count_sequences(game: Game, depth: int) -> int:
    """Count the legal sequences of `depth` actions; a finished game has one, the empty sequence."""
    if depth == 0 or game.over:
        return 1
    number = 0
    for action in game.legal:
        following = game.clone()
        following.step(action)
        number += count_sequences(following, depth - 1)
    return number


def counts(mode: str) -> dict[str, list[int]]:
    """Count the sequences of 1, 2, ... DEPTH actions from some turns of a mode's golden game."""
    found = {}
    game = Game(**MODES[mode], seed=SEED)
    waiting = list(COUNTED_FROM)
    for answers, _ in enumerate(play_fixed(game, SEED), start=1):
        if waiting and answers >= waiting[0] and game.decision == "TURN":
            waiting.pop(0)
            found[f"after {answers} answers"] = [count_sequences(game, d + 1) for d in range(DEPTH)]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_golden_games_are_played_again(kind: str) -> None:
    text = golden_file(kind).read_text(encoding="utf-8")
    game = golden_game(kind)
    assert game.over
    assert game.to_text() == text
    again = core.Game.from_text(text, game.spec)
    assert again.to_bytes() == game.to_bytes()
    assert again.to_text() == text


@pytest.mark.parametrize("mode", MODES)
def test_sequences_of_actions_are_as_many_as_ever(mode: str) -> None:
    assert counts(mode) == json.loads(COUNTS.read_text(encoding="utf-8"))[mode]


def test_golden_files_and_modes_are_the_same() -> None:
    assert set(GOLDEN.rglob("*.txt")) == {golden_file(kind) for kind in KINDS}


def regenerate() -> None:
    """Regenerate all golden files."""
    for kind in KINDS:
        golden_file(kind).parent.mkdir(parents=True, exist_ok=True)
        golden_file(kind).write_text(golden_game(kind).to_text(), encoding="utf-8")
    text = json.dumps({mode: counts(mode) for mode in MODES}, indent=2)
    COUNTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    regenerate()
