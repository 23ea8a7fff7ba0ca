"""The replay file format: a JSON object with one entry per line.

    {
    "format": "pocketmars-replay",
    "version": 2,
    "pocketmars_env": "0.3.0",
    ...
    "checksum": "0123456789abcdef"
    }

`ENTRIES` lists the entries. This module checks the JSON syntax, the format version, and the names and types
of the entries. `Replay.from_bytes` also checks the origin and the checksums, and replays the game.
"""

import hashlib
import json
from typing import Any

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.reading import parse_json
from pocketmars_env.core.game_spec import default_game

Data = dict[str, Any]

FORMAT = "pocketmars-replay"
VERSION = 2
"""The current version of the format; files of version 1 contain Pocket Mars games under rules version 0."""
MAX_BYTES = 64 * 2**20
"""The maximum size of a file in bytes; a replay of a long game is about 10 KB."""

ENTRIES: dict[str, tuple[type, str]] = {
    "format": (str, "always `pocketmars-replay`"),
    "version": (int, "the version of this format, now 2"),
    "pocketmars_env": (str, "the version of the package that wrote the file"),
    "title": (str, "a description of the game; may be empty"),
    "game": (str, "the name of the game; only if it is not the default game, Pocket Mars"),
    "config": (dict, "the settings, as `Game.config.as_dict()` returns them"),
    "origin": (dict, "the start of the game, as `Game.origin` returns it: a seed, a deal, or a position"),
    "names": (list, "the name of the agent, person or automaton in each seat"),
    "actions": (list, "all actions, as numbers"),
    "over": (bool, "whether the game had ended"),
    "scores": (list, "the points of every seat after the last action"),
    "winners": (list, "the winning seats; empty if the game had not ended"),
    "final": (str, "checksum of the snapshot after the last action"),
    "checksum": (str, "checksum of all entries above"),
}
"""The entries of a file in order, with their Python types and meanings."""
OPTIONAL = {"game"}


class ReplayError(ValueError):
    """Raised if a replay, a replay file, or the viewpoint or analysis of a replay page is invalid."""


def checksum(data: object) -> str:
    """Return a checksum of JSON-serializable data, as 16 hexadecimal digits."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def to_bytes(data: Data) -> bytes:
    """Return the content of a replay file; `data` contains all entries except ``checksum``."""
    entries = {**data, "checksum": checksum(data)}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def from_bytes(content: bytes) -> Data:
    """Parse a replay file's content and return its entries; the origin and checksums are not checked."""
    data = parsed(content)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ReplayError(f'it is not a replay: a replay is a JSON object with "format": "{FORMAT}"')
    version = data.get("version")
    if type(version) is int and version > VERSION:
        raise ReplayError(
            f"it has format version {version} and was written by pocketmars_env "
            f"{quoted(data.get('pocketmars_env'))}, but the installed pocketmars_env reads only version "
            f"{VERSION}: install a newer one"
        )
    if version == 1 and type(version) is int:
        raise ReplayError(default_game().older_version("it"))
    if version != VERSION:
        raise ReplayError(f"it is damaged: version must be {VERSION}, got {quoted(version)}")
    check_entries(data)
    return data


def parsed(content: bytes) -> Any:
    """Parse the content of a file; raise a ReplayError if it is not valid JSON."""
    try:
        return parse_json(content)
    except ValueError as error:
        if content.lstrip().startswith(b'{\n"format": "' + FORMAT.encode()):
            raise ReplayError(f"it is damaged, or its end is missing ({error})") from error
        raise ReplayError(f"it is not a replay: it is not JSON ({error})") from error


def check_entries(data: Data) -> None:
    """Check the names and types of all entries."""
    if missing := [name for name in ENTRIES if name not in data and name not in OPTIONAL]:
        raise ReplayError(f"it is damaged: {', '.join(missing)} missing")
    if unknown := [name for name in data if name not in ENTRIES]:
        raise ReplayError(f"it is damaged: {quoted(unknown[0])} is not an entry of a replay")
    for name, (entry_type, meaning) in ENTRIES.items():
        if name in data and type(data[name]) is not entry_type:
            raise ReplayError(f"it is damaged: {name} ({meaning}) is {quoted(data[name])}")
    if not all(type(action) is int for action in data["actions"]):
        raise ReplayError("it is damaged: actions must be integers")
