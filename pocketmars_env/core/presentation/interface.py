"""`Presentation`, a game's texts and pictures for people and language models."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.presentation.guide import Guide
from pocketmars_env.core.svg.canvas import Picture
from pocketmars_env.core.svg.themes import Theme

COLUMNS = 100
"""The default line width of texts, in characters."""


@dataclass(frozen=True)
class Choice:
    """A legal action as user interfaces show it.

    Attributes:
        action: the action's number.
        words: the action as text, such as "launch 1 of your colonists".
        card: the name of the card that the action uses; None if the action uses no card, or if the seat to
            play does not know the card.
        text: an explanation, such as the card's text; may be empty.
        note: the effect of the action, in one line; may be empty.

    """

    action: int
    words: str
    card: str | None
    text: str
    note: str


@dataclass(frozen=True)
class Entry:
    """An entry of the game log.

    Attributes:
        seat: the name of the seat that acted; empty if no seat acted.
        words: a description of what happened.
        why: the rule, card or ability that caused the event; may be empty.

    """

    seat: str
    words: str
    why: str


@dataclass(frozen=True)
class SeatPoints:
    """The score of a seat as if the game ended now.

    Attributes:
        seat: the name of the seat.
        total: the seat's score.
        parts: the name of each source of points, and the points from this source; empty if the game does not
            list the sources.
        wins: whether the seat has won; False before the end of the game.

    """

    seat: str
    total: int
    parts: tuple[tuple[str, int], ...]
    wins: bool


class Presentation(Protocol):
    """Base class for the presentation of a game, with defaults for optional features.

    A *seat view* is a position as seen from a viewpoint. The viewpoint is a seat, or None to show all hidden
    information. Each game has its own type of seat view. Pictures and texts are made from seat views, so
    they show only what the viewpoint knows.

    Attributes:
        least_columns: the minimum line width of `text`, in characters.
        legend: an explanation of the output of `text`, in one or more lines; may be empty.
        texts: the folder with ``rules.md`` and ``guide.toml``; None if the game has no such folder.
        board: the JavaScript and the style sheet of the game's board on the web page, as a path without a
            suffix; None if the page shows the game's numbers instead.
        to_end_of_round: the entry point with the arguments ``states`` and ``action`` that computes
            `end_of_round` in place; None if the table is not cleared.

    """

    to_end_of_round: Any = None
    least_columns: int
    legend: str
    texts: Path | None = None
    board: Path | None = None

    def seat_view(self, states: States, viewpoint: int | None) -> Any:
        """Return the seat view of a position.

        Args:
            states: ``(1,)`` state records: the true position, or a position from the viewpoint's information
                set.
            viewpoint: a seat, or None to show all hidden information.

        """

    def picture(self, seat_view: Any, theme: Theme) -> Picture:
        """Return a picture of the position, 1000 pixels wide; its height is constant during a game."""

    def text(
        self, seat_view: Any, columns: int = COLUMNS, is_coloured: bool = True, has_heading: bool = True
    ) -> str:
        """Return the position as text for a terminal.

        Args:
            seat_view: the seat view.
            columns: the maximum width of lines in characters, at least `least_columns`.
            is_coloured: whether the text may contain ANSI color codes; the words are the same without them.
            has_heading: whether the text begins with the title and the headline.

        Raises:
            ValueError: if `columns` is not an ``int`` of at least `least_columns`.

        """

    def title(self, seat_view: Any) -> str:
        """Return the title of the position, a single line that may include the round and the settings."""

    def headline(self, seat_view: Any) -> str:
        """Return the seat to play and its decision, or the result of a finished game, as text."""

    def prompt(self, seat_view: Any) -> str:
        """Return the prompt for the current decision; call this method only before the end of the game."""

    def details(self, seat_view: Any) -> str:
        """Return further information about the position, such as scores, as text; may be ``""``.

        Pictures and texts show it below the headline.
        """

    def card_texts(self) -> dict[str, str]:
        """Return the texts of all cards, keyed by card name; empty if the game has no card texts."""
        return {}

    def card_labels(self) -> dict[str, str]:
        """Return the card names, keyed by the cards' labels in `text`; may be empty."""
        return {}

    def tables(self) -> dict[str, Any]:
        """Return the names, texts and colors from which the game's board on the web page is drawn.

        If the board also needs a part of the observation, ``tables["observed"]`` contains its ``first`` and
        ``last`` (exclusive) entry.
        """
        return {}

    def rules(self) -> str:
        """Return the rules in at most 1,000 words of Markdown, without card texts; may be empty."""
        return "" if self.texts is None else (self.texts / "rules.md").read_text(encoding="utf-8")

    def guide(self) -> Guide:
        """Return the introduction for new players; empty if the game has no guide."""
        return Guide() if self.texts is None else Guide.load(self.texts / "guide.toml")

    def reference(self, seat_view: Any, legal: list[int]) -> list[str]:
        """Return lines that a player needs in addition to `text`, such as card texts.

        Args:
            seat_view: the seat view of the player's seat.
            legal: the seat's legal actions; empty if it is not the seat's turn.

        """
        return []

    def choices(self, seat_view: Any, legal: list[int]) -> tuple[Choice, ...]:
        """Return a choice for each of the given legal actions; the viewpoint must be the seat to play."""

    def idle_notes(self, states: States) -> dict[int, str]:
        """Return notes, keyed by action, on legal actions that now have no effect or only a partial effect.

        Args:
            states: ``(1,)`` state records: a position from the information set of the seat to play.

        """
        return {}

    def action_text(self, seat_view: Any, action: int) -> str:
        """Return a description of an action as the seat to play sees it."""

    def move_text(self, before: States, action: int, after: States, viewpoint: int | None) -> str:
        """Return a description of an action, limited to what the viewpoint knows.

        Args:
            before: ``(1,)`` state records: the position before the action; see `Game.states_with_chance`.
            action: the action.
            after: ``(1,)`` state records: the position after the action.
            viewpoint: a seat, or None to show all hidden information.

        """

    def entries(self, before: States, action: int, after: States, viewpoint: int | None) -> tuple[Entry, ...]:
        """Return log entries for an action and its effects; for the arguments, see `move_text`."""

    def end_of_round(self, before: States, action: int, after: States) -> States | None:
        """Return the position at the end of a round, before the table was cleared for the next round.

        None if the action has not ended a round or the table is not cleared.
        """
        return None

    def round_end(self, before: States, action: int, after: States, viewpoint: int | None) -> Any:
        """Return the seat view of the table at the end of a round, before it was cleared for the next round.

        User interfaces show it until the person goes on; `headline` returns the result of the round.

        Args:
            before, action, after, viewpoint: see `move_text`.

        Returns:
            A seat view, or None if the action has not ended a round or the table is not cleared.

        """
        return None

    def points(self, seat_view: Any) -> tuple[SeatPoints, ...]:
        """Return the points of every seat."""

    def variant(self, config: Any) -> tuple[str, ...]:
        """Return labels for important settings other than the number of players, such as ``handicap 3``."""

    def prepare(self) -> None:
        """Compile the code of `entries` and `round_end`, with messages on stderr, unless it is cached."""
        return


