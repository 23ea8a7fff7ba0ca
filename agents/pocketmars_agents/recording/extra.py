"""Imports of the libraries in the extra ``data``, on first use."""

import importlib
from typing import Any


def imported(module: str) -> Any:
    """A module of the extra ``data``.

    Raises:
        ValueError: if it is not installed; tells how to install it.

    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(
            f"recording needs the extra 'data': pip install 'pocketmars-env[data]' ({error})"
        ) from error
