"""Every finished game reports its termination reason."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game, Games
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.constants import Termination
from pocketmars_env.games.pocket_mars.testing import play_random_game
from tests.builders import given, seat
from tests.modes import MODES

SETTLED: dict[str, Any] = {"ship": 0, "star": [4, 3, 0, 0]}
LEFT: dict[str, Any] = {"ship": 1}


def ended(*seats: dict[str, Any], **position: Any) -> Game:
    """Play a position to the end of its round, always taking the last legal action, and return the game."""
    game = given(*(seat(**entry) for entry in seats), **position)
    assert game.termination is None
    round_number = game.snapshot()["round"]
    while not game.over and game.snapshot()["round"] == round_number:
        game.step(game.legal()[-1])
    return game


@pytest.mark.parametrize("seats", [(SETTLED, LEFT), (LEFT, SETTLED), (SETTLED, SETTLED)])
def test_settled_colonists_end_a_game(seats: tuple[dict[str, Any], ...]) -> None:
    assert ended(*seats, active_seat=1).termination == "ALL_SETTLED"


@pytest.mark.parametrize("settled", [0, 1])
def test_settled_colonists_end_a_solo_game(settled: int) -> None:
    seats = [dict(LEFT), {**LEFT, "hand": []}]
    seats[settled].update(SETTLED)
    assert ended(*seats, mode="solo").termination == "ALL_SETTLED"


def test_in_the_last_round_settled_colonists_count() -> None:
    game = ended(SETTLED, LEFT, active_seat=1, round_limit=1)
    assert (game.termination, game.truncated) == ("ALL_SETTLED", False)


def test_a_deck_that_is_too_small_ends_a_solo_game() -> None:
    game = next(
        game
        for game in (play_random_game(mode="solo", level="standard", seed=seed) for seed in range(20))
        if None in game.snapshot()["seats"][1]["prep"] and game.snapshot()["seats"][1]["earth"]
    )
    assert (game.termination, game.truncated, game.snapshot()["deck"]) == ("DA_MODULE_EMPTY", False, [])


def test_settled_colonists_come_before_an_empty_module() -> None:
    game = given(seat(**SETTLED), seat(ship=1, hand=[]), mode="solo")
    states = copy_states(game.states)
    states["over"] = True
    states["seats"]["prep"][0, 1] = -1
    reason = np.empty(1, dtype=np.int64)
    batch.terminations_all(states, reason)
    assert reason == Termination.ALL_SETTLED
    states["seats"]["earth"][0, 0] = 1
    batch.terminations_all(states, reason)
    assert reason == Termination.DA_MODULE_EMPTY


@pytest.mark.parametrize("mode", MODES)
def test_the_reason_of_random_games_is_seen_at_the_table(mode: str) -> None:
    games = Games(200, **MODES[mode], seed=1, round_limit=12)
    assert (games.termination == -1).all()
    while not games.over.all():
        games.step(games.random_actions(), ~games.over)
        assert np.array_equal(games.termination >= 0, games.over)
    reasons = [Termination(number) for number in games.termination]
    for i, reason in enumerate(reasons):
        game, data = games.game(i), games.snapshot(i)
        assert game.termination == reason.name
        assert game.truncated == (reason is Termination.ROUND_LIMIT)
        has_settled = any(entry["earth"] == entry["ship"] == 0 for entry in data["seats"])
        assert has_settled == (reason is Termination.ALL_SETTLED)
        is_empty = data["mode"] == "solo" and None in data["seats"][1]["prep"]
        assert (is_empty and not has_settled) == (reason is Termination.DA_MODULE_EMPTY)
    assert len(set(reasons)) > 1 or not MODES[mode].get("mode")
