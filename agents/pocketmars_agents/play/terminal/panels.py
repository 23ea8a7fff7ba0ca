"""Panels of the table screen."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text
from textual import events
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from pocketmars_agents.play.player_names import PlayerNames
from pocketmars_agents.play.terminal.words import CARD_META, CHOICE_KEYS, choice_line, log_lines, table_lines
from pocketmars_env.core.presentation.interface import Choice, Entry, Presentation


class Choices(OptionList):
    """List of the legal actions.

    A person chooses an action with the arrow keys and Enter, with the action's key if it has one, or with a
    click. The highlight follows the mouse.
    """

    class Looked(Message):
        """Posted when a choice is highlighted."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    class Chosen(Looked):
        """Posted when a choice is selected."""

    def __init__(self) -> None:
        super().__init__(id="choices")
        self.border_title = "Choices"
        self._choices: tuple[Choice, ...] = ()

    def show(self, choices: Sequence[Choice]) -> None:
        """Show the choices, if any, and highlight the first one."""
        self._choices = tuple(choices)
        self.set_options(Option(choice_line(choice, index)) for index, choice in enumerate(choices))
        if choices:
            self.highlighted = 0

    def point_to(self, action: int) -> None:
        """Highlight the choice with this action, if there is one."""
        for index, choice in enumerate(self._choices):
            if choice.action == action:
                self.highlighted = index

    def choose_by_key(self, key: str) -> bool:
        """Select the choice with this key; return whether there is such a choice."""
        index = CHOICE_KEYS.find(key) if len(key) == 1 else -1
        if not 0 <= index < len(self._choices):
            return False
        self.highlighted = index
        self.post_message(self.Chosen(self._choices[index]))
        return True

    def on_mouse_move(self, event: events.MouseMove) -> None:
        index = event.style.meta.get("option")
        if index is not None:
            self.highlighted = index

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_index < len(self._choices):
            self.post_message(self.Looked(self._choices[event.option_index]))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_index < len(self._choices):
            self.post_message(self.Chosen(self._choices[event.option_index]))


class TablePanel(VerticalScroll):
    """Panel with the game table."""

    class Pointed(Message):
        """Posted when the mouse moves over a card that the person knows."""

        def __init__(self, card: str) -> None:
            super().__init__()
            self.card = card

    def __init__(self, presentation: Presentation) -> None:
        super().__init__(Static(), id="table")
        self._presentation = presentation
        self._seat_view: Any = None
        self._names: PlayerNames | None = None

    def show(self, seat_view: Any, names: PlayerNames) -> None:
        """Show the table as a person sees it, fitted to the width of the panel if possible."""
        self._seat_view, self._names = seat_view, names
        self.border_title = self._presentation.title(seat_view)
        self._fill()

    def on_resize(self) -> None:
        self._fill()

    def _fill(self) -> None:
        if self._names is not None:
            columns = self.scrollable_content_region.width
            self.query_one(Static).update(
                table_lines(self._presentation, self._seat_view, self._names, columns)
            )

    def on_mouse_move(self, event: events.MouseMove) -> None:
        card = event.style.meta.get(CARD_META)
        if card is not None:
            self.post_message(self.Pointed(card))


class LogPanel(VerticalScroll):
    """Panel with the game log, which stays scrolled to the newest entry until the person scrolls."""

    def __init__(self) -> None:
        super().__init__(Static(), id="log")
        self.border_title = "What happened"

    def on_mount(self) -> None:
        self.anchor()

    def show(self, entries: Sequence[Entry]) -> None:
        """Replace the displayed entries with the given ones."""
        self.query_one(Static).update(log_lines(entries))


class TextPanel(VerticalScroll):
    """Panel with the text of a card or a choice."""

    def __init__(self) -> None:
        super().__init__(Static(), id="text")
        self.border_title = "Text"

    def show(self, text: str) -> None:
        """Show the text, with the first line in bold as a heading."""
        heading, line_break, rest = text.partition("\n")
        self.query_one(Static).update(Text.assemble((heading, "bold"), line_break, rest))