def check_columns(columns: object, least: int) -> None:
    """Raise a ValueError unless a line width is an ``int`` of at least `least`."""
    if type(columns) is not int or columns < least:
        raise ValueError(f"columns must be an integer of at least {least}, got {quoted(columns)}")


def check_viewpoint(viewpoint: object, seats: int) -> None:
    """Raise a ValueError unless a viewpoint is None or a seat."""
    if viewpoint is not None and (type(viewpoint) is not int or not 0 <= viewpoint < seats):
        raise ValueError(f"viewpoint must be None or a seat in 0..{seats - 1}, got {quoted(viewpoint)}")


def card_line(name: str, text: str) -> str:
    """Return a card's name and text as one line."""
    lines = [line for line in text.split("\n") if line != name]
    return f"{name}: {'; '.join(lines)}"


def choice_text(choice: Choice, details: str) -> str:
    """Return a choice as one line, with its note unless the text `details` already contains the note.

    If the choice has neither a note nor a card, its `text` replaces the note.
    """
    note = choice.note or ("" if choice.card else choice.text)
    return f"{choice.action}: {choice.words}" + (f" ({note})" if note and note not in details else "")


def entry_text(entry: Entry) -> str:
    """Return a log entry as one line, with the reason for the event in parentheses."""
    prefix = f"{entry.seat}: " if entry.seat else ""
    return f"{prefix}{entry.words}" + (f" ({entry.why})" if entry.why else "")
