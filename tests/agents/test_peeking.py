"""No agent can peek: in games that look the same to its seat, an agent gets byte-identical data.

The tests follow everything reachable from a view: attributes, entries, closures, bound objects and the
base arrays of slices. They skip modules, classes, built-in functions and the `GameSpec`, which are the
same in all games.
"""

from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.arena.match_table import MatchTable
from pocketmars_agents.arena.matches import Match
from pocketmars_env import Game, View, Views
from pocketmars_env.core import table
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.config import GameConfig
from tests.modes import MODES

pytestmark = pytest.mark.smoke

PLAIN = (bool, int, float, str, bytes, type(None), np.generic)
SAME_EVERYWHERE = (type, ModuleType, BuiltinFunctionType, GameSpec)


def reachable(root: Any) -> list[Any]:
    """Return all data reachable from an object, in the order of the search."""
    found: list[Any] = []
    waiting, seen = [root], {}
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, SAME_EVERYWHERE):
            continue
        seen[id(thing)] = thing  # keeps the object alive, so that its id is not reused
        if isinstance(thing, PLAIN):
            found.append(thing)
        elif isinstance(thing, np.ndarray):
            found.append((thing.shape, thing.tobytes()))
            waiting.append(thing.base)
        else:
            waiting += hanging_on(thing)
    return found


def hanging_on(thing: Any) -> list[Any]:
    """Return the objects that an object refers to directly."""
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, list | tuple | set | frozenset):
        return list(thing)
    if isinstance(thing, MethodType):
        return [thing.__self__, thing.__func__]
    if isinstance(thing, FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        return [*cells, thing.__defaults__, thing.__kwdefaults__, vars(thing)]
    slots = [getattr(kind, "__slots__", ()) for kind in type(thing).__mro__]
    names = [name for entry in slots for name in ([entry] if isinstance(entry, str) else entry)]
    return [getattr(thing, "__dict__", {}), *(getattr(thing, name) for name in names if hasattr(thing, name))]


def everything_used(view: View) -> View:
    """Return the view after reading all its data, so that its caches are filled."""
    _ = view.observation, view.mask, view.legal, view.sample(np.random.default_rng(0))
    return view


def alike_pair(mode: str, moves: int, seat: int | None) -> tuple[Game, Game] | None:
    """Return a game and a different one that the seat cannot tell apart; None if there is none."""
    game, rng = Game(**MODES[mode], seed=moves), np.random.default_rng(moves)
    for _ in range(moves):
        if game.over:
            return None
        game.step(int(rng.choice(game.legal)))
    if game.over:
        return None
    other = game.view(seat).sample(rng)
    return (game, other) if other.to_bytes() != game.to_bytes() else None


def pairs(mode: str, seat: int | None = None) -> list[tuple[Game, Game]]:
    """Return pairs of games that the seat cannot tell apart; None means the seat to play."""
    found = [pair for moves in range(0, 60, 3) if (pair := alike_pair(mode, moves, seat))]
    assert len(found) > 3
    return found


@pytest.mark.parametrize("mode", MODES)
def test_nothing_hidden_hangs_on_a_view(mode: str) -> None:
    for seat in range(GameConfig(**MODES[mode]).seats):
        for pair in pairs(mode, seat):
            one, other = (reachable(everything_used(game.view(seat))) for game in pair)
            assert one == other


@pytest.mark.parametrize("mode", ["four_draft_board_and_dice", "solo_da_agent"])
def test_nothing_hidden_hangs_on_what_the_arena_hands_out(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents get identical data for two games in one batch that look the same to the seat to play."""
    handed: list[tuple[Views, Any]] = []

    def answers(_: Any, views: Views, seeds: Any) -> Any:
        handed.append((views, seeds))
        return np.array([views[0].legal[0]])

    monkeypatch.setattr(table, "choose_actions", answers)
    config = GameConfig(**MODES[mode])
    bots = ("tests.agents.bots:Raising",) * (2 if config.da_agent else config.players)
    for game, other in pairs(mode):
        handed.clear()
        two = MatchTable([Match(bots, config, 1)] * 2)
        two.games.states[0:1], two.games.states[1:2] = game.states, other.states
        two.step()
        found = [reachable((views, views.observations, views.masks, seeds)) for views, seeds in handed]
        assert len(found) == 2
        assert found[0] == found[1]


def test_a_true_state_would_be_found() -> None:
    """The search follows the base array of a slice, a closure and a bound method."""
    state = Game(seed=1).view().states
    hidden = state.tobytes()
    seats = state["to_play"][:]

    def closure() -> Any:
        return state

    for handed in (seats, closure, Game.from_state(state).describe, {"a": [state]}):
        arrays = [data for data in reachable(handed) if isinstance(data, tuple)]
        assert hidden in [content for _, content in arrays]
