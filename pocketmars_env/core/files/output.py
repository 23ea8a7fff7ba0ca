"""Handling of output errors, such as a closed pipe or a full disk."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

FAILED = 1
READER_GONE = 141
"""The exit status that a shell reports for a program killed by SIGPIPE."""


@contextmanager
def output_errors(program: str) -> Iterator[None]:
    """Context manager that ends the program with a one-line message if its block cannot write its output.

    If the output is a pipe that the reading program has closed, there is no message.

    Args:
        program: the program's name, for the start of the message.

    """
    if sys.stdout is None:  # closed by the shell; the next opened file would get its descriptor
        os.open(os.devnull, os.O_RDWR)
        fail(f"{program}: the standard output is closed")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # until the process ends
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        sys.exit(READER_GONE)
    except OSError as error:
        drop_output()
        place = error.filename if error.filename is not None else "the output"
        fail(f"{program}: cannot write {place}: {error.strerror or error}")


def fail(message: str) -> None:
    """Exit with a message on stderr, if stderr can be written."""
    with suppress(OSError):
        print(message, file=sys.stderr)
    sys.exit(FAILED)


def drop_output() -> None:
    """Discard the buffered output after an output error; otherwise, Python would try to write it at exit."""
    with open(os.devnull, "w") as nowhere, suppress(OSError, ValueError):
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
