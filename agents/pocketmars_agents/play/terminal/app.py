"""The terminal app, which shows the table screen and handles saving and quitting."""

import os

from textual import work
from textual.app import App

from pocketmars_agents.play.saved_games import Autosave
from pocketmars_agents.play.terminal.dialogs import Note, Question
from pocketmars_agents.play.terminal.table_screen import TableScreen
from pocketmars_agents.play.terminal.thread import in_thread

LIGHT, DARK = "textual-light", "textual-dark"


class PlayApp(App[None]):
    """Textual app in which people play a session."""

    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, autosave: Autosave) -> None:
        super().__init__()
        self._autosave, self._session = autosave, autosave.session
        self.title = self._session.spec.title
        self.theme = theme_for(os.environ.get("COLORFGBG", ""))

    def on_mount(self) -> None:
        self.push_screen(TableScreen(self._session))

    def action_colours(self) -> None:
        self.theme = DARK if self.theme == LIGHT else LIGHT

    # --- the replay ---------------------------------------------------------------------------------

    @work(exclusive=True, group="keep")
    async def _keep(self, is_announced: bool = False) -> None:
        """Save the replay; show a message if `is_announced` is true or if saving fails."""
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
        """Save the replay and show the result."""
        self._keep()
        words = f"\n\nThe game is saved in {self._autosave.path}.\nEnter: look at the table · q: quit"
        self.push_screen(Note("The end", event.words + words))

    # --- quitting -----------------------------------------------------------------------------------

    async def action_quit(self) -> None:
        """Handle Textual's built-in quit key by calling `action_leave`."""
        self.action_leave()

    def action_leave(self) -> None:
        """Quit the app; if the session is not over, a dialog first asks for confirmation."""
        if self._session.over:
            self.exit()
        elif not isinstance(self.screen, Question):
            words = f"The game is not over. It is saved in {self._autosave.path}."
            self.push_screen(Question("Quit?", words), self._leave)

    def _leave(self, is_sure: bool | None) -> None:
        if is_sure:
            self.exit()


def theme_for(colours: str) -> str:
    """Return the theme for a ``COLORFGBG`` value: light if the background color is 7 or 15, else dark."""
    return LIGHT if colours.rpartition(";")[2] in ("7", "15") else DARK


def run(autosave: Autosave) -> None:
    """Run the terminal app until a person quits."""
    PlayApp(autosave).run()
