"""Default presentation of a game: the pieces (named parts) of the observation, as text or as a picture."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States, blank_records
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.position import Position
from pocketmars_env.core.presentation.interface import (
    COLUMNS,
    Choice,
    Entry,
    Presentation,
    SeatPoints,
    check_columns,
)
from pocketmars_env.core.svg.canvas import WIDTH, Box, Canvas, Picture
from pocketmars_env.core.svg.themes import Theme

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
    """What a viewpoint knows about a position.

    Attributes:
        viewpoint: a seat, or None to show every seat's observation.
        seats: the names of all seats, in the order of seat numbers.
        settings: the game's settings.
        to_play: the seat to play; None when the game is over.
        decision: the name of the current decision; None when the game is over.
        truncated: whether the round limit has ended the game.
        scores: the points of all seats.
        winners: the winning seats; empty before the end.
        observations: the observations of the viewpoint, or of all seats if it is None, keyed by the names of
            the seats. Each is a dict of observation pieces, which are float32 arrays in [0, 1].

    """

    viewpoint: int | None
    seats: tuple[str, ...]
    settings: dict[str, Any]
    to_play: int | None
    decision: str | None
    truncated: bool
    scores: list[int]
    winners: list[int]
    observations: dict[str, dict[str, NDArray[np.float32]]]


class PlainPresentation(Presentation):
    """The presentation for games without their own presentation; it needs only a `GameSpec`."""

    least_columns = 40

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.legend = "\n".join(f"  {piece.name}: {piece.meaning}" for piece in spec.layout)

    def seat_view(self, states: States, viewpoint: int | None) -> PlainSeatView:
        if viewpoint is not None:
            determinized = blank_records(1, self.spec.state)
            self.spec.batch.determinize_at(states, 0, viewpoint, np.uint64(0), False, determinized, 0)
            states = determinized
        position = Position(self.spec, states)
        seats = position.config.seat_names
        shown_seats = range(len(seats)) if viewpoint is None else [viewpoint]
        return PlainSeatView(
            viewpoint,
            seats,
            position.config.as_dict(),
            position.to_play,
            position.decision,
            position.truncated,
            position.scores,
            position.winners,
            {seats[seat]: self.spec.observation_pieces(position.observe(seat)) for seat in shown_seats},
        )

    # --- picture and text ---------------------------------------------------------------------------

    def picture(self, seat_view: PlainSeatView, theme: Theme) -> Picture:
        canvas, width = Canvas(theme), WIDTH - 2 * MARGIN
        heading = Box(MARGIN, MARGIN, width, 48)
        with canvas.panel(heading, theme.panel, theme.line):
            canvas.text(heading.x + 10, heading.y + 19, self.headline(seat_view), 15, is_bold=True)
            canvas.text(heading.right - 10, heading.y + 19, viewpoint_text(seat_view), 12, theme.faint, "end")
            subtitle = f"{self.title(seat_view)} · {self.details(seat_view)}"
            canvas.text(heading.x + 10, heading.y + 38, subtitle, 12, theme.faint)
        top = heading.bottom + GAP
        for seat, pieces in seat_view.observations.items():
            lines = [
                line for name, piece in pieces.items() for line in lines_of(name, piece, NUMBERS_IN_LINE)
            ]
            box = Box(MARGIN, top, width, (len(lines) + 1) * LINE_HEIGHT + 12)
            with canvas.panel(box, theme.panel, theme.line):
                draw_observation(canvas, box, seat, lines)
            top = box.bottom + GAP
        return canvas.picture(
            WIDTH, round(top - GAP + MARGIN), f"{self.title(seat_view)}. {self.headline(seat_view)}"
        )

    def text(
        self,
        seat_view: PlainSeatView,
        columns: int = COLUMNS,
        is_coloured: bool = True,
        has_heading: bool = True,
    ) -> str:
        check_columns(columns, self.least_columns)
        words = (
            [f"{self.title(seat_view)} · {viewpoint_text(seat_view)}", self.headline(seat_view)]
            if has_heading
            else []
        )
        lines = [textwrap.fill(line, columns) for line in [*words, self.details(seat_view)]]
        for seat, pieces in seat_view.observations.items():
            lines += ["", seat]
            for name, piece in pieces.items():
                for title, numbers in lines_of(name, piece, (columns - NAME_COLUMNS) // NUMBER_COLUMNS):
                    cells = "".join(f"{number:>{NUMBER_COLUMNS}}" for number in numbers)
                    lines.append(f"{title[: NAME_COLUMNS - 1]:{NAME_COLUMNS}}{cells}")
        return "\n".join(lines) + "\n"

    # --- the position in words ------------------------------------------------------------------------

    def title(self, seat_view: PlainSeatView) -> str:
        settings = [f"{name} {value}" for name, value in seat_view.settings.items()]
        return " · ".join([self.spec.title, *settings])

    def headline(self, seat_view: PlainSeatView) -> str:
        if seat_view.to_play is None:
            return "Game over: " + result(seat_view)
        return f"{seat_view.seats[seat_view.to_play or 0]}: {self.prompt(seat_view)}"

    def prompt(self, seat_view: PlainSeatView) -> str:
        return self.spec.decision_named(seat_view.decision or "").prompt

    def details(self, seat_view: PlainSeatView) -> str:
        scores = zip(seat_view.seats, seat_view.scores, strict=True)
        words = " · ".join(f"{seat} {score}" for seat, score in scores)
        return f"{words} · truncated" if seat_view.truncated else words

    def points(self, seat_view: PlainSeatView) -> tuple[SeatPoints, ...]:
        winners = seat_view.winners
        scores = zip(seat_view.seats, seat_view.scores, strict=True)
        return tuple(
            SeatPoints(name, score, (), seat in winners) for seat, (name, score) in enumerate(scores)
        )

    # --- actions ------------------------------------------------------------------------------------

    def choices(self, seat_view: PlainSeatView, legal: list[int]) -> tuple[Choice, ...]:
        return tuple(Choice(action, self.action_text(seat_view, action), None, "", "") for action in legal)

    def action_text(self, seat_view: PlainSeatView, action: int) -> str:
        names = [row.name for row in self.spec.decisions]
        return self.spec.describe_action(
            action, None if seat_view.decision is None else names.index(seat_view.decision)
        )

    def move_text(self, before: States, action: int, after: States, viewpoint: int | None) -> str:
        row = self.spec.decisions[int(before["decision"][0])]
        if row.is_hidden and viewpoint not in (None, before["to_play"][0]):
            return "make a hidden choice"
        return Position(self.spec, before).describe(action)

    def entries(self, before: States, action: int, after: States, viewpoint: int | None) -> tuple[Entry, ...]:
        seats = self.spec.config.of_state(before[0]).seat_names
        row = self.spec.decisions[int(before["decision"][0])]
        words = self.move_text(before, action, after, viewpoint)
        entry = Entry(seats[int(before["to_play"][0])], words, row.reason)
        if not after["over"][0]:
            return (entry,)
        end = result(self.seat_view(after, viewpoint))
        return entry, Entry("", f"the game is over: {end}", "")

    def variant(self, config: Any) -> tuple[str, ...]:
        usual = self.spec.config().as_dict()
        changed = {name: value for name, value in config.as_dict().items() if value != usual.get(name)}
        return tuple(f"{name} {value}" for name, value in changed.items() if name != "players")


def viewpoint_text(seat_view: PlainSeatView) -> str:
    """Return the viewpoint as text, such as "as player_0 sees it"."""
    if seat_view.viewpoint is None:
        return "everything is shown"
    return f"as {seat_view.seats[seat_view.viewpoint]} sees it"


def result(seat_view: PlainSeatView) -> str:
    """Return the result of a finished game as text, such as "player_0 wins with 12 points"."""
    winners = seat_view.winners
    names, points = [seat_view.seats[seat] for seat in winners], seat_view.scores[winners[0]]
    if len(names) == 1:
        return f"{names[0]} wins with {points} points"
    return f"{', '.join(names[:-1])} and {names[-1]} share the win with {points} points"


def lines_of(name: str, piece: NDArray[np.float32], most: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of a piece, of at most `most` numbers each; only the first line has the name."""
    numbers = [f"{number:.3f}".rstrip("0").rstrip(".") for number in piece.ravel().tolist()]
    for start in range(0, len(numbers), most):
        yield "" if start else name, numbers[start : start + most]


def draw_observation(canvas: Canvas, box: Box, seat: str, lines: list[tuple[str, list[str]]]) -> None:
    """Draw a seat's name, and the pieces of the seat's observation below it."""
    canvas.text(box.x + 10, box.y + 19, seat, 14, is_bold=True)
    step = (box.width - NAME_WIDTH - 20) / NUMBERS_IN_LINE
    for row, (name, numbers) in enumerate(lines, start=1):
        baseline = box.y + 19 + row * LINE_HEIGHT
        canvas.text(box.x + 10, baseline, name, 12, canvas.theme.faint)
        for column, number in enumerate(numbers, start=1):
            x = box.x + 10 + NAME_WIDTH + column * step
            canvas.text(x, baseline, number, 12, canvas.theme.faint if number == "0" else None, "end")
