"""The gate refuses everything that does not fit the declared schema, and names source, place and value."""

import os
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from pocketmars_env.core.gate import MAX_DEPTH, Record, convert, decode, read_file

pytestmark = pytest.mark.smoke

Share = Annotated[float, Meta(ge=0, le=1)]


class Part(Record, frozen=True):
    number: Annotated[int, Meta(ge=0, le=9)]

    def __post_init__(self) -> None:
        if self.number == 7:
            raise ValueError("7 is not accepted")


class Whole(Record, frozen=True):
    parts: Annotated[tuple[Part, ...], Meta(max_length=2)] = ()
    kind: Literal["a", "b"] = "a"
    level: Literal["low", "high"] | None = None
    share: Share = 0.5


def test_fitting_data_is_converted() -> None:
    assert decode(b'{"parts": [{"number": 3}], "share": 1}', Whole, "x") == Whole(
        parts=(Part(number=3),), share=1.0
    )


@pytest.mark.parametrize(
    ("data", "place", "value"),
    [
        ({"parts": [{"number": 1}, {"number": 12}]}, "parts[1].number", "12"),
        ({"parts": [{"number": 7}]}, "parts[0]", "7 is not accepted"),
        ({"parts": [{"number": True}]}, "parts[0].number", "True"),
        ({"parts": [{"number": 1.0}]}, "parts[0].number", "1.0"),
        ({"parts": [{"number": 10**30}]}, "parts[0].number", "1000"),
        ({"parts": [{}]}, "parts[0]", "{}"),
        ({"parts": [{"number": 1}] * 3}, "parts", "number"),
        ({"kind": "c"}, "kind: Expected a, b", "c"),
        ({"level": "hard"}, "level: Expected low, high", "hard"),
        ({"share": 1.5}, "share", "1.5"),
        ({"share": float("nan")}, "share", "nan"),
        ({"other": 1}, "", "other"),
        ([1, 2], "", "[1, 2]"),
    ],
)
def test_errors_name_source_place_and_value(data: Any, place: str, value: str) -> None:
    with pytest.raises(ValueError, match=r"^the source: ") as error:
        convert(data, Whole, "the source")
    assert place in str(error.value)
    assert value in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"nan",
        b"NaN",
        b"1e999",
        b"{} {}",
        b'"\xff"',
        b'"\\ud800"',
        b"[" * 10**6,
        b'["' + b'\\"[' * 500,
        "\ud800",
        b"9" * 10**5,
    ],
    ids=repr,
)
def test_text_that_is_not_json_is_refused(content: bytes | str) -> None:
    with pytest.raises(ValueError, match=r"^the source is not JSON"):
        decode(content, Whole, "the source")


@pytest.mark.parametrize("pair", [b"[]", b'{"":}'])
def test_deep_nesting_is_refused(pair: bytes) -> None:
    """Otherwise `repr` or another recursive function could fail."""

    def nested(depth: int) -> bytes:
        return pair[:-1] * depth + b"1" + pair[-1:] * depth

    assert decode(nested(MAX_DEPTH), Any, "the source")
    for depth in (MAX_DEPTH + 1, 900):
        with pytest.raises(ValueError, match="deep"):
            decode(nested(depth), Any, "the source")


def test_only_regular_files_within_the_limit_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    os.mkfifo(tmp_path / "fifo")  # nobody writes into it, so opening it must not block
    for refused in (path, tmp_path, tmp_path / "fifo", tmp_path / "missing", Path("/dev/zero")):
        with pytest.raises(OSError):  # noqa: PT011  # the message is the operating system's
            read_file(refused, 4)
