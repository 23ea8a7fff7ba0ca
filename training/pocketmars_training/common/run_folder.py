"""The folder of a run: settings file, copy of the initial policy, and lock against other processes."""

import dataclasses
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pocketmars_agents.registry import needs_trust
from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.file_locks import open_locked
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.settings import did_you_mean
from pocketmars_training.common import checkpoints
from pocketmars_training.common.settings import RunSettings

SETTINGS_FILE = "settings.json"
LOCK_FILE = "lock"
MAX_BYTES = 2**20
"""Maximum size of the settings file in bytes."""
START_FOLDER = "start"
"""The subfolder for a copy of the initial policy."""
MAX_START_BYTES = 2**30
LOGS = ("events.out.tfevents.*", "log.jsonl")


class RunError(RuntimeError):
    """Raised if a run cannot start, continue or write its results."""


def begin_folder(settings: RunSettings) -> io.FileIO:
    """Create a new run's folder or check a resumed run's folder; then lock it and write the settings."""
    try:
        if settings.resume:
            check_same_run(settings)
            locked = lock_folder(settings.run)
            write_settings(settings)
            return locked
        settings.run.mkdir(parents=True, exist_ok=True)
        check_free(settings.run)
        locked = lock_folder(settings.run)
        for log in (path for pattern in LOGS for path in settings.run.glob(pattern)):
            log.unlink()  # logs of a run that ended before its first checkpoint
        write_settings(settings)
    except OSError as error:
        raise RunError(f"{settings.run} cannot be the folder of a run: {error}") from error
    return locked


def check_free(folder: Path) -> None:
    """Raise a RunError if the folder contains a checkpoint, or if it has files but no settings file."""
    if checkpoints.kept(folder):
        raise RunError(
            f"{folder} already contains a run: continue with --resume {folder}, or give another --run"
        )
    names = {path.name for path in folder.iterdir()} - {LOCK_FILE, f".{SETTINGS_FILE}.part"}
    if names and SETTINGS_FILE not in names:
        raise RunError(f"{folder} is not empty and contains no run: give another --run")


def check_same_run(settings: RunSettings) -> None:
    """Raise a RunError if the run in the folder cannot be resumed with the given settings.

    A run cannot be resumed if its rules version is not the current one, if its settings file is missing or
    invalid, if this file has settings that the script no longer has, or if a setting that is not in
    `may_change` has been changed. Settings that are not in the file have their default values.
    """
    kept = read_settings(settings.run, settings.command)
    is_same_game = kept.get("game", settings.spec.name) == settings.spec.name
    if is_same_game and kept.get("rules_version") != settings.spec.rules_version:
        raise RunError(f"the run in {settings.run} belongs to another version of the rules")
    values = plain(settings)
    if gone := kept.keys() - values.keys() - {"rules_version"}:
        suggestion = did_you_mean(min(gone), values)
        raise RunError(
            f"{suggestion}the run in {settings.run} was trained by an older version or another script, "
            f"with the settings {', '.join(sorted(map(quoted, gone)))}; start a new run"
        )
    defaults = {field.name: field.default for field in dataclasses.fields(settings)}
    differing = [
        f"{name} {quoted(before)}, now {quoted(value)}"
        for name, value in values.items()
        if name not in settings.may_change and (before := kept.get(name, defaults[name])) != value
    ]
    if differing:
        raise RunError(f"{settings.run} is a run with other settings: {'; '.join(differing)}")


def read_settings(folder: Path, command: str) -> dict[str, Any]:
    """Read the settings file of a run of the script with this command as plain data."""
    try:
        data = gate.read_file(folder / SETTINGS_FILE, MAX_BYTES)
        kept = gate.decode(data, dict[str, Any], SETTINGS_FILE)
    except (OSError, ValueError) as error:
        raise RunError(f"{folder} contains no run to resume ({error})") from error
    started_with = kept.pop("command", command)  # not in older files
    if started_with != command:
        raise RunError(f"{folder} is a run of {quoted(started_with)}: resume it with that command")
    return kept


def write_settings(settings: RunSettings) -> None:
    """Write the settings file and, for a new run with an initial policy, a copy of that policy."""
    start = getattr(settings, "start", None)
    if start is not None and not settings.resume:
        write_whole(settings.run / START_FOLDER / start.name, gate.read_file(start, MAX_START_BYTES))
    content = {
        "command": settings.command,
        "rules_version": settings.spec.rules_version,
        **plain(settings),
    }
    write_whole(settings.run / SETTINGS_FILE, json.dumps(content, indent=1).encode())


def settings_to_resume(folder: Path, command: str) -> dict[str, Any]:
    """Return the settings for resuming a run, as defaults for its options; the file cannot give trust."""
    kept = read_settings(folder, command)
    if kept.get("start") is not None:
        kept["start"] = folder / START_FOLDER / Path(str(kept["start"])).name
    return kept | {"run": folder, "trust": False}


def check_trust(folder: Path, names: Iterable[Any]) -> None:
    """Raise a RunError if any agent in `names`, taken from a run's settings, requires ``--trust``."""
    untrusted = list(dict.fromkeys(name for name in names if is_foreign(name)))
    if untrusted:
        raise RunError(
            f"the run in {folder} uses bots that need --trust: {', '.join(untrusted)}. Check them first: "
            "--trust runs their modules and programs, opens their policies and calls their models"
        )


def is_foreign(name: Any) -> bool:
    """Return whether a name from a settings file requires ``--trust``; invalid values are rejected later."""
    try:
        return isinstance(name, str) and needs_trust(name)
    except ValueError:
        return False


def lock_folder(folder: Path) -> io.FileIO:
    """Lock a folder against other training processes until the returned file is closed."""
    file = open_locked(folder / LOCK_FILE)
    if file is None:
        raise RunError(f"another process is training in {folder}")
    return file


def plain(settings: RunSettings) -> dict[str, Any]:
    """Return all settings except `run`, `resume` and `trust` as plain data; paths become file names."""
    data = dataclasses.asdict(settings)
    del data["run"], data["resume"], data["trust"]
    return json.loads(json.dumps(data, default=lambda path: path.name))  # type: ignore[no-any-return]
