"""Protocol for showing one game to people, used by pictures, replays, interactive play and commands."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from pocketmars_env.core.compiled.states import States

if TYPE_CHECKING:
    from pocketmars_env.core.game import Game
    from pocketmars_env.core.game_spec import GameSpec
    from pocketmars_env.core.svg.canvas import Picture
    from pocketmars_env.core.svg.themes import Theme

COLUMNS = 100
"""Default width of a table as text."""


@dataclass(frozen=True)
class Choice:
    """A legal action, for a person.

    Attributes:
        action: its number.
        words: the action in words, such as "launch 1 of your colonists".
        heading: the heading of choices of its kind; may be empty.
        card: the name of its card, if it has one that the seat knows.
        text: an explanation, such as the card's text; may be empty.
        note: the relevant line of the text; may be empty.

    """

    action: int
    words: str
    heading: str
    card: str | None
    text: str
    note: str


@dataclass(frozen=True)
class Entry:
    """A line of the log.

    Attributes:
        round: the round; None if the game has no rounds.
        seat: the seat that acted; empty if no seat did.
        words: what happened.
        why: the rule, card or ability behind it; may be empty.

    """

    round: int | None
    seat: str
    words: str
    why: str


@dataclass(frozen=True)
class SeatPoints:
    """The points of a seat, if the game ended now.

    Attributes:
        seat: its name.
        total: all points.
        parts: the sources of points, without those that give none.
        wins: whether it has won; False before the end.

    """

    seat: str
    total: int
    parts: tuple[tuple[str, int], ...]
    wins: bool


class Presentation(Protocol):
    """Shows one game to people.

    A *table* is a position from a viewpoint: a seat, or None for everything. Each game has its own type of
    table. Pictures and words are made from tables, so they cannot show what the viewpoint does not know.

    Attributes:
        least_columns: the smallest width of a table as text.
        legend: an explanation of a table as text; lines, or empty.

    """

    least_columns: int
    legend: str

    def seat_view(self, states: States, viewpoint: int | None) -> Any:
        """The table of a position from a viewpoint.

        Args:
            states: ``(1,)`` state records: the true position, or one of the viewpoint's information set.
            viewpoint: a seat, or None.

        """

    def picture(self, view: Any, theme: "Theme") -> "Picture":
        """The table as a picture, 1000 pixels wide, with constant height during a game."""

    def text(
        self, view: Any, columns: int = COLUMNS, is_coloured: bool = True, has_heading: bool = True
    ) -> str:
        """The table as text for a terminal.

        Args:
            table: the table.
            columns: the width of lines, at least `least_columns`.
            is_coloured: whether to add ANSI colours; the words are the same without.
            has_heading: whether title and headline come first.

        Raises:
            ValueError: if there are too few columns.

        """

    def title(self, view: Any) -> str:
        """The game and its progress in one line."""

    def headline(self, view: Any) -> str:
        """The seat to play and its decision, or the result of the game."""

    def prompt(self, view: Any) -> str:
        """The decision of the seat to play; only before the end of the game."""

    def details(self, view: Any) -> str:
        """The text below the headline; may be empty."""

    def cards_by_place(self, view: Any) -> list[tuple[str, list[str]]]:
        """The places of cards on the table, each with the names of its cards from the top."""

    def card_texts(self) -> dict[str, str]:
        """The texts of all cards, by name; empty for a game without."""

    def card_labels(self) -> dict[str, str]:
        """The names of cards by their labels in `text`; may be empty."""

    def choices(self, view: Any, legal: list[int]) -> tuple[Choice, ...]:
        """The legal actions of the seat to play, which is the table's viewpoint."""

    def action_text(self, view: Any, action: int) -> str:
        """An action in words, from the view of the seat to play."""

    def move_text(self, before: "Game", after: "Game", viewpoint: int | None) -> str:
        """The last action of a game in words, as far as a viewpoint may know it.

        Args:
            before: the game before the action.
            after: the same game after it.
            viewpoint: a seat, or None for everything.

        """

    def entries(self, before: "Game", after: "Game", viewpoint: int) -> tuple[Entry, ...]:
        """The effects of an action, as far as a seat may know them; arguments as in `move_text`."""

    def points(self, view: Any) -> tuple[SeatPoints, ...]:
        """The points of every seat."""

    def round_of(self, game: "Game") -> int | None:
        """The round of a game; None if the game has no rounds."""

    def variant(self, config: Any) -> tuple[str, ...]:
        """What distinguishes these settings from others with as many players, such as ``handicap 3``."""

    def prepare(self) -> None:
        """Compile the code that `entries` needs, if any; a message tells how long it takes."""


@cache
def presentation_of(spec: "GameSpec") -> Presentation:
    """The presentation of a game: its own, or the default one."""
    if spec.presentation is not None:
        return spec.presentation()
    from pocketmars_env.core.plain_presentation import PlainPresentation  # few games need it

    return PlainPresentation(spec)


def seat_view_of(game: "Game", viewpoint: int | None = None) -> Any:
    """The table of a game as a viewpoint sees it."""
    return presentation_of(game.spec).seat_view(game._states, viewpoint)
