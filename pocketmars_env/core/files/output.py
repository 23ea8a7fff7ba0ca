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
    """Context manager that ends the program with a one-line message if the output cannot be written.

    An OSError in the block, or in flushing stdout after the block, is reported as an error in writing, so the
    block must handle errors in reading files. The exit status is `FAILED`. If the output is a pipe that the
    reading program has closed, the status is `READER_GONE`, and there is no message. If stdout is closed at
    the start, the block does not run.

    Args:
        program: the program's name, with which the message begins.

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
    """Print a message to stderr, if stderr can be written, and exit with status `FAILED`."""
    with suppress(OSError):
        print(message, file=sys.stderr)
    sys.exit(FAILED)


def drop_output() -> None:
    """Discard the output that is still buffered after an error; otherwise, Python would write it at exit."""
    with open(os.devnull, "w") as nowhere, suppress(OSError, ValueError):
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
