"""The replay file format: a JSON object with one entry per line.

    {
    "format": "pocketmars-replay",
    "version": 2,
    "pocketmars_env": "0.3.0",
    ...
    "checksum": "0123456789abcdef"
    }

`ReplayFile` declares the entries. `Replay.from_bytes` also checks the origin, and replays the game.
"""

import hashlib
import json
from typing import Any, Literal

from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted

Data = dict[str, Any]

FORMAT = "pocketmars-replay"
VERSION = 2
"""The current version of the format."""
MAX_BYTES = 64 * 2**20
"""The maximum size of a file in bytes; a replay of a long game is about 10 KB."""


class ReplayFile(gate.Record, kw_only=True):
    """The entries of a replay file, in order.

    Attributes:
        format, version: the format and its version.
        pocketmars_env: the version of the package that wrote the file.
        title: a description of the game; may be empty.
        game: the name of the game; only if it is not the default game, Pocket Mars.
        config: the settings, as `Game.config.as_dict()` returns them.
        origin: the start of the game, as `Game.origin` returns it: a seed, a deal, or a position.
        names: the name of the agent, person or automaton in each seat.
        actions: all actions, as numbers.
        over: whether the game had ended.
        scores: the points of every seat after the last action.
        winners: the winning seats; empty if the game had not ended.
        final: checksum of the snapshot after the last action.
        checksum: checksum of all entries above.

    """

    format: Literal["pocketmars-replay"]
    version: Literal[2]
    pocketmars_env: str
    title: str
    game: str | None = None
    config: Data
    origin: Data
    names: tuple[str, ...]
    actions: tuple[int, ...]
    over: bool
    scores: list[int]
    winners: list[int]
    final: str
    checksum: str


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


def from_bytes(content: bytes) -> ReplayFile:
    """Decode a replay file's content; raise a ValueError if it is damaged or has another format version."""
    data = gate.decode(content, Data, "the replay")
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ReplayError(
            f"it has format version {version} and was written by pocketmars_env "
            f"{quoted(data.get('pocketmars_env'))}, but the installed pocketmars_env reads only version "
            f"{VERSION}: install a newer one"
        )
    file = gate.checked(data, ReplayFile, "the replay")
    if data.pop("checksum") != checksum(data):
        raise ReplayError("it is damaged: its checksum is wrong")
    return file
