"""Functions that begin a game with autosave, or continue an unfinished game from its files.

A game is stored as a replay. The links file (see `LinksFile`) next to the first game of a command names the
current game, which can be a rematch or another new game. The current game continues only if the caller gives
the settings and players of the first game; bots are never created from names of players in the files.
"""

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from pocketmars_agents.arena.match_replays import kind_of
from pocketmars_agents.game_bots import current_name
from pocketmars_agents.play.links_file import SUFFIX, InUseError, LinksError, LinksFile, links_of
from pocketmars_agents.play.new_games import NewGames, Settings
from pocketmars_agents.play.player_names import check_chosen_name
from pocketmars_agents.play.seats import Seating, SessionError
from pocketmars_agents.play.session import Session
from pocketmars_env.core.game_spec import spec_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.replays import Replay

VERSIONS_PER_START = 10**6
"""The version numbers of a new `Session` begin at this number times `LinksFile.starts`.

A session has fewer versions than this, so the version numbers of a page never decrease.
"""


class Autosave:
    """Saves the replay of the current game after every action and every undo; each save is atomic."""

    def __init__(self, session: Session, links: LinksFile, is_continued: bool = False) -> None:
        self.session = session
        self.links = links
        self.is_continued = is_continued  # whether the game was loaded from its replay
        self.trouble: str | None = None  # the error message if the last attempt to save failed
        self._kept_version: int | None = None
        self._writing = threading.Lock()
        self._changing = threading.Lock()  # of the names or the game
        session.on_change = self._try_to_keep

    @property
    def path(self) -> Path:
        """The path of the current game's replay."""
        return self.links.replay

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
        """Set the name that other people see for a person, and write it into the links file."""
        with self._changing:
            session = self.session
            check_chosen_name(name, session.config.seat_names, session.player_names(seat))
            try:
                self.links.write(names={**session.chosen_names, seat: name})
            except OSError as error:
                raise SessionError(f"cannot write {error.filename}: {error.strerror or error}") from error
            session.chosen_names = self.links.names

    def begin(self, seating: Seating, settings: Settings, seed: int | None, version: int) -> None:
        """Save the current game, and begin another one in the same folder, with the same links and names."""
        with self._changing:
            last, links = self.session, self.links
            last.check_version(version)
            if len(seating.humans) != len(last.humans):
                raise SessionError(f"the number of people must be {len(last.humans)}, as in the last game")
            seats = dict(zip(last.humans, seating.humans, strict=True))
            tokens, names = (
                {seats[seat]: value for seat, value in by_seat.items() if seat in seats}
                for by_seat in (links.tokens, links.names)
            )
            session = Session(seating, seed)
            session.version += links.starts * VERSIONS_PER_START
            try:
                self.keep()
                new = new_links(seating, session.seed, links.path.parent)  # locks the path of the replay
                try:
                    session.replay().save(new.replay)
                    with self._writing:
                        links.write(tokens=tokens, names=names, game=new.game, settings=settings)
                        session.chosen_names, session.on_change = links.names, self._try_to_keep
                        self.session, self._kept_version = session, session.version
                finally:
                    new.remove()
            except OSError as error:
                raise SessionError(f"cannot write {error.filename}: {error.strerror or error}") from error

    def _try_to_keep(self) -> None:
        """Save the game; if this fails, the game continues and `trouble` contains the error message."""
        with contextlib.suppress(OSError):
            self.keep()

    def close(self) -> None:
        """Close the links file; remove it if the current game is over and saved."""
        if self.session.game.over and self.is_kept:
            self.links.remove()
        else:
            self.links.close()


def fits(seating: Seating, seed: int | None, replay: Replay) -> bool:
    """Return whether a replay has these settings, players and seed; if `seed` is None, any seed fits."""
    return (
        (replay.config, tuple(map(current_name, replay.names))) == (seating.config, seating.names)
        and set(replay.origin) == {"seed"}
        and seed in (None, replay.origin["seed"])
    )


