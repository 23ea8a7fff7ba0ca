"""The positions of Project Mars as plain data: deals, snapshots and predetermined random events."""

from collections.abc import Iterable, Sequence
from typing import Any

from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.position_codec import Chance, PositionCodec
from pocketmars_env.games.project_mars.config import DuelConfig, as_list, checked_list
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES, STARTER_DECKS, STARTERS
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, SEATS
from pocketmars_env.games.project_mars.rules.state import MOST_REVEALS
from pocketmars_env.games.project_mars.snapshots import notation
from pocketmars_env.games.project_mars.snapshots.entry_points import set_up_at
from pocketmars_env.games.project_mars.snapshots.from_snapshot import check_record, state_from_snapshot
from pocketmars_env.games.project_mars.snapshots.notation import Deal, counts_of


class ProjectMarsCodec(PositionCodec):
    """Creates positions of Project Mars, and writes them as plain data."""

    blank = staticmethod(notation.blank_states)
    snapshot = staticmethod(notation.snapshot)
    resume_state = staticmethod(notation.resume_state)
    check_record = staticmethod(check_record)
    from_snapshot = staticmethod(state_from_snapshot)  # type: ignore[assignment]  # no settings

    def from_deal(self, deal: Any, seed: int, settings: dict[str, Any]) -> tuple[States, Deal]:
        """Return the first decision after a deal, and the deal in its usual form.

        Args:
            deal: ``{"decklists": [[30 types], ...], "decks": [[30 types, top first], ...],
                "first_seat": s}``, with cards as type numbers. Each deck consists of the cards in its
                deck list, and its top ten cards are the seat's initial hand. Seat `s` begins round 1.
            seed: the seed of later shuffles and random reveals.
            settings: the fields of `DuelConfig`; they do not change the given decks. A starter deck named in
                the mode ``starter`` or ``same`` must equal the given deck; in the mode ``same``, the given
                decks must have the same cards; in the mode ``constructed``, they must have at most `copies`
                cards of each type.

        Raises:
            ValueError: if the deal or a setting is invalid; the message describes what is accepted.

        """
        decks, first_seat = checked_deal(deal)
        config = DuelConfig(**settings)
        check_settings(config, decks)
        states = notation.blank_states(1, config)
        state = states[0]
        for seat, deck in enumerate(decks):
            state["seats"][seat]["decklist"][:] = counts_of(deck)
            state["seats"][seat]["in_deck"][:] = counts_of(deck)
            state["seats"][seat]["deck"][:] = deck[::-1]
            state["seats"][seat]["deck_size"] = DECK_SIZE
        state["given_first"], state["seed"] = first_seat, seed
        set_up_at(states, 0)
        lists = [list(as_list(counts_of(deck))) for deck in decks]
        return states, {"decklists": lists, "decks": decks, "first_seat": first_seat}

    def checked_chance(
        self, shuffles: Iterable[Sequence[int]] = (), reveals: Iterable[int] = (), **others: Any
    ) -> Chance:
        super().checked_chance(**others)
        orders, types = [checked_types("a shuffle's order", order) for order in shuffles], list(reveals)
        checked_types("the reveals", types, most=len(types))
        if not all(orders):
            raise ValueError("a shuffle's order must have at least one card")
        return {"shuffles": orders, "reveals": types}

    def with_chance(self, states: States, results: Chance) -> States:
        states = copy_states(states)
        state = states[0]
        order: list[int] = next(iter(results.get("shuffles", [])), [])
        types = results.get("reveals", [])[:MOST_REVEALS]
        state["stacked"][: len(order)], state["stacked_size"] = order, len(order)
        state["stacked_reveals"][: len(types)], state["stacked_reveals_size"] = types, len(types)
        return states

    def used_chance(self, before: States, after: States, results: Chance) -> dict[str, int]:
        state = after[0]
        order: list[int] = next(iter(results.get("shuffles", [])), [])
        types = results.get("reveals", [])[:MOST_REVEALS]
        shuffles = int(state["shuffles"]) - int(before["shuffles"][0])
        reveals = int(state["reveals"]) - int(before["reveals"][0])
        if shuffles and order and state["stacked_size"]:
            raise ValueError(f"the given order {quoted(order)} does not consist of the cards to be shuffled")
        if reveals != len(types) - state["stacked_reveals_size"] and types:
            raise ValueError(
                f"the given reveals {quoted(types)} do not fit this step, which reveals {reveals} hidden "
                "cards"
            )
        state["stacked"], state["stacked_reveals"] = -1, -1
        state["stacked_size"], state["stacked_reveals_size"] = 0, 0
        return {"shuffles": shuffles, "reveals": reveals}


def checked_types(name: str, cards: Any, most: int = DECK_SIZE) -> list[int]:
    """Return `cards` as a list; raise a ValueError unless it is a list or tuple of at most `most` types."""
    if not isinstance(cards, list | tuple) or len(cards) > most:
        raise ValueError(f"{name} must be a list of at most {most} types, got {quoted(cards)}")
    if not all(type(card) is int and 0 <= card < NUM_TYPES for card in cards):
        raise ValueError(f"{name} must be a list of types in 0..{NUM_TYPES - 1}, got {quoted(cards)}")
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
    decks, lists, first_seat = deal["decks"], deal["decklists"], deal["first_seat"]
    if type(first_seat) is not int or first_seat not in range(SEATS):
        raise ValueError(f"first_seat must be 0 or 1, got {quoted(first_seat)}")
    for name, per_seat in (("decklists", lists), ("decks", decks)):
        if not isinstance(per_seat, list | tuple) or len(per_seat) != SEATS:
            raise ValueError(f"{name} must contain two lists of {DECK_SIZE} types, got {quoted(per_seat)}")
    for seat in range(SEATS):
        decklist = checked_list(f"the deck list of seat {seat}", lists[seat], DECK_SIZE)
        if sorted(checked_types(f"the deck of seat {seat}", decks[seat])) != list(decklist):
            raise ValueError(f"the deck of seat {seat} must consist of the cards in its deck list")
    return [list(deck) for deck in decks], first_seat
