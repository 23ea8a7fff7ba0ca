"""The presentation of Project Mars as pictures and text."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.layout import size_of, start_of_piece
from pocketmars_env.core.presentation.interface import Presentation, SeatPoints, card_line
from pocketmars_env.games.project_mars.config import DuelConfig
from pocketmars_env.games.project_mars.drawing.battlefield import draw_battlefield
from pocketmars_env.games.project_mars.drawing.cards import CATEGORY_COLOURS, SEAT_COLOURS, TRAP_COLOUR
from pocketmars_env.games.project_mars.drawing.text import LEAST_COLUMNS, LEGEND, text_of
from pocketmars_env.games.project_mars.observation.layout import OBSERVATION_LAYOUT
from pocketmars_env.games.project_mars.rules.cards import CARDS
from pocketmars_env.games.project_mars.rules.constants import SEATS, Category, Kind
from pocketmars_env.games.project_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.project_mars.seat_view.see import see
from pocketmars_env.games.project_mars.snapshots import rounds
from pocketmars_env.games.project_mars.text import choices, log, seat_view_text
from pocketmars_env.games.project_mars.text.card_text import card_text, subtypes_of, type_line
from pocketmars_env.games.project_mars.text.seat_view_text import cards_in_words

NAMES = [piece.name for piece in OBSERVATION_LAYOUT]
DERIVED = OBSERVATION_LAYOUT[NAMES.index("field_power") : NAMES.index("tpr") + 1]
"""The pieces of the observation with PWR, marks, lanes and TPR."""


class ProjectMarsPresentation(Presentation):
    """Presents games of Project Mars as pictures and text."""

    to_end_of_round = staticmethod(rounds.play_to_end_of_round)
    least_columns = LEAST_COLUMNS
    legend = LEGEND
    texts = Path(__file__).parent / "text"
    board = Path(__file__).parent / "drawing" / "board"

    seat_view = staticmethod(see)
    picture = staticmethod(draw_battlefield)
    text = staticmethod(text_of)
    title = staticmethod(seat_view_text.title)
    headline = staticmethod(seat_view_text.headline)
    prompt = staticmethod(seat_view_text.prompt)
    details = staticmethod(seat_view_text.details)
    action_text = staticmethod(choices.action_text)
    move_text = staticmethod(choices.move_text)
    choices = staticmethod(choices.choices_at)
    entries = staticmethod(log.entries_between)

    def card_texts(self) -> dict[str, str]:
        return {
            card_type.name: f"{type_line(card)}. {card_text(card)}" for card, card_type in enumerate(CARDS)
        }

    def tables(self) -> dict[str, Any]:
        return {
            "cards": [
                {
                    "name": card_type.name,
                    "power": None if card_type.category == Category.UTILITY else card_type.power,
                    "category": card_type.category.name,
                    "subtypes": subtypes_of(card),
                    "text": card_text(card),
                    "kind": "TRAP" if card_type.kind == Kind.TRAP else card_type.category.name,
                }
                for card, card_type in enumerate(CARDS)
            ],
            "colours": {"trap": TRAP_COLOUR}
            | {category.name.lower(): colour for category, colour in CATEGORY_COLOURS.items()},
            "seats": [{"colour": colour, "mark": "#ffffff"} for colour in SEAT_COLOURS],
            "ending": log.END,
            "observed": observed(),
        }

    def card_labels(self) -> dict[str, str]:
        return {card_type.name: card_type.name for card_type in CARDS}

    def reference(self, seat_view: SeatView, legal: list[int]) -> list[str]:
        lists = [f"deck list of {side.name}: {cards_in_words(side.decklist)}" for side in seat_view.sides]
        mentioned = [choices.card_of(seat_view, action) for action in legal]
        for side in (seat_view.near, seat_view.far):
            mentioned += [*side.hand, *(placed.card for placed in side.field if placed)]
        cards = [card for card in dict.fromkeys(mentioned) if card is not None]
        texts = self.card_texts()
        return [*lists, *(card_line(CARDS[card].name, texts[CARDS[card].name]) for card in cards)]

    def end_of_round(self, before: States, action: int, after: States) -> States | None:
        has_ended = rounds.finished_rounds(after) != rounds.finished_rounds(before)
        return rounds.end_of_round(before, action) if has_ended else None

    def round_end(self, before: States, action: int, after: States, viewpoint: int | None) -> SeatView | None:
        states = self.end_of_round(before, action, after)
        if states is None:
            return None
        end, next_view = see(states, viewpoint), see(after, viewpoint)
        first, second = (replace(side, wins=next_view.sides[side.seat].wins) for side in end.sides)
        return replace(end, over=next_view.over, results=next_view.results, sides=(first, second))

    def prepare(self) -> None:
        rounds.ensure_compiled()

    def points(self, seat_view: SeatView) -> tuple[SeatPoints, ...]:
        best = max(side.wins for side in seat_view.sides)
        return tuple(
            SeatPoints(side.name, side.wins, (("rounds", side.wins),), seat_view.over and side.wins == best)
            for side in seat_view.sides
        )

    def variant(self, config: DuelConfig) -> tuple[str, ...]:
        return (config.mode, *(deck for deck in (config.deck_0, config.deck_1) if isinstance(deck, str)))


def observed() -> dict[str, Any]:
    """Return where an observation has the numbers that the rules derive from a state.

    They are the entries from "first" to "last" (exclusive). Each piece is described by the index of its first
    entry among them, its number of entries per seat, and the factor that makes its entries integers.
    """
    first = start_of_piece(OBSERVATION_LAYOUT, DERIVED[0].name)
    pieces = {
        piece.name: {
            "first": start_of_piece(DERIVED, piece.name),
            "size": piece.size // SEATS,
            "scale": max(piece.steps[0], 1),
        }
        for piece in DERIVED
    }
    return {"first": first, "last": first + size_of(DERIVED), "pieces": pieces}
