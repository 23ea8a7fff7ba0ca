"""The classes `Game` and `Games` of Project Mars.

A `Game` can also be created from a deal or a snapshot, and its random events can be predetermined.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Self, SupportsIndex

from pocketmars_env.core import game as core
from pocketmars_env.core import games as core_games
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.settings import check_names, setting_names
from pocketmars_env.games.project_mars.config import DuelConfig, as_list, checked_list
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES, STARTER_DECKS, STARTERS
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, SEATS
from pocketmars_env.games.project_mars.rules.state import MOST_REVEALS
from pocketmars_env.games.project_mars.snapshots.entry_points import set_up_at
from pocketmars_env.games.project_mars.snapshots.from_snapshot import state_from_snapshot
from pocketmars_env.games.project_mars.snapshots.notation import Deal, Snapshot, blank_states, counts_of
from pocketmars_env.games.project_mars.spec import SPEC


class Game(core.Game):
    """A game of Project Mars.

    Args:
        seed: an integer in 0..2**64 - 1 that determines all random events, identically on all platforms; if
            None, a seed is drawn from the operating system.
        settings: the fields of `DuelConfig`: `mode`, `deck_0`, `deck_1` and `copies`.

    Raises:
        ValueError: if the seed or a setting is invalid; the message describes what is accepted.
        TypeError: if a setting is unknown.

    """

    spec = SPEC

    @classmethod
    def from_deal(cls, deal: Deal, *, seed: SupportsIndex | None = None, **settings: Any) -> Self:
        """Create a game from a given deal.

        Args:
            deal: ``{"decklists": [[30 types], ...], "decks": [[30 types, top first], ...],
                "first_seat": s}``, with cards as type numbers. Each deck consists of the cards in its
                deck list, and its top ten cards are the seat's initial hand. Seat `s` begins round 1.
            seed: the seed of later shuffles and random reveals; if None, a seed is drawn from the operating
                system.
            settings: the fields of `DuelConfig`; they do not change the given decks. A starter deck named in
                the mode ``starter`` or ``same`` must equal the given deck; in the mode ``same``, the given
                decks must have the same cards; in the mode ``constructed``, they must have at most `copies`
                cards of each type.

        Raises:
            ValueError: if the deal, the seed or a setting is invalid; the message describes what is accepted.
            TypeError: if a setting is unknown.

        """
        decks, first = checked_deal(deal)
        check_names(f"a game of {cls.spec.title}", settings, setting_names(cls.spec.config))
        config, number = cls.spec.config(**settings), check_seed(seed)
        check_settings(config, decks)
        ensure_compiled(cls.spec)
        states = blank_states(1, config)
        state = states[0]
        for seat, deck in enumerate(decks):
            state["seats"][seat]["decklist"][:] = counts_of(deck)
            state["seats"][seat]["in_deck"][:] = counts_of(deck)
            state["seats"][seat]["deck"][:] = deck[::-1]
            state["seats"][seat]["deck_size"] = DECK_SIZE
        state["given_first"], state["seed"] = first, number
        set_up_at(states, 0)
        game = cls.__new__(cls)
        lists = [list(as_list(counts_of(deck))) for deck in decks]
        own_deal = {"decklists": lists, "decks": decks, "first_seat": first}
        game._begin(states, {"seed": number, "deal": own_deal})
        return game

    @classmethod
    def from_snapshot(
        cls, data: Snapshot, resume_state: dict[str, int] | None = None, seed: SupportsIndex | None = None
    ) -> Self:
        """Create a game from a snapshot.

        Args:
            data: a snapshot, as returned by `snapshot`.
            resume_state: the value that the method `resume_state` returned for the same position; with it,
                the position and the random stream are restored exactly.
            seed: the seed of later random events; if None, a seed is drawn from the operating system. Used
                only without `resume_state`.

        Raises:
            ValueError: if an argument is invalid; the message describes the problem.

        """
        number = check_seed(seed)
        ensure_compiled(cls.spec)
        return cls._of(state_from_snapshot(data, resume_state, number))

    # --- predetermined random events ----------------------------------------------------------------

    def stack_chance(self, shuffles: Iterable[Sequence[int]] = (), reveals: Iterable[int] = ()) -> None:
        """Set the results of the next shuffles and random reveals that have no predetermined result yet.

        `step` raises a ValueError if a result does not fit the position.

        Args:
            shuffles: for each of the next shuffles, the complete shuffled deck, top first.
            reveals: for each of the next random reveals, the type of the card to reveal. If a step reveals
                several cards, give all of them or none.

        Raises:
            ValueError: if an element of `shuffles` is not a list or tuple of 1 to 30 card types, or an
                element of `reveals` is not a card type.

        """
        orders, types = [checked_types("a shuffle's order", order) for order in shuffles], list(reveals)
        checked_types("the reveals", types, most=len(types))
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
            raise self._illegal(action)
        shuffles = int(state["shuffles"]) - int(self._states["shuffles"][0])
        reveals = int(state["reveals"]) - int(self._states["reveals"][0])
        if shuffles and order and state["stacked_size"]:
            raise ValueError(f"the given order {quoted(order)} does not consist of the cards to be shuffled")
        if reveals != len(types) - state["stacked_reveals_size"] and types:
            raise ValueError(
                f"the given reveals {quoted(types)} do not fit this step, which reveals {reveals} hidden "
                "cards"
            )
        self._use(shuffles=shuffles, reveals=reveals)
        state["stacked"], state["stacked_reveals"] = -1, -1
        state["stacked_size"], state["stacked_reveals_size"] = 0, 0
        self._states = states


def checked_types(what: str, cards: Any, most: int = DECK_SIZE) -> list[int]:
    """Return `cards` as a list; raise a ValueError unless it is a list or tuple of at most `most` types."""
    if not isinstance(cards, list | tuple) or len(cards) > most:
        raise ValueError(f"{what} must be a list of at most {most} types, got {quoted(cards)}")
    if not all(type(card) is int and 0 <= card < NUM_TYPES for card in cards):
        raise ValueError(f"{what} must be a list of types in 0..{NUM_TYPES - 1}, got {quoted(cards)}")
    return list(cards)


def check_settings(config: DuelConfig, decks: list[list[int]]) -> None:
    """Raise a ValueError if the settings are not consistent with the decks in a deal.

    In the modes ``starter`` and ``same``, each starter deck named in the settings must equal the deck in the
    deal. In the mode ``same``, the decks must have the same cards. In the mode ``constructed``, a deck must
    not have more than `copies` cards of a type; `deck_0` and `deck_1` are not compared with the deal.
    """
    if config.mode == "same" and sorted(decks[0]) != sorted(decks[1]):
        raise ValueError("in the mode 'same', the decks of the deal must have the same cards")
    for seat, (deck, starter) in enumerate(zip(decks, config.starters, strict=True)):
        if starter >= 0 and tuple(sorted(deck)) != STARTER_DECKS[STARTERS[starter]]:
            raise ValueError(
                f"the deck of seat {seat} in the deal is not the starter deck {STARTERS[starter]}"
            )
        if config.mode == "constructed" and max(map(deck.count, deck)) > config.copies:
            raise ValueError(f"the deck of seat {seat} must have at most {config.copies} copies of a type")


def checked_deal(deal: object) -> tuple[list[list[int]], int]:
    """Return the decks and the first seat in a deal; raise a ValueError if the deal is invalid."""
    if not isinstance(deal, dict) or set(deal) != {"decklists", "decks", "first_seat"}:
        raise ValueError("a deal must have exactly the keys decklists, decks and first_seat")
    decks, lists, first = deal["decks"], deal["decklists"], deal["first_seat"]
    if type(first) is not int or first not in range(SEATS):
        raise ValueError(f"first_seat must be 0 or 1, got {quoted(first)}")
    for name, found in (("decklists", lists), ("decks", decks)):
        if not isinstance(found, list | tuple) or len(found) != SEATS:
            raise ValueError(f"{name} must contain two lists of {DECK_SIZE} types, got {quoted(found)}")
    for seat in range(SEATS):
        listed = checked_list(f"the deck list of seat {seat}", lists[seat], DECK_SIZE)
        if sorted(checked_types(f"the deck of seat {seat}", decks[seat])) != list(listed):
            raise ValueError(f"the deck of seat {seat} must consist of the cards in its deck list")
    return [list(deck) for deck in decks], first


class Games(core_games.Games):
    """N games of Project Mars; the settings are the fields of `DuelConfig`. See `core.games.Games`."""

    spec = SPEC
