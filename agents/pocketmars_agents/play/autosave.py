"""Autosave: saves a game as a replay after every change."""

import contextlib
import threading
from pathlib import Path

from pocketmars_agents.play.links_file import LinksFile
from pocketmars_agents.play.player_names import check_chosen_name
from pocketmars_agents.play.seats import SessionError
from pocketmars_agents.play.session import Session


class Autosave:
    """Saves the replay of a session after every change; files are written atomically.

    Args:
        session: the session.
        path: the file of the replay.
        links: the open links file of the game.
        is_continued: whether an earlier process began the game.

    Attributes:
        session, path, links, is_continued: as above.
        trouble: the error of the last attempt to save, or None.

    """

    def __init__(self, session: Session, path: Path, links: LinksFile, is_continued: bool = False) -> None:
        self.session = session
        self.path = path
        self.links = links
        self.is_continued = is_continued
        self.trouble: str | None = None
        self._kept_version: int | None = None
        self._writing = threading.Lock()
        session.on_change = self._try_to_keep

    @property
    def is_kept(self) -> bool:
        """Whether the file is up to date."""
        return self._kept_version == self.session.version

    def keep(self) -> None:
        """Writes the replay unless the file is up to date.

        Raises:
            OSError: if the file cannot be written.

        """
        with self._writing:
            version = self.session.version
            if self._kept_version == version:
                return
            try:
                self.session.replay().save(self.path)
            except OSError as error:
                self.trouble = f"cannot write {self.path}: {error.strerror or error}"
                raise
            self.trouble = None
            self._kept_version = version

    def choose_name(self, seat: str, name: str) -> None:
        """Sets the name by which the others know a person, and writes it into the links file.

        Raises:
            SessionError: if it is not a person's seat, the name is not accepted or taken, or the file cannot
                be written.

        """
        session = self.session
        check_chosen_name(name, session.spec.seat_names(session.config), session.player_names(seat))
        self.links.names = {**session.chosen_names, seat: name}
        try:
            self.links.write(self.links.port)
        except OSError as error:
            raise SessionError(f"cannot write {error.filename}: {error.strerror or error}") from error
        session.chosen_names = self.links.names

    def _try_to_keep(self) -> None:
        """Saves during a game. If this fails, the game continues and `trouble` holds the error."""
        with contextlib.suppress(OSError):
            self.keep()

    def close(self) -> None:
        """Closes the links file; removes it if the game is over and saved."""
        if self.session.game.over and self.is_kept:
            self.links.remove()
        else:
            self.links.close()
