"""The terminal program: the table's screen, saving and leaving."""

import os
from pathlib import Path

from textual.app import App

from agents.human.sitting import Sitting
from agents.human.terminal_dialogs import Note, Question
from agents.human.terminal_table import TableScreen

LIGHT, DARK = "textual-light", "textual-dark"


class PlayApp(App[None]):
    """A sitting in the terminal.

    Args:
        sitting: the game.
        save: the replay's file; None for a game that is not saved.

    """

    TITLE = "Pocket Mars"
    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, sitting: Sitting, save: Path | None) -> None:
        super().__init__()
        self._sitting = sitting
        self._save = save
        self.theme = theme_for(os.environ.get("COLORFGBG", ""))

    def on_mount(self) -> None:
        self.push_screen(TableScreen(self._sitting))

    def action_colours(self) -> None:
        self.theme = DARK if self.theme == LIGHT else LIGHT

    # --- saving -------------------------------------------------------------------------------------

    def save(self) -> str:
        """Save the game as far as it has come. Returns where, or why it is not saved, as a sentence."""
        if self._save is None:
            return "This game is not saved: no file was given for it."
        try:
            self._sitting.replay().save(self._save)
        except OSError as error:
            return f"The game could not be saved: {error}."
        return f"The game is saved in {self._save}."

    def action_save(self) -> None:
        self.notify(self.save(), markup=False)

    def on_table_screen_ended(self, event: TableScreen.Ended) -> None:
        """Save the finished game and show its result."""
        words = event.words + f"\n\n{self.save()}\n\nEnter: look at the table · q: quit"
        self.push_screen(Note("The end", words, ""))

    # --- leaving ------------------------------------------------------------------------------------

    async def action_quit(self) -> None:
        """Leave, by the key that Textual has for that."""
        self.action_leave()

    def action_leave(self) -> None:
        """Leave; while the game is running, only after asking."""
        if self._sitting.over:
            self.exit()
        elif not isinstance(self.screen, Question):
            then = "It is not saved" if self._save is None else f"It is saved in {self._save}, unfinished"
            self.push_screen(Question("Quit?", f"The game is running. {then}."), self._leave)

    def _leave(self, is_sure: bool | None) -> None:
        if is_sure:
            self.exit()


def theme_for(colours: str) -> str:
    """Light or dark, by what many terminals tell in ``COLORFGBG``, such as ``"0;15"``; dark if unknown."""
    return LIGHT if colours.rpartition(";")[2] in ("7", "15") else DARK
