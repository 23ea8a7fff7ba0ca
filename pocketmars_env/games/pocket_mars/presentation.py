"""The texts and pictures of Pocket Mars; see `Presentation`."""

from pathlib import Path
from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.presentation.interface import Presentation, card_line
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.drawing.palette import SEAT_COLOURS, SUIT_COLOURS
from pocketmars_env.games.pocket_mars.drawing.symbols import GLOBE, ROCKET, SEAT_SHAPES, STAR, SUIT_SYMBOLS
from pocketmars_env.games.pocket_mars.drawing.table import draw_table
from pocketmars_env.games.pocket_mars.drawing.text import LEAST_COLUMNS, text_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_ABILITY, FIRST_BOTTOM, FIRST_TOP
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    BUILDING_NAMES,
    BUILDING_VALUE,
    MAX_ENERGY,
    Building,
)
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.seat_view.see import see
from pocketmars_env.games.pocket_mars.snapshots import phases
from pocketmars_env.games.pocket_mars.text import choices, seat_view_text
from pocketmars_env.games.pocket_mars.text.card_text import card_text, program_text
from pocketmars_env.games.pocket_mars.text.idle_notes import idle_notes
from pocketmars_env.games.pocket_mars.text.log import REASONS, entries_between, move_text
from pocketmars_env.games.pocket_mars.text.points import SOURCES, points_of

LEGEND = """\
  G4     is face up: its suit's first letter and its value
  [G4]   is face down, but you know it
  [G]    is face down: its back shows the suit
  0×2    two colonists of player_0; DA is Devious Automatics
  to beat   a card must exceed this value to settle a colonist"""


class PocketMarsPresentation(Presentation):
    """The texts and pictures of Pocket Mars for people and language models."""

    least_columns = LEAST_COLUMNS
    legend = LEGEND
    texts = Path(__file__).parent / "text"
    board = Path(__file__).parent / "drawing" / "board"

    seat_view = staticmethod(see)
    picture = staticmethod(draw_table)
    text = staticmethod(text_of)
    title = staticmethod(seat_view_text.title)
    headline = staticmethod(seat_view_text.headline)
    prompt = staticmethod(seat_view_text.prompt)
    details = staticmethod(seat_view_text.details)
    action_text = staticmethod(choices.action_text)
    move_text = staticmethod(move_text)
    choices = staticmethod(choices.choices_at)
    entries = staticmethod(entries_between)
    points = staticmethod(points_of)
    prepare = staticmethod(phases.ensure_compiled)

    def card_texts(self) -> dict[str, str]:
        return {card.name: card_text(number) for number, card in enumerate(CARDS)}

    def tables(self) -> dict[str, Any]:
        return {
            "cards": [
                {
                    "name": card.name,
                    "suit": int(card.suit),
                    "value": card.value,
                    "top": program_text(FIRST_TOP + number),
                    "bottom": program_text(FIRST_BOTTOM + number),
                }
                for number, card in enumerate(CARDS)
            ],
            "buildings": [
                {
                    "name": BUILDING_NAMES[suit],
                    "ability": program_text(FIRST_ABILITY + suit),
                    "colour": SUIT_COLOURS[suit],
                    "symbol": SUIT_SYMBOLS[suit],
                }
                for suit in Building
            ],
            "seats": [
                {"colour": colour.fill, "mark": colour.ink, "shape": shape}
                for colour, shape in zip(SEAT_COLOURS, SEAT_SHAPES, strict=True)
            ],
            "value_of_buildings": BUILDING_VALUE,
            "most_energy": MAX_ENERGY,
            "points": SOURCES,
            "bonus_colonists": BONUS_BUILDING_COLONISTS,
            "endings": {reason.name: words for reason, words in REASONS.items()},
            "symbols": {"earth": GLOBE, "ship": ROCKET, "star": STAR},
        }

    def card_labels(self) -> dict[str, str]:
        return {BUILDING_NAMES[card.suit][0] + card.name.split()[-1]: card.name for card in CARDS}

    def reference(self, seat_view: SeatView, legal: list[int]) -> list[str]:
        shown = {card.card for _, card in seat_view.cards_in_focus()}  # `text` contains their card texts
        cards = dict.fromkeys(choices.card_of(seat_view, action) for action in legal)
        return [
            card_line(CARDS[card].name, card_text(card))
            for card in cards
            if card is not None and card not in shown
        ]

    def idle_notes(self, states: States) -> dict[int, str]:
        return idle_notes(states, self.seat_view(states, int(states["to_play"][0])))

    def variant(self, config: GameConfig) -> tuple[str, ...]:
        parts = [config.level, f"handicap {config.handicap}" if config.handicap else None]
        return tuple(part for part in parts if part)
