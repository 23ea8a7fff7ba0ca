"""The presentation of Pocket Mars; `core/presentation/interface.py` documents the methods."""

from pathlib import Path

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation.guide import Guide
from pocketmars_env.core.presentation.interface import COLUMNS, Choice, Entry, SeatPoints, card_line
from pocketmars_env.core.svg.canvas import Picture
from pocketmars_env.core.svg.themes import Theme
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.drawing.table import draw_table
from pocketmars_env.games.pocket_mars.drawing.text import LEAST_COLUMNS, text_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.seat_view.see import see
from pocketmars_env.games.pocket_mars.snapshots import phases
from pocketmars_env.games.pocket_mars.snapshots.notation import resume_state, snapshot
from pocketmars_env.games.pocket_mars.text import (
    choices,
    idle_notes,
    log,
    moves,
    places,
    points,
    seat_view_text,
)
from pocketmars_env.games.pocket_mars.text.card_text import card_text

RULES = Path(__file__).parent / "text" / "rules.md"
GUIDE = Path(__file__).parent / "text" / "guide.toml"
LEGEND = """\
  G4     lies open: its suit's first letter and its value
  [G4]   lies face down, but you know it
  [G]    lies face down: its back shows the suit
  0×2    two colonists of player_0; DA is Devious Automatics
  to beat   a card above this value settles a colonist"""


class PocketMarsPresentation:
    """The presentation of Pocket Mars."""

    least_columns = LEAST_COLUMNS
    legend = LEGEND

    def seat_view(self, states: States, viewpoint: int | None) -> SeatView:
        return see(snapshot(states), viewpoint, resume_state(states))

    def picture(self, view: SeatView, theme: Theme) -> Picture:
        return draw_table(view, theme)

    def text(
        self, view: SeatView, columns: int = COLUMNS, is_coloured: bool = True, has_heading: bool = True
    ) -> str:
        return text_of(view, columns, is_coloured, has_heading)

    def title(self, view: SeatView) -> str:
        return seat_view_text.title(view)

    def headline(self, view: SeatView) -> str:
        return seat_view_text.headline(view)

    def prompt(self, view: SeatView) -> str:
        return seat_view_text.prompt(view)

    def details(self, view: SeatView) -> str:
        return seat_view_text.details(view)

    def cards_by_place(self, view: SeatView) -> list[tuple[str, list[str]]]:
        return places.places_of(view)

    def card_texts(self) -> dict[str, str]:
        return {card.name: card_text(number) for number, card in enumerate(CARDS)}

    def card_labels(self) -> dict[str, str]:
        return {BUILDING_NAMES[card.suit][0] + card.name.split()[-1]: card.name for card in CARDS}

    def rules(self) -> str:
        return RULES.read_text(encoding="utf-8")

    def guide(self) -> Guide:
        return Guide.load(GUIDE)

    def reference(self, view: SeatView, legal: list[int]) -> list[str]:
        shown = {card.card for _, card in view.cards_in_focus()}  # `text` has their texts
        named = dict.fromkeys(choices.card_of(view, action) for action in legal)
        return [
            card_line(CARDS[card].name, card_text(card))
            for card in named
            if card is not None and card not in shown
        ]

    def choices(self, view: SeatView, legal: list[int]) -> tuple[Choice, ...]:
        return choices.choices_at(view, legal)

    def idle_notes(self, states: States) -> dict[int, str]:
        return idle_notes.idle_notes(states, self.seat_view(states, int(states["to_play"][0])))

    def action_text(self, view: SeatView, action: int) -> str:
        return choices.action_text(view, action)

    def move_text(self, before: Game, after: Game, viewpoint: int | None) -> str:
        return moves.move_text(before, after, viewpoint)

    def entries(self, before: Game, after: Game, viewpoint: int | None) -> tuple[Entry, ...]:
        return log.entries_between(before, after, viewpoint)

    def points(self, view: SeatView) -> tuple[SeatPoints, ...]:
        return points.points_of(view)

    def round_of(self, game: Game) -> int:
        return int(game.snapshot()["round"])

    def variant(self, config: GameConfig) -> tuple[str, ...]:
        parts = [config.level, f"handicap {config.handicap}" if config.handicap else None]
        return tuple(part for part in parts if part)

    def prepare(self) -> None:
        phases.ensure_compiled()
