"""Functions that begin a game with autosave, or continue an unfinished game from its files.

An unfinished game is stored as a replay with a links file next to it (see `LinksFile`). The game continues
only if the caller gives the same settings and players; bots are never created from names in the files.
"""

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from pocketmars_agents.arena.match_replays import kind_of
from pocketmars_agents.play.links_file import SUFFIX, InUseError, LinksError, LinksFile, links_of
from pocketmars_agents.play.player_names import check_chosen_name
from pocketmars_agents.play.seats import Seating, SessionError
from pocketmars_agents.play.session import Session
from pocketmars_env.core.game_spec import spec_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.replays import Replay

VERSIONS_PER_START = 10**6
"""The version numbers of a new `Session` begin at this number times `LinksFile.starts`.

A session has fewer versions than this, so no version number occurs twice in a game.
"""


class Autosave:
    """Saves the replay of a session after every action and every undo; each save is atomic.

    Args:
        session: the session to save.
        path: the path of the replay.
        links: the open links file of the game.
        is_continued: whether the game was loaded from `path`.

    Attributes:
        session, path, links, is_continued: the constructor arguments.
        trouble: the error message if the last attempt to save failed, otherwise None.

    """

    def __init__(self, session: Session, path: Path, links: LinksFile, is_continued: bool = False) -> None:
        self.session = session
        self.path = path
        self.links = links
        self.is_continued = is_continued
        self.trouble: str | None = None
        self._kept_version: int | None = None
        self._writing = threading.Lock()
        self._naming = threading.Lock()
        session.on_change = self._try_to_keep

    @property
    def is_kept(self) -> bool:
        """Whether the current version of the session is saved."""
        return self._kept_version == self.session.version

    def keep(self) -> None:
        """Write the replay unless the current version is already saved; raise an OSError on failure."""
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
        """Set the name that other people see for a person, and write it into the links file.

        Raises:
            SessionError: if `seat` is not a person's seat, the name is invalid or taken, or the links file
                cannot be written.

        """
        session = self.session
        with self._naming:
            check_chosen_name(name, session.spec.seat_names(session.config), session.player_names(seat))
            before, self.links.names = self.links.names, {**session.chosen_names, seat: name}
            try:
                self.links.write(self.links.port)
            except OSError as error:
                self.links.names = before
                raise SessionError(f"cannot write {error.filename}: {error.strerror or error}") from error
            session.chosen_names = self.links.names

    def _try_to_keep(self) -> None:
        """Save the game; if this fails, the game continues and `trouble` contains the error message."""
        with contextlib.suppress(OSError):
            self.keep()

    def close(self) -> None:
        """Close the links file; remove it if the game is over and saved."""
        if self.session.game.over and self.is_kept:
            self.links.remove()
        else:
            self.links.close()


def fits(seating: Seating, seed: int | None, replay: Replay) -> bool:
    """Return whether a replay has these settings, players and seed; if `seed` is None, any seed fits."""
    return (
        (replay.config, replay.names) == (seating.config, seating.names)
        and set(replay.origin) == {"seed"}
        and seed in (None, replay.origin["seed"])
    )


def game_in_file(seating: Seating, seed: int | None, path: Path, is_new: bool) -> Autosave:
    """Continue the unfinished game in a file, or begin a new game if the file does not exist.

    Args:
        seating: the settings and players of the game.
        seed: the seed of the game. If it is None, an unfinished game may have any seed, and a new game gets a
            random seed.
        path: the path of the replay.
        is_new: whether the game must be new; if so, `path` must not exist.

    Raises:
        ValueError: if the replay or the links file is invalid, unreadable or in use, or if the seed of a new
            game is invalid. Also raised if `path` exists and one of these conditions holds: `is_new` is true,
            there is no links file, the game is over, or its settings, players or seed differ from the
            arguments. Existing files are left unchanged.
        OSError: if a file or its folder cannot be created, opened or written.

    """
    taken = f"{path} exists; use another name for --save"
    if path.exists() and (is_new or not links_of(path).exists()):
        raise ValueError(taken)
    new_seed = check_seed(seed)
    links = LinksFile(path)
    try:
        if not path.exists():
            return autosave_of(seating, new_seed, path, links)
        replay = Replay.load(path)
        if replay.final().over:
            raise ValueError(taken)
        if not fits(seating, seed, replay):
            raise ValueError(f"{path} holds an unfinished game with other options; {options_of(replay)}")
        return autosave_of(seating, replay.origin["seed"], path, links, replay.actions)
    except BaseException:
        links.close()
        raise


