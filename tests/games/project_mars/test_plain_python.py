"""Recorded games come out the same in plain Python."""

from tests.core.processes import run

PROGRAM = """
from tests.games.project_mars.test_traces import FILES, game_of
from tests.recorded_games import games_in, replay
games = [lines for file in FILES for lines in games_in(file)][::12]  # some of each file
for number, lines in enumerate(games):
    replay(game_of(lines[0]), lines, f"game {number}")
print(len(games))
"""


def test_recorded_games_come_out_the_same() -> None:
    assert run(PROGRAM, NUMBA_DISABLE_JIT="1") == 27
