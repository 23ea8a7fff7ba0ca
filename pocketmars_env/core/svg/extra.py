"""Imports of the optional dependencies that all picture formats except SVG need."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def render_extra() -> Iterator[None]:
    """Context manager for imports from the extra ``render``.

    Raises:
        ModuleNotFoundError: if a library is missing; the message says how to install it.

    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'{error.name} is missing: this needs the extra "render": pip install "pocketmars-env[render]"',
            name=error.name,
        ) from error
