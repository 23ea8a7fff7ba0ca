"""Terminal app: the table screen, saving and quitting."""

import os

from textual import work
from textual.app import App

from pocketmars_agents.play.autosave import Autosave
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.terminal.dialogs import Note, Question
from pocketmars_agents.play.terminal.table_screen import TableScreen
from pocketmars_agents.play.terminal.thread import in_thread

LIGHT, DARK = "textual-light", "textual-dark"


class PlayApp(App[None]):
    """Textual app for a session.

    Args:
        session: the session.
        autosave: saves the game; None for a game that is not saved.

    """

    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, session: Session, autosave: Autosave | None) -> None:
        super().__init__()
        self.title = session.spec.title
        self._session = session
        self._autosave = autosave
        self.theme = theme_for(os.environ.get("COLORFGBG", ""))

    def on_mount(self) -> None:
        self.push_screen(TableScreen(self._session))

    def action_colours(self) -> None:
        self.theme = DARK if self.theme == LIGHT else LIGHT

    # --- the replay ---------------------------------------------------------------------------------

    @work(exclusive=True, group="keep")
    async def _keep(self, is_announced: bool = False) -> None:
        """Saves the replay; shows a message on request, and always on failure."""
        if self._autosave is None:
            if is_announced:
                self.notify("This game has no file, so it is not saved.", severity="warning")
            return
        try:
            await in_thread(self._autosave.keep)
        except OSError as error:
            message = f"The game cannot be saved in {self._autosave.path}: {error.strerror}."
            self.notify(message, severity="error", markup=False)
        else:
            if is_announced:
                self.notify(f"The game is saved in {self._autosave.path}.", markup=False)

    def action_save(self) -> None:
        self._keep(is_announced=True)

    def on_table_screen_acted(self) -> None:
        self._keep()

    def on_table_screen_ended(self, event: TableScreen.Ended) -> None:
        """Shows the result."""
        self._keep()
        where = f"The game is saved in {self._autosave.path}.\n" if self._autosave else ""
        keys = "Enter: look at the table · q: quit"
        self.push_screen(Note("The end", event.words + f"\n\n{where}{keys}"))

    # --- leaving ------------------------------------------------------------------------------------

    async def action_quit(self) -> None:
        """Quits, with Textual's own key."""
        self.action_leave()

    def action_leave(self) -> None:
        """Quits; during a game, a dialog asks for confirmation."""
        if self._session.over:
            self.exit()
        elif not isinstance(self.screen, Question):
            where = f"saved in {self._autosave.path}" if self._autosave else "not saved"
            self.push_screen(Question("Quit?", f"The game is not over. It is {where}."), self._leave)

    def _leave(self, is_sure: bool | None) -> None:
        if is_sure:
            self.exit()


def theme_for(colours: str) -> str:
    """Returns the theme for the value of ``COLORFGBG``, such as ``"0;15"``; dark by default."""
    return LIGHT if colours.rpartition(";")[2] in ("7", "15") else DARK


def run(autosave: Autosave) -> None:
    """Runs a session in the terminal until it is closed.

    Args:
        autosave: the session and its files.

    """
    PlayApp(autosave.session, autosave).run()
