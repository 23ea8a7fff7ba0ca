"""Imports optional dependencies (the package's extras) when they are used."""

import importlib
from typing import Any


def imported(module: str, what: str, extra: str) -> Any:
    """Import and return a module of an extra.

    Raises:
        ValueError: if the import fails; the message is `what`, the install command and the cause.

    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"{what}: pip install 'pocketmars-env[{extra}]' ({error})") from error


def imported_data(module: str) -> Any:
    """Import and return a module of the extra ``data``; see `imported`."""
    return imported(module, "recording needs the extra 'data'", "data")
