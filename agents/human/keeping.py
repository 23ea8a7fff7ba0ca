"""Where the replay of a sitting is kept."""

import threading
from pathlib import Path

from agents.human.sitting import Sitting


class Keeper:
    """Writes the replay of a sitting to its file, whole, as often as there is something new.

    Args:
        sitting: the game.
        path: the file.

    Attributes:
        path: as above.
        is_kept: whether the file holds the game as it stands.

    """

    def __init__(self, sitting: Sitting, path: Path) -> None:
        self.sitting = sitting
        self.path = path
        self._kept_version: int | None = None
        self._writing = threading.Lock()

    @property
    def is_kept(self) -> bool:
        return self._kept_version == self.sitting.version

    def keep(self) -> None:
        """Write the replay, unless it is kept already.

        Raises:
            OSError: if the file cannot be written.

        """
        with self._writing:
            version = self.sitting.version
            if self._kept_version != version:
                self.sitting.replay().save(self.path)
                self._kept_version = version


def free_path(sitting: Sitting, folder: Path) -> Path:
    """A file in the folder that does not exist yet, such as ``pocketmars_solo_seed-7.json``."""
    config = sitting.config
    kind = f"solo-{config.level}" if config.is_solo else f"{config.players}-players"
    stem = f"pocketmars_{kind}_seed-{sitting.seed}"
    number = 1
    path = folder / f"{stem}.json"
    while path.exists():
        number += 1
        path = folder / f"{stem}_{number}.json"
    return path
