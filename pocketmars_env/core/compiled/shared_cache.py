"""A cache of compiled code, shared by all of a user's installations of the same release.

Numba names a function's cache folder after the path of the folder that contains the source file, and older
versions of Numba also compare the file's modification date. Two virtual environments with identical sources
would therefore compile the same functions twice. For an installed release, `ReleaseLocator` names the cache
folder after a hash of NumPy's version and the contents of all modules. Clones and editable installations,
whose sources change, have one cache folder per path.
"""

import functools
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import caching

CONFIG: Any = numba.config
CACHING: Any = caching  # private API of Numba
OWN_PACKAGE = Path(__file__).parents[2]
SITE = OWN_PACKAGE.parent
"""The folder that contains the package `pocketmars_env`."""
PACKAGES = ("pocketmars_env", "pocketmars_agents")
"""The packages that contain compiled functions."""
INSTALLED = ("site-packages", "dist-packages")
"""The names of folders into which packages are installed."""

BASE: Any = getattr(CACHING, "UserProvidedCacheLocator", object)
IS_POSSIBLE = hasattr(BASE, "get_suitable_cache_subpath") and hasattr(
    getattr(CACHING, "CacheImpl", None), "_locator_classes"
)
"""Whether this version of Numba has the private classes that `ReleaseLocator` needs."""


@functools.cache
def installation() -> str:
    """Return a short hash that is equal for installations that can share compiled code.

    For an installed release, the hash is computed from NumPy's version and all modules of `PACKAGES`. For a
    clone or an editable installation, or if `IS_POSSIBLE` is false, it is computed from the package's path.
    """
    if not IS_POSSIBLE or SITE.name not in INSTALLED:
        return hashlib.sha256(str(OWN_PACKAGE).encode()).hexdigest()[:16]
    digest = hashlib.sha256(np.__version__.encode())
    for package in PACKAGES:
        for source in sorted((SITE / package).rglob("*.py")):
            digest.update(f"{source.relative_to(SITE).as_posix()}\n".encode())
            digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:16]


class ReleaseLocator(BASE):  # type: ignore[misc]  # Numba has no types
    """Numba cache locator for functions of an installed release."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the cache folder for a file's functions, relative to ``numba.config.CACHE_DIR``."""
        folder = Path(py_file).parent.relative_to(SITE)
        return f"{'.'.join(folder.parts)}-{installation()}"

    def get_source_stamp(self) -> str:
        """Return the installation's hash, not the file's date, because dates differ between installations."""
        return installation()


def is_installed(source: Path) -> bool:
    """Return whether a file or folder belongs to an installed release."""
    return SITE.name in INSTALLED and any(source.is_relative_to(SITE / package) for package in PACKAGES)


@contextmanager
def caching_in(folder: Path, *sources: Path) -> Iterator[None]:
    """Context manager that makes functions decorated in its block use the cache in `folder`.

    Args:
        sources: the source file of the functions and, if they are compiled for a game, the folder or source
            file of this game. `ReleaseLocator` is used only if all these files and folders belong to an
            installed release.

    """
    others = CONFIG.CACHE_DIR
    CONFIG.CACHE_DIR = str(folder)  # Numba reads this setting when it decorates a function
    try:
        with locating_releases() if all(is_installed(source) for source in sources) else nullcontext():
            yield
    finally:
        CONFIG.CACHE_DIR = others


@contextmanager
def locating_releases() -> Iterator[None]:
    """Context manager that makes Numba try `ReleaseLocator` first, if this version of Numba supports it."""
    if not IS_POSSIBLE:
        yield
        return
    others = CACHING.CacheImpl._locator_classes
    CACHING.CacheImpl._locator_classes = [ReleaseLocator, *others]
    try:
        yield
    finally:
        CACHING.CacheImpl._locator_classes = others
