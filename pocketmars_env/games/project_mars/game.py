"""`Game` and `Games` of Project Mars: adds deals and given chance to `core.Game`."""

from collections.abc import Iterable, Sequence
from typing import Any, Self, SupportsIndex

import numpy as np

from pocketmars_env.core import game as core
from pocketmars_env.core import games as core_games
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.warming import ensure_compiled
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, SEATS
from pocketmars_env.games.project_mars.snapshots.entry_points import set_up_at
from pocketmars_env.games.project_mars.snapshots.notation import Deal, blank_states, counts_of
from pocketmars_env.games.project_mars.spec import SPEC


class Game(core.Game):
    """A game of Project Mars.

    Args:
        seed: the seed of all random events; it gives the same game on every platform. None draws a seed
            from the operating system.
        settings: mode, deck_0, deck_1, copies, see `DuelConfig`.

    Raises:
        ValueError: if a setting is not accepted; names it and the accepted values.

    """

    spec = SPEC

    @classmethod
    def from_deal(cls, deal: Deal, *, seed: SupportsIndex | None = None, **settings: Any) -> Self:
        """Create a game from a given deal.

        Args:
            deal: ``{"decklists": [[30 types], ...], "decks": [[30 types, top first], ...],
                "first_seat": s}``; the first ten cards of each deck are the hand.
            seed: the seed of later shuffles and reveals.
            settings: as for the class.

        Raises:
            ValueError: if the deal or a setting is invalid; says what is accepted.

        """
        decks, first = checked_deal(deal)
        number = check_seed(seed)
        ensure_compiled(cls.spec)
        states = blank_states(1, cls.spec.config(**settings))
        state = states[0]
        for seat, deck in enumerate(decks):
            state["seats"][seat]["decklist"] = counts_of(deck)
            state["seats"][seat]["deck"][:] = deck[::-1]
            state["seats"][seat]["deck_size"] = DECK_SIZE
        state["given_first"], state["seed"] = first, number
        set_up_at(states, 0)
        game = cls.__new__(cls)
        game._begin(states, {"seed": number, "deal": deal})
        return game

    def step_with(
        self, action: SupportsIndex, shuffles: Sequence[Sequence[int]] = (), reveals: Sequence[int] = ()
    ) -> None:
        """Play an action with given chance.

        Args:
            action: a legal action.
            shuffles: the order of the shuffle that the action causes, top first; empty for none.
            reveals: the types that random reveals pick, in turn.

        Raises:
            IllegalAction: if the action is not legal.
            ValueError: if the chance does not fit; the game is unchanged.

        """
        states = copy_states(self._states)
        state = states[0]
        for order in shuffles:
            state["stacked"][: len(order)] = order
            state["stacked_size"] = len(order)
        state["stacked_reveals"][: len(reveals)] = reveals
        state["stacked_reveals_size"] = len(reveals)
        before = int(state["shuffles"]), int(state["reveals"])
        if not self._batch.step_at(states, 0, int(action)):
            raise self._illegal(action)
        made = int(state["shuffles"]) - before[0], int(state["reveals"]) - before[1]
        if made != (len(shuffles), len(reveals)) or state["stacked_size"] or state["stacked_reveals_size"]:
            raise ValueError(
                f"the action causes {made[0]} shuffles and {made[1]} reveals; given chance does not fit: "
                f"{list(shuffles)}, {list(reveals)}"
            )
        state["stacked"], state["stacked_reveals"] = -1, -1
        self._states = states
        self._actions.append(int(action))


def checked_deal(deal: object) -> tuple[list[list[int]], int]:
    """Decks and first seat of a deal; a ValueError that says what is wrong with it."""
    if not isinstance(deal, dict) or set(deal) != {"decklists", "decks", "first_seat"}:
        raise ValueError("a deal has decklists, decks and first_seat")
    decks, first = deal["decks"], deal["first_seat"]
    if type(first) is not int or first not in range(SEATS):
        raise ValueError(f"first_seat must be 0 or 1, got {first!r}")
    for seat in range(SEATS):
        if sorted(decks[seat]) != sorted(deal["decklists"][seat]) or len(decks[seat]) != DECK_SIZE:
            raise ValueError(f"the deck of seat {seat} must hold the {DECK_SIZE} cards of its list")
    return [list(deck) for deck in decks], first


class Games(core_games.Games):
    """N games of Project Mars with the settings of `DuelConfig`; see `core.Games`."""

    spec = SPEC


_ = (Iterable, States, np)
