"""Random damage to files, and checks of the code that reads damaged files."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.fuzz.amounts import SLOWEST
from tests.fuzz.mutations import mutated

Rng = np.random.Generator

MOST = 3_000
"""Maximum length of a message: room for the list of accepted names, and for two quotations."""
STRANGE_TOKENS = (
    b"NaN", b"-Infinity", b"1e999", b"-0.0", b"1" + b"0" * 400, b"9" * 5_000, b"[" * 50 + b"]" * 50,
    b"[" * 5_000, b'{"a":' * 5_000, b'"\\ud800"', b'"\\u001b[2J"', b'"\xff"', b"null", b"true", b"[]", b"{}",
    b'"canary_bot:Bot"', b'"canary_bot.onnx"', b'"puct:policy=canary_bot.onnx"',
)  # fmt: skip
"""JSON tokens that replace values."""
VALUE = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null')

FIRST_WORD = re.compile(rb"[a-z_]+ ")


def damaged(content: bytes, rng: Rng) -> bytes:
    """Return `content` with one to three changes: bytes flipped, replaced, removed, repeated or added."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        place = int(rng.integers(len(data) + 1))
        end = place + int(rng.integers(1, 9))
        kind = int(rng.integers(7))
        if kind == 0 and place < len(data):
            data[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            data[place:end] = rng.bytes(end - place)
        elif kind == 2:
            del data[place:end]
        elif kind == 3:
            data[place:place] = data[place : place + int(rng.integers(1, 100))]
        elif kind == 4:
            del data[place:]
        elif kind == 5:
            data[place:place] = rng.bytes(end - place)
        else:
            data[place:end] = bytes(end - place)
    return bytes(data)


def damaged_json(content: bytes, rng: Rng) -> bytes:
    """Return JSON with random damage: to values (as by `mutated`), to the text of one value, or to bytes."""
    kind = int(rng.integers(4))
    if kind == 0:
        return damaged(content, rng)
    if kind == 1:
        values = list(VALUE.finditer(content))
        value = values[int(rng.integers(len(values)))]
        token = STRANGE_TOKENS[int(rng.integers(len(STRANGE_TOKENS)))]
        return content[: value.start()] + token + content[value.end() :]
    return json.dumps(mutations_of(json.loads(content), rng)).encode()


def damaged_line(line: bytes, rng: Rng) -> bytes:
    """Return a line with random damage, as by `damaged_json` if it is JSON, also after a first word."""
    text = line.removesuffix(b"\n")
    match = FIRST_WORD.match(text)
    start = match.end() if match else 0
    try:
        json.loads(text[start:])
    except ValueError:
        return damaged(text, rng) + b"\n"
    return text[:start] + damaged_json(text[start:], rng) + b"\n"


def mutations_of(data: Any, rng: Rng) -> Any:
    """Return `data` after one to three calls of `mutated`."""
    for _ in range(int(rng.integers(1, 4))):
        data = mutated(data, rng)
    return data


def try_all(
    count: int,
    seed: int,
    make: Callable[[Rng], bytes],
    read: Callable[[bytes], Any],
    refusal: type[Exception] = ValueError,
) -> int:
    """Read damaged inputs and return how many were accepted.

    The test fails if `read` raises another exception than `refusal`, or one with a long message or several
    lines, or takes too long; the message contains the input.
    """
    accepted = 0
    for number in range(count):
        content = make(np.random.default_rng([seed, number]))
        start, message = time.perf_counter(), ""
        try:
            read(content)
            accepted += 1
        except refusal as error:
            message = str(error)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise AssertionError(f"input {number}: {what}: {content[:2000]!r}") from error
        seconds = time.perf_counter() - start
        assert message.isprintable() and len(message) <= MOST, f"input {number}: {message!r}"  # noqa: PT018
        assert seconds < SLOWEST, f"input {number} took {seconds:.1f} s: {content[:2000]!r}"
    return accepted
