"""What a seat's page shows, as plain data: made from what the seat sees, and nothing else."""

from dataclasses import asdict
from functools import cache
from typing import Any

from pocketmars_agents.play.sitting import Sitting
from pocketmars_env.games.pocket_mars.drawing.table import draw_table
from pocketmars_env.games.pocket_mars.drawing.words import details, title
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES
from pocketmars_env.games.pocket_mars.seat_view.sight import SeenCard, SeenTable
from pocketmars_env.games.pocket_mars.text.card_text import card_text
from pocketmars_env.replays.moves import seat_labels
from pocketmars_env.replays.page import VARIABLES

Data = dict[str, Any]


def state_of(sitting: Sitting, seat: str) -> Data:
    """All that the page of a seat shows of one position.

    Returns:
        ``version``; ``title``, ``question`` and ``detail`` in words; ``seat`` and ``seats`` (who sits where);
        ``over`` and ``asked``; the ``choices`` and the ``log`` as `Choice` and `Entry`; ``table`` (an SVG
        picture) and ``places`` (its cards in words, by place); ``points`` at the end; ``undo`` and
        ``hints``: whether there are any.

    """
    while True:
        version = sitting.version
        data = {"version": version, **parts(sitting, seat)}
        if sitting.version == version:  # else a bot has answered in between
            return data


def parts(sitting: Sitting, seat: str) -> Data:
    table = sitting.table(seat)
    picture = draw_table(table, VARIABLES)
    return {
        "title": title(table),
        "question": sitting.question(seat),
        "detail": details(table),
        "seat": seat,
        "seats": list(seat_labels(sitting.config.mode, sitting.names)),
        "over": sitting.over,
        "asked": sitting.asked == seat,
        "choices": [asdict(choice) for choice in sitting.choices(seat)],
        "log": [asdict(entry) for entry in sitting.log(seat)],
        "table": picture.svg(),
        "places": places_of(table),
        "points": [asdict(points) for points in sitting.scores()] if sitting.over else [],
        "undo": sitting.can_undo(seat),
        "hints": sitting.has_hints,
    }


def places_of(table: SeenTable) -> list[tuple[str, list[str]]]:
    """The places of cards on the table, each with its cards in words, the top one first."""
    found = [(name, names(pile)) for name, pile in zip(BUILDING_NAMES, table.piles, strict=True)]
    if table.under:
        found.append((f"Deck, {table.under_title}", names(reversed(table.under))))
    found.append(("Discard pile", names(table.discard)))
    found += [(name.capitalize(), names(cards)) for name, cards in table.cards_of_action()]
    for seat in table.seats:
        found.append((f"Prep module of {seat.name}", names(card for card in seat.prep if card is not None)))
    return [(place, cards) for place, cards in found if cards]


def names(cards: Any) -> list[str]:
    """Names in the opposite order: what lies on top first."""
    return [name_of(card) for card in reversed(list(cards))]


def name_of(card: SeenCard) -> str:
    return card.name if card.is_open else f"{card.name}, face down"


@cache
def card_texts() -> dict[str, str]:
    """The texts of all cards, by name."""
    return {card.name: card_text(number) for number, card in enumerate(CARDS)}
