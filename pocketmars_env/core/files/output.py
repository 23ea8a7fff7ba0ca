"""Handling of output errors, such as a closed pipe or a full disk."""

import io
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

    Every OSError that is raised in the block, or when stdout is flushed after the block, is reported as a
    write error with exit status `FAILED`; the block must therefore handle read errors itself. However, if the
    output is a pipe that the reading program has closed, the exit status is `READER_GONE` and no message is
    printed. Characters that the encoding of stdout or stderr lacks are printed as question marks.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
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
        target = error.filename if error.filename is not None else "the output"
        fail(f"{program}: cannot write {target}: {error.strerror or error}")


def fail(message: str) -> None:
    """Print a message to stderr, if stderr is writable, and exit with status `FAILED`."""
    with suppress(OSError):
        print(message, file=sys.stderr)
    sys.exit(FAILED)


def drop_output() -> None:
    """Discard output that is still buffered after a write error, so that Python does not write it at exit."""
    with open(os.devnull, "w") as devnull, suppress(OSError, ValueError):
        os.dup2(devnull.fileno(), sys.stdout.fileno())
