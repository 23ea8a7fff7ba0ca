"""Input files are limited in size, and JSON also in nesting depth and number length."""

import json
import os
from pathlib import Path

import pytest

from pocketmars_env.core.files.reading import MAX_DEPTH, MAX_DIGITS, parse_json, read_file


def test_json_is_read_as_python_reads_it() -> None:
    data = {"a": [1, -2.5, None, True, 'ä [{ \\" ['], "b": {"c": 2**64 - 1}}
    assert parse_json(json.dumps(data)) == parse_json(json.dumps(data).encode()) == data


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_the_deepest_and_the_longest_are_accepted() -> None:
    parse_json(nested(MAX_DEPTH))
    assert parse_json(json.dumps(["[" * 1000] * 3 + [[]] * 200)) == ["[" * 1000] * 3 + [[]] * 200
    assert parse_json("9" * MAX_DIGITS) == 10**MAX_DIGITS - 1
    assert parse_json("-" + "9" * MAX_DIGITS) == 1 - 10**MAX_DIGITS


@pytest.mark.parametrize(
    "content",
    [
        nested(MAX_DEPTH + 1),
        "[" * 100_000,
        "[]" * (MAX_DEPTH + 1) + '"' + '\\"' * 1_000_000,  # quadratic time would take days
        '{"a":' * 100_000,
        '["' + '\\"[' * 500 + '", ' + "[" * 100_000,
        "1" + "0" * 400,
        "1" * 5_000,
        "-" + "1" * (MAX_DIGITS + 1),
        "1e400",
        "NaN",
        "[Infinity]",
        "-Infinity",
        "",
        "{",
        '"\\',
        b"\xff\xfe[\x001\x00]\x00",
        b'"\xed\xa0\x80"',
    ],
)
def test_what_is_no_plain_json_is_a_value_error(content: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the message is Python's
        parse_json(content)


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    with pytest.raises(OSError, match="5 bytes"):
        read_file(path, 4)


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path, tmp_path / "fifo", tmp_path / "missing", Path("/dev/zero")):
        with pytest.raises(OSError):  # noqa: PT011  # without blocking: nobody writes into the fifo
            read_file(path, 100)
