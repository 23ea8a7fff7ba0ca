"""Game transcripts: their format, and the errors that damaged lines raise."""

import pytest

from pocketmars_env import Game
from pocketmars_env.core.game_text import Move, move_of, parsed, text_of
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.fixed_play import play_on

TEXT = play_on(Game(players=2, seed=5), seed=5, most=8).to_text()
LINES = TEXT.splitlines()


def with_line(number: int, line: str | None) -> str:
    """Return the transcript with line `number` (counted from 1) replaced, or removed if `line` is None."""
    lines = LINES[: number - 1] + ([] if line is None else [line]) + LINES[number:]
    return "\n".join(lines) + "\n"


def test_a_text_begins_with_its_format_and_ends_with_comments() -> None:
    assert LINES[0] == "# Pocket Mars game, format 2"
    assert LINES[1].startswith('config {"players": 2, "mode": "multi"')
    assert LINES[2] == "seed 5"
    assert len(LINES) == 3 + 8 + 2
    assert LINES[-2].startswith("# <Game: multi, round ")
    assert LINES[-1].startswith("# scores [")


def test_a_record_gives_its_text_back() -> None:
    config, origin, moves = parsed(TEXT, SPEC)
    assert origin == {"seed": 5}
    assert config["players"] == 2
    assert len(moves) == 8
    assert text_of(SPEC, config, origin, moves, []).splitlines() == LINES[:-2]


DAMAGES = [
    ("", r"not a game's text: it must begin with '# Pocket Mars game, format 2', got ''"),
    ("hello", r"not a game's text: .* got 'hello'"),
    (with_line(1, "# Pocket Mars game, format 1"), r"not a game's text: .* got '# Pocket Mars .* 1'"),
    (with_line(2, "config {"), r"line 2 is damaged \(.*\): 'config \{'"),
    (with_line(3, "seed x"), r"line 3 is damaged"),
    (with_line(3, "sead 5"), r"line 3 is damaged"),
    (with_line(4, "0 PREP"), r"line 4 is damaged"),
    (with_line(4, "0 PREP 999 CARD(Comms 1)"), r"line 4 is damaged"),
    (with_line(4, "0 PREP 135 CARD(Comms 2)"), r"line 4 is damaged \(expected '0 PREP 135 .*Comms 1\)'\)"),
    (with_line(5, f"one{LINES[4][1:]}"), r"line 5 is damaged"),
    (with_line(6, ""), r"line 6 is damaged"),
]


@pytest.mark.parametrize(("text", "message"), DAMAGES, ids=[message for _, message in DAMAGES])
def test_damaged_texts_name_the_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parsed(text, SPEC)
    with pytest.raises(ValueError, match=message):
        Game.from_text(text)


MISFITS = [
    (with_line(3, "seed -1"), r"seed must be None or an integer in 0\.\.2\*\*64-1, got -1"),
    (with_line(3, "seed 6"), r"PREP .*(is illegal in|at this point)"),
    (with_line(4, None), r"(is illegal in|at this point)"),
    (
        with_line(4, "0 TURN 76 LAUNCH"),
        r"0 TURN 76 LAUNCH'?: at this point, the game is <Game: multi, .* PREP>",
    ),
    (with_line(2, 'config {"players": 9}'), r"players must be 2, 3 or 4"),
    (with_line(2, 'config {"planets": 2}'), "planets"),
    (with_line(2, None), "settings"),
    (with_line(3, None), "origin"),
]


@pytest.mark.parametrize(("text", "message"), MISFITS, ids=[message for _, message in MISFITS])
def test_texts_that_do_not_fit_the_rules_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.from_text(text)


def test_comments_are_skipped() -> None:
    assert Game.from_text(with_line(5, f"# a comment\n{LINES[4]}")).to_text() == TEXT


def test_a_move_in_words() -> None:
    move = Move(1, "TURN", 71)
    assert move.line(SPEC) == "1 TURN 71 PLAY_OTHER(seat +1, slot 1)"
    assert move_of(move.line(SPEC), SPEC) == move
