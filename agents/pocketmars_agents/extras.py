"""Functions that import optional dependencies (the package's extras) when they are needed."""

import importlib
from typing import Any

from pocketmars_env.core.errors import how_to_install


def imported(module: str, what: str, extra: str) -> Any:
    """Import and return a module that an extra installs."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"{what}; {how_to_install(extra)} ({error})") from error


def imported_data(module: str) -> Any:
    """Import and return a module that the extra ``data`` installs; see `imported`."""
    return imported(module, "recording needs the extra 'data'", "data")