def game_in_file(
    seating: Seating, seed: int | None, path: Path, is_new: bool, new_games: NewGames | None = None
) -> Autosave:
    """Continue the current game of the links in a file, or begin a new game if the file does not exist."""
    taken = f"{path} exists; use another name for --save"
    if path.exists() and (is_new or not links_of(path).exists()):
        raise ValueError(taken)
    new_seed = check_seed(seed)
    links = LinksFile(path)
    try:
        if not path.exists():
            links.game, links.settings = path.name, None  # not those of an earlier game
            return autosave_of(Session(seating, new_seed), links)
        first, current = Replay.load(path), unfinished_replay(links)
        if current is None:
            raise ValueError(taken)
        if not fits(seating, seed, first):
            raise ValueError(f"{path} holds an unfinished game with other options; {options_of(first)}")
        return continued(seating, links, current, new_games)
    except BaseException:
        links.close()
        raise


def game_in_folder(
    seating: Seating,
    seed: int | None,
    folder: Path,
    is_new: bool,
    warn: Callable[[str], None],
    new_games: NewGames | None = None,
) -> Autosave:
    """Continue the latest suitable game in a folder, or begin a new game if none is suitable.

    A game is suitable if it is the unfinished current game of links whose first game has the given settings,
    players and seed, and if it is not being played by another process. If `is_new` is true, a new game begins
    in any case.
    """
    if not is_new:
        for path in games_with_links(folder):
            try:
                autosave = autosave_if_it_fits(seating, seed, path, new_games)
            except InUseError:
                continue
            except (ValueError, OSError) as error:
                warn(f"{path} is skipped: {error}")
                continue
            if autosave is not None:
                return autosave
    number = check_seed(seed)
    links = new_links(seating, number, folder)
    return autosave_of(Session(seating, number), links)


def games_with_links(folder: Path) -> list[Path]:
    """Return the path of the first game for every links file in a folder, most recently written file first.

    Some of the replays may be missing, and some of the games may be over or in use.
    """
    paths = sorted(folder.glob(f"?*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    return [path.with_suffix("") for path in paths]


def autosave_if_it_fits(
    seating: Seating, seed: int | None, path: Path, new_games: NewGames | None
) -> Autosave | None:
    """Continue the current game of links; return None if it is over or the first game has other options.

    If the current game is over or its replay is missing, the links file is removed, unless it has no complete
    line yet.
    """
    links = LinksFile(path)
    try:
        current = unfinished_replay(links)
        if current is not None:
            first = Replay.load(path) if path.exists() else current
            if fits(seating, seed, first):
                return continued(seating, links, current, new_games)
        elif not links.is_new:
            links.remove()
    except BaseException:
        links.close()
        raise
    links.close()
    return None


def unfinished_replay(links: LinksFile) -> Replay | None:
    """Return the replay of the current game; None if the game is over or the replay is missing."""
    replay = Replay.load(links.replay) if links.replay.exists() else None
    return None if replay is None or replay.final().over else replay


def options_of(replay: Replay) -> str:
    """Return a replay's players, its settings that are not None, and its origin, as text."""
    settings = {name: value for name, value in replay.config.as_dict().items() if value is not None}
    return f"its seats: {', '.join(replay.names)}; its settings: {settings}; its origin: {replay.origin}"


def continued(seating: Seating, links: LinksFile, replay: Replay, new_games: NewGames | None) -> Autosave:
    """Continue the current game; raise a ValueError if its replay has other settings or players."""
    if links.settings is not None and new_games is not None:
        try:
            seating = new_games.seating(links.settings)
        except SessionError as error:
            raise LinksError(f"{links.path} is damaged: {error}") from error
    if not fits(seating, None, replay):
        raise ValueError(f"{links.replay} is not the game that {links.path} names; {options_of(replay)}")
    session = Session(seating, replay.origin["seed"], replay.actions)
    return autosave_of(session, links, is_continued=True)


def autosave_of(session: Session, links: LinksFile, is_continued: bool = False) -> Autosave:
    """Write the game's files."""
    session.version += links.starts * VERSIONS_PER_START
    links.write(tokens=links.tokens_for(session.humans))
    session.chosen_names = links.names
    autosave = Autosave(session, links, is_continued)
    autosave.keep()
    return autosave


def new_links(seating: Seating, seed: int, folder: Path) -> LinksFile:
    """Return the open links file of a new game in a folder."""
    for path in free_paths(seating, seed, folder):
        try:
            links = LinksFile(path)
        except LinksError:
            continue
        if links.is_new:
            return links
        links.close()
    raise AssertionError("there is always another name")


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
