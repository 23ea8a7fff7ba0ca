"""Reading of files with a size limit, and of JSON with limits on depth and numbers."""

import errno
import io
import json
import math
import os
import re
import stat
from pathlib import Path
from typing import Any

MAX_DEPTH = 100
"""Maximum nesting depth of lists and objects; recursive Python functions can fail at a few hundred levels."""
MAX_DIGITS = 40
"""Maximum number of digits of an integer: enough for 128 bits, and few enough for a conversion to float."""
STRINGS_AND_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|([\[{])|[\]}]', re.DOTALL)
"""Pattern of strings and brackets. An unterminated string extends to the end of the text, so that the search
takes linear time for any text."""


def read_file(path: Path, limit: int) -> bytes:
    """Read a regular file."""
    # O_NONBLOCK, because opening a FIFO must not block.
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    with io.FileIO(os.open(path, flags), "r") as file:
        return read_open_file(file, limit)


def read_open_file(file: io.FileIO, limit: int) -> bytes:
    """Read the rest of an open regular file."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    if status.st_size > limit:
        raise OSError(errno.EFBIG, f"{status.st_size:,} bytes, the limit is {limit:,}")
    return file.readall()


def parse_json(content: str | bytes, has_unique_keys: bool = False) -> Any:
    """Parse JSON whose values are finite and not too large.

    NaN and infinite numbers, integers with more than `MAX_DIGITS` digits, and nesting deeper than `MAX_DEPTH`
    levels are rejected.
    """
    text = content if isinstance(content, str) else content.decode("utf-8")
    check_depth(text)
    return (UNIQUE_KEYS_DECODER if has_unique_keys else DECODER).decode(text)


def check_depth(text: str) -> None:
    """Raise a ValueError if brackets outside strings are nested more than `MAX_DEPTH` levels deep."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for match in STRINGS_AND_BRACKETS.finditer(text):
        if match[1]:
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"lists and objects are nested more than {MAX_DEPTH} deep")
        elif match[0] in "]}":
            depth -= 1


def read_integer(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise ValueError(f"an integer has {len(digits)} digits, the limit is {MAX_DIGITS}")
    return int(digits)


def read_number(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:MAX_DIGITS]} is too large")
    return number


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("an object has a duplicate key")
    return data


DECODER = json.JSONDecoder(parse_int=read_integer, parse_float=read_number, parse_constant=refuse_constant)
UNIQUE_KEYS_DECODER = json.JSONDecoder(
    parse_int=read_integer,
    parse_float=read_number,
    parse_constant=refuse_constant,
    object_pairs_hook=with_unique_keys,
)
