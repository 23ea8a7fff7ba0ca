"""Default presentation of a game: the pieces (named parts) of the observation, as text or as a picture."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.interface import COLUMNS, Choice, Entry, Presentation, SeatPoints
from pocketmars_env.core.svg.canvas import WIDTH, Box, Canvas, Picture
from pocketmars_env.core.svg.themes import Theme
from pocketmars_env.core.view import View

MARGIN, GAP = 10, 8
LINE_HEIGHT = 18
NAME_WIDTH = 150
"""Width in pixels of the column with the names of observation pieces in a picture."""
NUMBERS_IN_LINE = 24
"""The maximum number of observation entries in one line of a picture."""
NAME_COLUMNS, NUMBER_COLUMNS = 16, 6
"""Widths, in characters, of the name column and of each number column in a text."""


@dataclass(frozen=True)
class PlainSeatView:
    """A position as seen from a viewpoint.

    Attributes:
        game: the true game if the viewpoint is None, otherwise a game from the viewpoint's information set.
        viewpoint: a seat, or None to show every seat's observation.

    """

    game: Game
    viewpoint: int | None

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of all seats, in the order of seat numbers."""
        return self.game.spec.seat_names(self.game.config)

    def observations(self) -> dict[str, dict[str, NDArray[np.float32]]]:
        """Return the viewpoint's observation, or the observations of all seats if the viewpoint is None.

        The result maps each seat's name to a dict of observation pieces, keyed by piece name. Each piece is a
        float32 array in [0, 1] with the shape `Piece.shape`.
        """
        shown = range(self.game.seats) if self.viewpoint is None else [self.viewpoint]
        pieces = self.game.spec.observation_pieces
        return {self.seats[seat]: pieces(self.game.observe(seat)) for seat in shown}


