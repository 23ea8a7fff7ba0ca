"""Snapshots, resume states, deals and replays in which one value has a wrong type are refused or still valid.

Unlike the random changes in the other modules, every value is replaced.
"""

import copy
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.core import game as core
from pocketmars_env.games.project_mars.game import Game as Duel
from pocketmars_env.games.project_mars.rules.cards import STARTER_DECKS
from pocketmars_env.replays import Replay
from pocketmars_env.replays.file_format import to_bytes
from tests.fixed_play import play_fixed, play_on
from tests.fuzz.mutations import at, paths, put
from tests.fuzz.positions import fresh_games
from tests.games.project_mars.modes import MODES as DUEL_MODES
from tests.modes import MODES

WRONG = (None, 0.5)
"""Values of types that few or no entries have."""


def wrong_versions(data: Any) -> Iterator[Any]:
    """Yield copies of `data` with one wrong value; in a list of numbers, only the first is replaced."""
    for path in paths(data):
        is_repeated = path and isinstance(path[-1], int) and path[-1] > 0
        if not path or (is_repeated and not isinstance(at(data, path), dict | list)):
            continue
        for value in WRONG:
            changed = copy.deepcopy(data)
            put(changed, path, value)
            yield changed


def try_wrong_versions(make: Callable[..., Any], *arguments: Any) -> None:
    """Call `make` with every wrong version of its arguments; it may raise only a ValueError."""
    for changed in wrong_versions(list(arguments)):
        with suppress(ValueError):
            make(*changed)


def positions(name: str) -> list[core.Game]:
    """Return a position for every decision in a mode; names of modes of Project Mars begin with "duel"."""
    if not name.startswith("duel "):
        return [games[0] for (mode, _), games in fresh_games().items() if mode == name]
    played = play_fixed(Duel(seed=1, **DUEL_MODES[name.removeprefix("duel ")]), 1)
    return list({game.decision: game.clone() for game in played}.values())


@pytest.mark.filterwarnings("ignore:.* positions fit this snapshot")  # without a resume state
@pytest.mark.parametrize("mode", [*MODES, *(f"duel {mode}" for mode in DUEL_MODES)])
def test_positions(mode: str) -> None:
    for game in positions(mode):
        try_wrong_versions(type(game).from_snapshot, game.snapshot(), game.resume_state())


def dealt() -> core.Game:
    deal = {"hands": [[0, 1, 2, 3], [4, 5, 6, 7]], "deck": list(range(8, 35)), "starting_seat": 1}
    return Game.from_deal(deal, seed=3, shuffles=[[33, 34]])


def dealt_duel() -> core.Game:
    deck = list(STARTER_DECKS["motor"])
    deal = {"decklists": [deck, deck], "decks": [deck, deck[::-1]], "first_seat": 1}
    return Duel.from_deal(deal, seed=3)


def restored(game: core.Game) -> core.Game:
    return type(game).from_snapshot(game.snapshot(), game.resume_state())


STARTS: dict[str, Callable[[], core.Game]] = {
    "seed": lambda: Game(mode="solo", level="cyborg", seed=3),
    "deal": dealt,
    "deal of a duel": dealt_duel,
    "snapshot": lambda: restored(Game(mode="solo", seed=1)),
    "snapshot of a duel": lambda: restored(play_on(Duel(seed=5), 3, 30)),
}


def read_replay(data: Any) -> None:
    if isinstance(data, dict):
        Replay.from_bytes(to_bytes(data))  # adds the right checksum


@pytest.mark.parametrize("start", STARTS)
def test_origins_and_replays(start: str) -> None:
    game = STARTS[start]()
    try_wrong_versions(type(game).from_origin, game.config.as_dict(), game.origin)
    try_wrong_versions(read_replay, Replay.of(play_on(game, 2, 5)).as_dict())
