"""The positions of Project Mars as plain data: deals, snapshots and predetermined random events."""

from collections.abc import Iterable, Sequence
from typing import Any

from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.gate import convert
from pocketmars_env.core.position_codec import Chance, PositionCodec, require
from pocketmars_env.games.project_mars.config import Card, DuelConfig, checked_list
from pocketmars_env.games.project_mars.rules.cards import STARTER_DECKS, STARTERS
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, EVENTS_WRAP
from pocketmars_env.games.project_mars.rules.state import MOST_REVEALS
from pocketmars_env.games.project_mars.small import SMALL_GAMES
from pocketmars_env.games.project_mars.snapshots import notation
from pocketmars_env.games.project_mars.snapshots.entry_points import set_up_at
from pocketmars_env.games.project_mars.snapshots.from_snapshot import check_record, state_from_snapshot
from pocketmars_env.games.project_mars.snapshots.notation import counts_of
from pocketmars_env.games.project_mars.snapshots.schema import Deal, Order


class ProjectMarsCodec(PositionCodec):
    """Creates positions of Project Mars, and writes them as plain data."""

    blank = staticmethod(notation.blank_states)
    snapshot = staticmethod(notation.snapshot)
    resume_state = staticmethod(notation.resume_state)
    check_record = staticmethod(check_record)
    from_snapshot = staticmethod(state_from_snapshot)  # type: ignore[assignment]  # no settings

    def from_deal(self, deal: Any, seed: int, settings: dict[str, Any]) -> tuple[States, dict[str, Any]]:
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
        config = DuelConfig(**settings)
        checked = checked_deal(deal, config)
        check_settings(config, checked.decks)
        states = notation.blank_states(1, config)
        state = states[0]
        for seat, deck in enumerate(checked.decks):
            state["seats"][seat]["decklist"][:] = counts_of(deck)
            state["seats"][seat]["in_deck"][:] = counts_of(deck)
            state["seats"][seat]["deck"][:] = deck[::-1]
            state["seats"][seat]["deck_size"] = len(deck)
        state["given_first"], state["seed"] = checked.first_seat, seed
        set_up_at(states, 0)
        lists = [sorted(deck) for deck in checked.decks]
        return states, {"decklists": lists, "decks": [*checked.decks], "first_seat": checked.first_seat}

    def checked_chance(
        self, shuffles: Iterable[Sequence[int]] = (), reveals: Iterable[int] = (), **others: Any
    ) -> Chance:
        super().checked_chance(**others)
        return {
            "shuffles": convert(list(shuffles), list[Order], "shuffles"),
            "reveals": convert(list(reveals), list[Card], "reveals"),
        }

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
        shuffles = (int(state["shuffles"]) - int(before["shuffles"][0])) % EVENTS_WRAP
        reveals = (int(state["reveals"]) - int(before["reveals"][0])) % EVENTS_WRAP
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


def check_settings(config: DuelConfig, decks: tuple[list[int], list[int]]) -> None:
    """Raise a ValueError if the decks in a deal contradict the mode, its starter decks or `copies`."""
    if config.mode == "same" and sorted(decks[0]) != sorted(decks[1]):
        raise ValueError("in the mode 'same', the decks of the deal must have the same cards")
    for seat, (deck, starter) in enumerate(zip(decks, config.starters, strict=True)):
        if starter >= 0 and tuple(sorted(deck)) != STARTER_DECKS[STARTERS[starter]]:
            raise ValueError(
                f"the deck of seat {seat} in the deal is not the starter deck {STARTERS[starter]}"
            )
        if config.mode == "constructed" and max(map(deck.count, deck)) > config.copies:
            raise ValueError(f"the deck of seat {seat} must have at most {config.copies} copies of a type")


def checked_deal(deal: object, config: DuelConfig) -> Deal:
    """Return a deal; raise a ValueError if it is invalid."""
    checked = convert(deal, Deal, "deal")
    for seat, deck in enumerate(checked.decks):
        name = f"the deck list of seat {seat}"
        if config.small:
            decklist = SMALL_GAMES[config.small].decklists[seat]
            require(tuple(checked.decklists[seat]) == decklist, f"{name} must be {list(decklist)}")
        else:
            decklist = checked_list(name, checked.decklists[seat], DECK_SIZE)
        if sorted(deck) != list(decklist):
            raise ValueError(f"the deck of seat {seat} must consist of the cards in its deck list")
    return checked