def game_in_folder(
    seating: Seating, seed: int | None, folder: Path, is_new: bool, warn: Callable[[str], None]
) -> Autosave:
    """Continue the latest suitable game in a folder, or begin a new game if none is suitable.

    A game is suitable if it is unfinished, has the given settings, players and seed, and is not being played
    by another process. If `is_new` is true, a new game begins in any case.

    Args:
        seating, seed: see `game_in_file`.
        folder: the folder that contains the replays.
        is_new: whether the game must be new.
        warn: a function that receives a message for each game that is skipped because its files are invalid,
            unreadable or not writable.

    Raises:
        ValueError: if the seed of a new game is invalid.
        OSError: if a file of the new game cannot be created or written.

    """
    if not is_new:
        for path in unfinished_games(folder):
            try:
                autosave = autosave_if_it_fits(seating, seed, path)
            except InUseError:
                continue
            except (ValueError, OSError) as error:
                warn(f"{path} is skipped: {error}")
                continue
            if autosave is not None:
                return autosave
    number = check_seed(seed)
    for path in free_paths(seating, number, folder):
        try:
            links = LinksFile(path)
        except LinksError:
            continue
        if links.is_new:
            return autosave_of(seating, number, path, links)
        links.close()
    raise AssertionError("there is always another name")


def unfinished_games(folder: Path) -> list[Path]:
    """Return the replay path for every links file in a folder, most recently modified replay first.

    Some of the replays may be missing, and some of the games may be over or in use.
    """
    found = [path.with_suffix("") for path in folder.glob(f"?*{SUFFIX}")]
    return sorted(found, key=lambda path: path.stat().st_mtime if path.exists() else 0.0, reverse=True)


def autosave_if_it_fits(seating: Seating, seed: int | None, path: Path) -> Autosave | None:
    """Continue a game if it is unfinished and has these settings, players and seed; otherwise returns None.

    If the game is over or the replay is missing, the links file is removed, unless it has no complete line
    yet.

    Raises:
        InUseError: if another process is playing the game.
        ValueError: if the replay or the links file cannot be read or is invalid.
        OSError: if the links file cannot be opened or removed, or a file cannot be written.

    """
    links = LinksFile(path)
    try:
        replay = Replay.load(path) if path.exists() else None
        if replay is not None and not replay.final().over:
            if fits(seating, seed, replay):
                return autosave_of(seating, replay.origin["seed"], path, links, replay.actions)
        elif not links.is_new:
            links.remove()
    except BaseException:
        links.close()
        raise
    links.close()
    return None


def options_of(replay: Replay) -> str:
    """Return a replay's players, its settings that are not None, and its origin, as text."""
    settings = {name: value for name, value in replay.config.as_dict().items() if value is not None}
    return f"its seats: {', '.join(replay.names)}; its settings: {settings}; its origin: {replay.origin}"


def autosave_of(
    seating: Seating, seed: int, path: Path, links: LinksFile, actions: tuple[int, ...] | None = None
) -> Autosave:
    """Begin a game, or continue one after `actions`, and write the game's files."""
    session = Session(seating, seed, actions or ())
    session.version += links.starts * VERSIONS_PER_START
    links.tokens_for(session.humans)
    session.chosen_names = links.names
    links.write(links.port)
    autosave = Autosave(session, path, links, is_continued=actions is not None)
    autosave.keep()
    return autosave


def free_paths(seating: Seating, seed: int, folder: Path) -> Iterator[Path]:
    """Yield unused replay paths in a folder, such as ``pocketmars_solo-standard_seed-7.json``.

    If several people play, the names do not contain the seed, because it reveals all hidden cards and every
    person sees the path.
    """
    config = seating.config
    kind = ("solo-" if config.players == 1 else "") + kind_of(config)
    stem = f"{spec_of(config).namespace}_{kind}"
    if len(seating.humans) == 1:
        stem += f"_seed-{seed}"
    for number in itertools.count(1):
        path = folder / (f"{stem}.json" if number == 1 else f"{stem}_{number}.json")
        if not path.exists():
            yield path
