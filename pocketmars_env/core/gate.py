"""The gate: everything from outside is read, decoded and checked here, once, by a declared schema.

A schema is a type that msgspec understands, such as a `Record` with annotated fields. It stands beside the
code that owns the format, and documents it. Code behind the gate trusts the decoded values. An error is one
line with the source, the place and the value.
"""

import errno
import io
import os
import re
import stat
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

from pocketmars_env.core.errors import one_line, quoted

T = TypeVar("T")

PLACE = re.compile(r" - at `(?:key` in `)?\$(.*)`$")
"""Pattern of the place in an error message of msgspec, such as `` - at `$.seats[0].hand` ``."""
STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base class of schemas for objects with fixed keys; a field with a default is optional."""


def read_file(path: Path, limit: int) -> bytes:
    """Read a regular file of at most `limit` bytes."""
    # O_NONBLOCK, because opening a FIFO must not block.
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    with io.FileIO(os.open(path, flags), "r") as file:
        return read_open_file(file, limit)


def read_open_file(file: io.FileIO, limit: int) -> bytes:
    """Read the rest of an open regular file of at most `limit` bytes."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    if status.st_size > limit:
        raise OSError(errno.EFBIG, f"{status.st_size:,} bytes, the limit is {limit:,}")
    return file.readall()


def decode(content: bytes | str, schema: type[T], source: str) -> T:
    """Decode JSON as a value of the type `schema`; errors name the `source` of the text."""
    try:
        data = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise ValueError(f"{source} is not JSON: {one_line(str(error))}") from error
    return checked(data, schema, source)


def convert(data: Any, schema: type[T], source: str) -> T:
    """Convert plain data, which may contain NumPy's arrays and numbers, like `decode`."""
    return checked(without_numpy(data), schema, source)


def checked(data: Any, schema: type[T], source: str) -> T:
    try:
        return msgspec.convert(data, schema)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(f"{source}: {explained(str(error), data)}") from error


def without_numpy(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_numpy(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [without_numpy(value) for value in data]
    return data.tolist() if isinstance(data, np.ndarray | np.generic) else data


def plain(record: Any) -> Any:
    """Return a decoded value as plain data: dictionaries, lists, strings, numbers, bools and None."""
    return msgspec.json.decode(msgspec.json.encode(record))


def explained(message: str, data: Any) -> str:
    """Return an error message of msgspec with the value at the place it names."""
    match = PLACE.search(message)
    place = match[1] if match else ""
    words = one_line(message[: match.start()] if match else message).replace("`", "")
    if match is None:
        return f"{words}, got {quoted(data)}" if words.startswith("Expected") else words
    for key, index in STEP.findall(place):
        try:
            data = data[key] if key else data[int(index)]
        except (KeyError, IndexError, TypeError):
            break
    return f"{place.removeprefix('.')}: {words}, got {quoted(data)}"
