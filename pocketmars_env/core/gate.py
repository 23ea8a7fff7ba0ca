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
import typing
from pathlib import Path
from typing import Any, TypeVar, dataclass_transform

import msgspec
import numpy as np

from pocketmars_env.core.errors import one_line, quoted

T = TypeVar("T")

PLACE = re.compile(r" - at `(?:key` in `)?\$(.*)`$")
"""Pattern of the place in an error message of msgspec, such as `` - at `$.seats[0].hand` ``."""
STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
MAX_DEPTH = 100
"""Maximum nesting depth of JSON; functions that recurse, such as `repr`, can fail at a few hundred levels."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
        text = content.encode() if isinstance(content, str) else content
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise ValueError(f"{source} is not JSON: {one_line(str(error))}") from error
    if text.count(b"[") + text.count(b"{") > MAX_DEPTH and is_deep(data):
        raise ValueError(f"{source}: lists and objects are nested more than {MAX_DEPTH} deep")
    return checked(data, schema, source)


def is_deep(data: Any) -> bool:
    """Return whether lists and dictionaries are nested more than `MAX_DEPTH` levels deep."""
    level = [data]
    for _ in range(MAX_DEPTH + 1):
        groups = [item for item in level if isinstance(item, list | dict)]
        if not groups:
            return False
        level = [item for group in groups for item in (group.values() if isinstance(group, dict) else group)]
    return True


def convert(data: Any, schema: type[T], source: str, strict: bool = True) -> T:
    """Convert plain data, which may contain NumPy's arrays and numbers, like `decode`.

    Unless the conversion is `strict`, strings can stand for numbers.
    """
    return checked(without_numpy(data), schema, source, strict)


def checked(data: Any, schema: type[T], source: str, strict: bool = True) -> T:
    try:
        return msgspec.convert(data, schema, strict=strict)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(f"{source}: {explained(error, data, schema)}") from error


def without_numpy(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_numpy(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [without_numpy(value) for value in data]
    return data.tolist() if isinstance(data, np.ndarray | np.generic) else data


def plain(record: Any) -> Any:
    """Return a decoded value as plain data: dictionaries, lists, strings, numbers, bools and None."""
    return msgspec.json.decode(msgspec.json.encode(record))


def explained(error: Exception, data: Any, schema: Any) -> str:
    """Return an error message of msgspec with the value at the place it names, and the accepted choices."""
    message = str(error)
    match = PLACE.search(message)
    place = match[1] if match else ""
    words = one_line(message[: match.start()] if match else message).replace("`", "")
    if isinstance(error.__cause__, ValueError):  # raised by a schema's __post_init__, which names the value
        return f"{place.removeprefix('.')}: {words}" if place else words
    if match is None:
        return f"{words}, got {quoted(data)}" if words.startswith("Expected") else words
    for key, index in STEP.findall(place):
        try:
            data = data[key] if key else data[int(index)]
        except (KeyError, IndexError, TypeError):
            break
    if words.startswith("Invalid enum value"):
        hints = typing.get_type_hints(schema) if isinstance(schema, type) else {}
        words = f"Expected {', '.join(choices(hints.get(place.removeprefix('.')))) or 'another value'}"
    return f"{place.removeprefix('.')}: {words}, got {quoted(data)}"


def choices(kind: Any) -> list[str]:
    """Return the values that a Literal, or a union with one, accepts."""
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is typing.Literal:
        return [str(value) for value in arguments]
    return [text for argument in arguments for text in choices(argument)]
