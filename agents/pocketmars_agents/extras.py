"""Libraries of the package's extras, imported on first use."""

import importlib
from typing import Any


def imported(module: str, what: str, extra: str) -> Any:
    """A module of an extra; raises a ValueError with `what` and the command that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"{what}: pip install 'pocketmars-env[{extra}]' ({error})") from error


def imported_data(module: str) -> Any:
    """A module of the extra ``data``; see `imported`."""
    return imported(module, "recording needs the extra 'data'", "data")
