"""What pictures other than SVG and text need beyond the base installation."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def render_extra() -> Iterator[None]:
    """Around imports of the libraries that the extra ``render`` brings.

    Raises:
        ModuleNotFoundError: if one is missing; says how to install it.

    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'{error.name} is missing: this needs the extra "render": pip install "pocketmars-env[render]"',
            name=error.name,
        ) from error
