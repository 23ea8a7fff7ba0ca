"""How one game is shown to people: the protocol that pictures, replays, play and commands rely on."""

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
"""Of a table as text, where nothing else is said."""


@dataclass(frozen=True)
class Choice:
    """A legal action, for a person.

    Attributes:
        action: its number.
        words: what it means, such as "launch 1 of your colonists".
        heading: stands above the choices of its kind; may be empty.
        card: the name of the card that it is about, if there is one that the seat knows.
        text: what to know about it, such as the card's text; may be empty.
        note: the line of the text that matters here; may be empty.

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
        round: of the game; None if the game has no rounds.
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
        parts: what they are for, each with its points; parts without points are left out.
        wins: whether it has won; False while the game goes on.

    """

    seat: str
    total: int
    parts: tuple[tuple[str, int], ...]
    wins: bool


class Presentation(Protocol):
    """Shows one game to people.

    A *table* is what a viewpoint sees of a position: a seat, or None for everything. Its type is the game's
    own affair. Pictures and words are made from tables, so they cannot show what the viewpoint does not know.

    Attributes:
        least_columns: the fewest columns of a table as text.
        legend: how to read a table as text; lines, or empty.

    """

    least_columns: int
    legend: str

    def table(self, states: States, viewpoint: int | None) -> Any:
        """What a viewpoint sees of a position.

        Args:
            states: ``(1,)`` state records: the true position, or one that the viewpoint cannot tell from it.
            viewpoint: a seat, or None.

        """

    def picture(self, table: Any, theme: "Theme") -> "Picture":
        """The table as a picture, 1000 pixels wide. In a game the height is always the same."""

    def text(
        self, table: Any, columns: int = COLUMNS, is_coloured: bool = True, has_heading: bool = True
    ) -> str:
        """The table as text for a terminal.

        Args:
            table: what is shown.
            columns: that a line may have, at least `least_columns`.
            is_coloured: whether to add ANSI colours; the words are the same without.
            has_heading: whether title and headline come first.

        Raises:
            ValueError: if there are too few columns.

        """

    def title(self, table: Any) -> str:
        """What is played and how far it has come, in a line."""

    def headline(self, table: Any) -> str:
        """Who is asked what, or how the game ended."""

    def question(self, table: Any) -> str:
        """What the asked seat is asked; only while the game goes on."""

    def details(self, table: Any) -> str:
        """What stands below the headline; may be empty."""

    def cards_by_place(self, table: Any) -> list[tuple[str, list[str]]]:
        """The places of cards on the table, each with the names of its cards, the top one first."""

    def card_texts(self) -> dict[str, str]:
        """The texts of all cards, by name; empty for a game without."""

    def card_labels(self) -> dict[str, str]:
        """How `text` writes the cards: for each label the name of the card; may be empty."""

    def choices(self, table: Any, legal: list[int]) -> tuple[Choice, ...]:
        """The legal actions of the seat that is asked and sees the table."""

    def action_in_words(self, table: Any, action: int) -> str:
        """An action as the asked seat says it, from what it sees on the table."""

    def move_in_words(self, before: "Game", after: "Game", viewpoint: int | None) -> str:
        """The last action of a game as a viewpoint may hear it.

        Args:
            before: the game before the action.
            after: the same game after it.
            viewpoint: a seat, or None to hear everything.

        """

    def entries(self, before: "Game", after: "Game", viewpoint: int) -> tuple[Entry, ...]:
        """What an action led to, as a seat may know it; the arguments are those of `move_in_words`."""

    def points(self, table: Any) -> tuple[SeatPoints, ...]:
        """The points of every seat."""

    def round_of(self, game: "Game") -> int | None:
        """The round of a game; None if the game has no rounds."""

    def variant(self, config: Any) -> tuple[str, ...]:
        """What tells a game of these settings from others with as many players, such as ``handicap 3``."""

    def prepare(self) -> None:
        """Compile what `entries` needs, if anything; a message tells how long that takes."""


@cache
def presentation_of(spec: "GameSpec") -> Presentation:
    """The presentation of a game: its own, or the plain one."""
    if spec.presentation is not None:
        return spec.presentation()
    from pocketmars_env.core.plain_presentation import PlainPresentation  # few games need it

    return PlainPresentation(spec)


def table_of(game: "Game", viewpoint: int | None = None) -> Any:
    """The table of a game as a viewpoint sees it."""
    return presentation_of(game.spec).table(game._states, viewpoint)
