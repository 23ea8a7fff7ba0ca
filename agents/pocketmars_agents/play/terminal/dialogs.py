"""Screens shown over the table screen: dialogs, and a cover that hides the game."""

from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

T = TypeVar("T")

HELP = """\
Choose an action
  ↑ ↓ Enter     the highlighted choice
  1 2 … a b …   the choice with this key
  click         the choice under the mouse
  The text of the highlighted card is shown beside the choices.

Commands
  h   hint: the action that a bot would choose
  u   undo the last action (practice games)
  l   full log
  s   save the game
  t   light or dark colors
  q   quit; asks for confirmation during a game
  ?   help
  Page Up, Page Down   scroll the table
  Tab                  go to the next panel

The table
{legend}
  Point at a card with the mouse to read its text.
"""


class Cover(Screen[None]):
    """Screen that asks for the next person at the terminal and hides the game until that person is ready."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go_on", "I am here"),
        Binding("q", "app.leave", "Quit"),
    ]

    def __init__(self, person: str) -> None:
        super().__init__()
        self._person = person

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="card"):
            yield Static(self._words())
        yield Footer()

    def _words(self) -> Text:
        return Text.assemble(
            "Hand over to ", (self._person, "bold"), f"\n\n{self._person}: press Enter when you are alone"
        )

    def on_click(self) -> None:
        self.action_go_on()

    def action_go_on(self) -> None:
        self.dismiss(None)


class Dialog(ModalScreen[T]):
    """Base class for dialogs that display text, with a title in the upper border."""

    keys: ClassVar[str]
    """The text in the lower border, which lists the keys and their meanings."""

    def __init__(self, title: str, text: str | Text) -> None:
        super().__init__()
        self._heading, self._text = title, text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="card") as card:
            card.border_title = self._heading
            card.border_subtitle = self.keys
            yield Static(self._text, markup=False)


class Note(Dialog[None]):
    """Dialog that displays text until the person closes it."""

    keys = "Enter: close"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,space,question_mark", "close", "Close"),
        Binding("q", "app.leave", "Quit"),
    ]

    def action_close(self) -> None:
        self.dismiss(None)


class Question(Dialog[bool]):
    """Dialog with a yes-or-no question."""

    keys = "y yes · n no"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
    ]

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)
