"""Keeps a game as a replay while it is played."""

import contextlib
import threading
from pathlib import Path

from pocketmars_agents.play.links_file import LinksFile
from pocketmars_agents.play.session import Session


class Autosave:
    """Writes the replay of a sitting to its file after every change, whole or not at all.

    Args:
        sitting: the game.
        path: the replay's file.
        links: the open file of the game's links.
        is_continued: whether an earlier process has begun the game.

    Attributes:
        sitting, path, links, is_continued: as above.
        trouble: why the file could not be written the last time, or None.

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
        """Whether the file holds the game as it stands."""
        return self._kept_version == self.session.version

    def keep(self) -> None:
        """Write the replay, unless it is kept already.

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

    def _try_to_keep(self) -> None:
        """`keep` in the middle of a game, which is not lost yet if that fails: `trouble` tells why."""
        with contextlib.suppress(OSError):
            self.keep()

    def close(self) -> None:
        """Give the game free; a game that has ended needs no links."""
        if self.session.game.over and self.is_kept:
            self.links.remove()
        else:
            self.links.close()
