"""Exceptions that games and environments raise, and texts for their messages."""

from pathlib import Path

CLONE = Path(__file__).parents[2]  # if this is a clone
MAX_QUOTED = 200
"""Maximum number of characters that an error message quotes from a value."""
MAX_MESSAGE = 2_000
"""Maximum number of characters that an error message quotes from another message."""


class IllegalAction(ValueError):
    """Raised for an illegal action; the game is unchanged. In a finished game, every action is illegal."""


def one_line(text: str, most: int = MAX_MESSAGE) -> str:
    """Return a text from outside as one printable line; text in its middle is left out if it is too long."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= most else f"{line[: most * 3 // 4]} … {line[-most // 4 :]}"


def quoted(value: object) -> str:
    """Return a value from outside for an error message: its ``repr`` as one line of limited length."""
    return one_line(repr(value), MAX_QUOTED)


def error_text(error: BaseException) -> str:
    """Return the message of an exception from third-party code as one line of limited length.

    The result is empty if the message cannot be created.
    """
    try:
        return one_line(str(error))
    except Exception:  # third-party code may raise anything
        return ""


def how_to_install(extra: str) -> str:
    """Return how to install an extra, in a clone or elsewhere."""
    if (CLONE / "constraints.txt").exists():
        return f'run in the clone: pip install -c constraints.txt -e ".[{extra}]"'
    return f"install pocketmars-env with the extra {extra!r}"


class NoDevice(RuntimeError):
    """Raised if this machine cannot run games on a GPU; the message names what is missing."""