class PlainPresentation(Presentation):
    """The presentation for games without their own presentation; it needs only a `GameSpec`."""

    least_columns = 40

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.legend = "\n".join(f"  {piece.name}: {piece.meaning}" for piece in spec.layout)

    def seat_view(self, states: States, viewpoint: int | None) -> PlainSeatView:
        seen = copy_states(states) if viewpoint is None else View(self.spec, states, viewpoint).states
        return PlainSeatView(self.spec.game._of(seen), viewpoint)

    # --- picture and text ---------------------------------------------------------------------------

    def picture(self, view: PlainSeatView, theme: Theme) -> Picture:
        canvas, width = Canvas(theme), WIDTH - 2 * MARGIN
        heading = Box(MARGIN, MARGIN, width, 48)
        with canvas.panel(heading, theme.panel, theme.line, is_heading=True):
            canvas.text(heading.x + 10, heading.y + 19, self.headline(view), 15, is_bold=True)
            canvas.text(heading.right - 10, heading.y + 19, viewpoint_text(view), 12, theme.faint, "end")
            subtitle = f"{self.title(view)} · {self.details(view)}"
            canvas.text(heading.x + 10, heading.y + 38, subtitle, 12, theme.faint)
        top = heading.bottom + GAP
        for seat, pieces in view.observations().items():
            lines = [
                line for name, piece in pieces.items() for line in lines_of(name, piece, NUMBERS_IN_LINE)
            ]
            box = Box(MARGIN, top, width, (len(lines) + 1) * LINE_HEIGHT + 12)
            with canvas.panel(box, theme.panel, theme.line):
                draw_observation(canvas, box, seat, lines)
            top = box.bottom + GAP
        return canvas.picture(WIDTH, round(top - GAP + MARGIN), f"{self.title(view)}. {self.headline(view)}")

    def text(
        self, view: PlainSeatView, columns: int = COLUMNS, is_coloured: bool = True, has_heading: bool = True
    ) -> str:
        if type(columns) is not int or columns < self.least_columns:
            raise ValueError(
                f"columns must be an integer of at least {self.least_columns}, got {quoted(columns)}"
            )
        words = [f"{self.title(view)} · {viewpoint_text(view)}", self.headline(view)] if has_heading else []
        shown = [textwrap.fill(line, columns) for line in [*words, self.details(view)]]
        for seat, pieces in view.observations().items():
            shown += ["", seat]
            for name, piece in pieces.items():
                for title, numbers in lines_of(name, piece, (columns - NAME_COLUMNS) // NUMBER_COLUMNS):
                    cells = "".join(f"{number:>{NUMBER_COLUMNS}}" for number in numbers)
                    shown.append(f"{title[: NAME_COLUMNS - 1]:{NAME_COLUMNS}}{cells}")
        return "\n".join(shown) + "\n"

    # --- the position in words ------------------------------------------------------------------------

    def title(self, view: PlainSeatView) -> str:
        settings = [f"{name} {value}" for name, value in view.game.config.as_dict().items()]
        return " · ".join([self.spec.title, *settings])

    def headline(self, view: PlainSeatView) -> str:
        if view.game.over:
            return "Game over: " + result(view)
        return f"{view.seats[view.game.to_play or 0]}: {self.prompt(view)}"

    def prompt(self, view: PlainSeatView) -> str:
        return self.spec.decision_named(view.game.decision or "").prompt

    def details(self, view: PlainSeatView) -> str:
        scores = zip(view.seats, view.game.scores(), strict=True)
        words = " · ".join(f"{seat} {score}" for seat, score in scores)
        return f"{words} · truncated" if view.game.truncated else words

    def points(self, view: PlainSeatView) -> tuple[SeatPoints, ...]:
        winners = view.game.winners()
        scores = zip(view.seats, view.game.scores(), strict=True)
        return tuple(
            SeatPoints(name, score, (), seat in winners) for seat, (name, score) in enumerate(scores)
        )

    # --- actions ------------------------------------------------------------------------------------

    def choices(self, view: PlainSeatView, legal: list[int]) -> tuple[Choice, ...]:
        return tuple(Choice(action, self.action_text(view, action), "", None, "", "") for action in legal)

    def action_text(self, view: PlainSeatView, action: int) -> str:
        return view.game.describe(action)

    def move_text(self, before: Game, after: Game, viewpoint: int | None) -> str:
        row = self.spec.decision_named(before.decision or "")
        if row.is_hidden and viewpoint not in (None, before.to_play):
            return "make a hidden choice"
        return before.describe(after.actions[-1])

    def entries(self, before: Game, after: Game, viewpoint: int | None) -> tuple[Entry, ...]:
        seats, row = self.spec.seat_names(before.config), self.spec.decision_named(before.decision or "")
        words = self.move_text(before, after, viewpoint)
        move = Entry(None, seats[before.to_play or 0], words, row.reason)
        if not after.over:
            return (move,)
        end = result(PlainSeatView(after, viewpoint))
        return move, Entry(None, "", f"the game is over: {end}", "")

    def variant(self, config: Any) -> tuple[str, ...]:
        usual = self.spec.config().as_dict()
        changed = {name: value for name, value in config.as_dict().items() if value != usual.get(name)}
        return tuple(f"{name} {value}" for name, value in changed.items() if name != "players")


def viewpoint_text(view: PlainSeatView) -> str:
    """Return the viewpoint as text, such as "as player_0 sees it"."""
    if view.viewpoint is None:
        return "everything is shown"
    return f"as {view.seats[view.viewpoint]} sees it"


def result(view: PlainSeatView) -> str:
    """Return the result of a finished game as text, such as "player_0 wins with 12 points"."""
    winners = view.game.winners()
    names, points = [view.seats[seat] for seat in winners], view.game.scores()[winners[0]]
    if len(names) == 1:
        return f"{names[0]} wins with {points} points"
    return f"{', '.join(names[:-1])} and {names[-1]} share the win with {points} points"


def lines_of(name: str, piece: NDArray[np.float32], most: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of a piece, each with a name and at most `most` numbers.

    The first line has the name of the piece; in all other lines, the name is empty. The numbers are formatted
    with up to three decimals.
    """
    numbers = [f"{number:.3f}".rstrip("0").rstrip(".") for number in piece.ravel().tolist()]
    for start in range(0, len(numbers), most):
        yield "" if start else name, numbers[start : start + most]


def draw_observation(canvas: Canvas, box: Box, seat: str, lines: list[tuple[str, list[str]]]) -> None:
    """Draw a seat's name, and the pieces of the seat's observation below it.

    Args:
        canvas: the canvas, inside a `Canvas.panel` block.
        box: the rectangle of the panel.
        seat: the seat's name.
        lines: the lines that `lines_of` yields for all pieces; each line has at most `NUMBERS_IN_LINE`
            numbers.

    """
    canvas.text(box.x + 10, box.y + 19, seat, 14, is_bold=True)
    step = (box.width - NAME_WIDTH - 20) / NUMBERS_IN_LINE
    for row, (name, numbers) in enumerate(lines, start=1):
        baseline = box.y + 19 + row * LINE_HEIGHT
        canvas.text(box.x + 10, baseline, name, 12, canvas.theme.faint)
        for place, number in enumerate(numbers, start=1):
            x = box.x + 10 + NAME_WIDTH + place * step
            canvas.text(x, baseline, number, 12, canvas.theme.faint if number == "0" else None, "end")
