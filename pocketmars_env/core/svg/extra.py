"""Imports of the optional dependencies that all picture formats except SVG need."""

from collections.abc import Iterator
from contextlib import contextmanager

from pocketmars_env.core.errors import how_to_install


@contextmanager
def render_extra() -> Iterator[None]:
    """Context manager for imports from the extra ``render``."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra(error.name) from error


def missing_extra(module: str | None) -> ModuleNotFoundError:
    """Return the error for a missing module of the extra ``render``; its message says how to install it."""
    return ModuleNotFoundError(f"{module} is missing; {how_to_install('render')}", name=module)
