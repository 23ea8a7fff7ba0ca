"""`Game` and `Games` of Project Mars; `Game` adds deals, snapshots and `stack_chance` to `core.Game`."""

from collections.abc import Iterable, Sequence
from typing import Any, Self, SupportsIndex

from pocketmars_env.core import game as core
from pocketmars_env.core import games as core_games
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.core.errors import IllegalAction
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.games.project_mars.config import checked_list
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, SEATS
from pocketmars_env.games.project_mars.rules.state import MOST_REVEALS
from pocketmars_env.games.project_mars.snapshots.entry_points import set_up_at
from pocketmars_env.games.project_mars.snapshots.from_snapshot import state_from_snapshot
from pocketmars_env.games.project_mars.snapshots.notation import Deal, Snapshot, blank_states, counts_of
from pocketmars_env.games.project_mars.spec import SPEC


class Game(core.Game):
    """A game of Project Mars.

    Args:
        seed: the seed of all random events, which are the same on every platform; None draws a seed from the
            operating system.
        settings: the fields of `DuelConfig`: `mode`, `deck_0`, `deck_1` and `copies`.

    Raises:
        ValueError: if a setting is invalid; the message names the setting and its accepted values.

    """

    spec = SPEC

    @classmethod
    def from_deal(cls, deal: Deal, *, seed: SupportsIndex | None = None, **settings: Any) -> Self:
        """Create a game from a given deal.

        Args:
            deal: ``{"decklists": [[30 types], ...], "decks": [[30 types, top first], ...],
                "first_seat": s}``; the top ten cards of each deck are its seat's first hand.
            seed: the seed of later shuffles and reveals.
            settings: the fields of `DuelConfig`.

        Raises:
            ValueError: if the deal or a setting is invalid; the message lists what is accepted.

        """
        decks, first = checked_deal(deal)
        number = check_seed(seed)
        ensure_compiled(cls.spec)
        states = blank_states(1, cls.spec.config(**settings))
        state = states[0]
        for seat, deck in enumerate(decks):
            state["seats"][seat]["decklist"][:] = counts_of(deck)
            state["seats"][seat]["in_deck"][:] = counts_of(deck)
            state["seats"][seat]["deck"][:] = deck[::-1]
            state["seats"][seat]["deck_size"] = DECK_SIZE
        state["given_first"], state["seed"] = first, number
        set_up_at(states, 0)
        game = cls.__new__(cls)
        game._begin(states, {"seed": number, "deal": deal})
        return game

    @classmethod
    def from_snapshot(
        cls, data: Snapshot, resume_state: dict[str, int] | None = None, seed: SupportsIndex | None = None
    ) -> Self:
        """Create a game from a snapshot.

        Args:
            data: the snapshot, a result of `snapshot`.
            resume_state: the result of `resume_state` for the same position; with it, the game is restored
                exactly.
            seed: the seed of later random events; used only without `resume_state`.

        Raises:
            ValueError: if the snapshot or the resume state is invalid; the message lists what is accepted.

        """
        number = check_seed(seed)
        ensure_compiled(cls.spec)
        return cls._of(state_from_snapshot(data, resume_state, number))

    # --- given chance -------------------------------------------------------------------------------

    def stack_chance(self, shuffles: Iterable[Sequence[int]] = (), reveals: Iterable[int] = ()) -> None:
        """Fix the results of the next shuffles and random reveals.

        Args:
            shuffles: for each of the next shuffles, the complete new deck, top first.
            reveals: for each of the next random reveals, the type of the revealed card.

        Raises:
            ValueError: if an order or `reveals` is not a list of types, or if an order is empty.

        """
        orders, types = [checked_types("a shuffle's order", order) for order in shuffles], list(reveals)
        checked_types("the reveals", types)
        if not all(orders):
            raise ValueError("a shuffle's order must have at least one card")
        self._give(shuffles=orders, reveals=types)

    _stack = stack_chance  # type: ignore[assignment]

    def _step_given(self, number: int, action: object) -> None:
        states = copy_states(self._states)
        state = states[0]
        order: list[int] = next(iter(self._given.get("shuffles", [])), [])
        types = self._given.get("reveals", [])[:MOST_REVEALS]
        state["stacked"][: len(order)], state["stacked_size"] = order, len(order)
        state["stacked_reveals"][: len(types)], state["stacked_reveals_size"] = types, len(types)
        if not self._batch.step_at(states, 0, number):
            raise IllegalAction.of(self, action)
        shuffles = int(state["shuffles"]) - int(self._states["shuffles"][0])
        reveals = int(state["reveals"]) - int(self._states["reveals"][0])
        if shuffles and order and state["stacked_size"]:
            raise ValueError(f"the given order {order} does not name the cards to be shuffled")
        if reveals != len(types) - state["stacked_reveals_size"] and types:
            raise ValueError(f"the given reveals {types} are not hidden cards of the hand")
        self._use(shuffles=shuffles, reveals=reveals)
        state["stacked"], state["stacked_reveals"] = -1, -1
        state["stacked_size"], state["stacked_reveals_size"] = 0, 0
        self._states = states


def checked_types(what: str, cards: Any) -> list[int]:
    """Return `cards` as a list; raise a ValueError unless it is a list of at most 30 types."""
    if not isinstance(cards, list | tuple) or len(cards) > DECK_SIZE:
        raise ValueError(f"{what} must be a list of at most {DECK_SIZE} types, got {cards!r}")
    if not all(type(card) is int and 0 <= card < NUM_TYPES for card in cards):
        raise ValueError(f"{what} must be a list of types in 0..{NUM_TYPES - 1}, got {cards!r}")
    return list(cards)


def checked_deal(deal: object) -> tuple[list[list[int]], int]:
    """Return the decks and the first seat of a deal; raise a ValueError if the deal is invalid."""
    if not isinstance(deal, dict) or set(deal) != {"decklists", "decks", "first_seat"}:
        raise ValueError("a deal has decklists, decks and first_seat")
    decks, lists, first = deal["decks"], deal["decklists"], deal["first_seat"]
    if type(first) is not int or first not in range(SEATS):
        raise ValueError(f"first_seat must be 0 or 1, got {first!r}")
    for name, found in (("decklists", lists), ("decks", decks)):
        if not isinstance(found, list | tuple) or len(found) != SEATS:
            raise ValueError(f"{name} must hold two lists of {DECK_SIZE} types, got {found!r}")
    for seat in range(SEATS):
        listed = checked_list(f"the deck list of seat {seat}", lists[seat], DECK_SIZE)
        if sorted(checked_types(f"the deck of seat {seat}", decks[seat])) != list(listed):
            raise ValueError(f"the deck of seat {seat} must hold the cards of its list")
    return [list(deck) for deck in decks], first


class Games(core_games.Games):
    """N games of Project Mars, with the fields of `DuelConfig` as settings; see `core.Games`."""

    spec = SPEC
