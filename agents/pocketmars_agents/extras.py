"""Imports of optional dependencies (the package's extras) on first use."""

import importlib
from typing import Any


def imported(module: str, what: str, extra: str) -> Any:
    """Import a module of an extra; if that fails, raise a ValueError with `what` and the install command."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"{what}: pip install 'pocketmars-env[{extra}]' ({error})") from error


def imported_data(module: str) -> Any:
    """Import a module of the extra ``data``; see `imported`."""
    return imported(module, "recording needs the extra 'data'", "data")
