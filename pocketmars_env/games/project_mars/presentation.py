"""The presentation of Project Mars; `core/presentation/interface.py` documents the methods."""

from pathlib import Path

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation.guide import Guide
from pocketmars_env.core.presentation.interface import COLUMNS, Choice, Entry, SeatPoints, card_line
from pocketmars_env.core.svg.canvas import Picture
from pocketmars_env.core.svg.themes import Theme
from pocketmars_env.games.project_mars.config import DuelConfig
from pocketmars_env.games.project_mars.drawing.battlefield import draw_battlefield
from pocketmars_env.games.project_mars.drawing.text import LEAST_COLUMNS, LEGEND, text_of
from pocketmars_env.games.project_mars.rules.cards import CARDS
from pocketmars_env.games.project_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.project_mars.seat_view.see import see
from pocketmars_env.games.project_mars.snapshots.notation import snapshot
from pocketmars_env.games.project_mars.text import choices, log, seat_view_text
from pocketmars_env.games.project_mars.text.card_text import card_text, type_line
from pocketmars_env.games.project_mars.text.seat_view_text import cards_in_words

RULES = Path(__file__).parent / "text" / "rules.md"
GUIDE = Path(__file__).parent / "text" / "guide.toml"


class ProjectMarsPresentation:
    """The presentation of Project Mars."""

    least_columns = LEAST_COLUMNS
    legend = LEGEND

    def seat_view(self, states: States, viewpoint: int | None) -> SeatView:
        return see(snapshot(states), viewpoint)

    def picture(self, view: SeatView, theme: Theme) -> Picture:
        return draw_battlefield(view, theme)

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
        return [
            (f"{place} of {side.name}", [CARDS[card].name for card in cards if card is not None])
            for side in view.sides
            for place, cards in (
                ("field", [placed.card for placed in side.field if placed]),
                ("hand", side.hand),
                ("junkyard", side.junkyard),
                ("deck list", side.decklist),
            )
        ]

    def card_texts(self) -> dict[str, str]:
        return {row.name: f"{type_line(card)}. {card_text(card)}" for card, row in enumerate(CARDS)}

    def card_labels(self) -> dict[str, str]:
        return {row.name: row.name for row in CARDS}

    def rules(self) -> str:
        return RULES.read_text(encoding="utf-8")

    def guide(self) -> Guide:
        return Guide.load(GUIDE)

    def reference(self, view: SeatView, legal: list[int]) -> list[str]:
        lists = [f"deck list of {side.name}: {cards_in_words(side.decklist)}" for side in view.sides]
        concerned = [choices.card_of(view, action) for action in legal]
        for side in (view.near, view.far):
            concerned += [*side.hand, *(placed.card for placed in side.field if placed)]
        named = [card for card in dict.fromkeys(concerned) if card is not None]
        texts = self.card_texts()
        return [*lists, *(card_line(CARDS[card].name, texts[CARDS[card].name]) for card in named)]

    def choices(self, view: SeatView, legal: list[int]) -> tuple[Choice, ...]:
        return choices.choices_at(view, legal)

    def idle_notes(self, states: States) -> dict[int, str]:
        return {}  # a note of each choice says so

    def action_text(self, view: SeatView, action: int) -> str:
        return choices.action_text(view, action)

    def move_text(self, before: Game, after: Game, viewpoint: int | None) -> str:
        return choices.move_text(before, after, viewpoint)

    def entries(self, before: Game, after: Game, viewpoint: int | None) -> tuple[Entry, ...]:
        return log.entries_between(before, after, viewpoint)

    def points(self, view: SeatView) -> tuple[SeatPoints, ...]:
        best = max(side.wins for side in view.sides)
        return tuple(
            SeatPoints(side.name, side.wins, (("rounds", side.wins),), view.over and side.wins == best)
            for side in view.sides
        )

    def round_of(self, game: Game) -> int:
        return int(game._states["round_number"][0])

    def variant(self, config: DuelConfig) -> tuple[str, ...]:
        return (config.mode, *(deck for deck in (config.deck_0, config.deck_1) if isinstance(deck, str)))

    def prepare(self) -> None:
        """Does nothing: all code is compiled with the rules."""
