"""The disk cache of compiled kernels.

Numba's own cache has two faults here. It checks only whether the file that contains a function has changed,
but the machine code also contains code from other modules. And if it cannot write to the cache folder, it
uses another one, such as ``__pycache__``. Kernels therefore get a cache that uses only the folder given by
`compiling.cache_folder_of`, whose name is a hash of everything that determines the machine code.
Installations with the same sources share a folder.

The cache saves time, but nothing else depends on it. A file that cannot be read is ignored, and its kernel is
compiled again. A file that cannot be written is skipped, and one line on stderr says so. The cache uses
private classes of Numba; if they are missing, kernels are compiled in every process.
"""

import functools
import hashlib
import inspect
import os
import pickle
import re
import sys
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching
from numba.core.registry import cpu_target

from pocketmars_env.core.files.writing import replace

Function = Callable[..., Any]

CONFIG: Any = numba.config
NO_EFFECT = ("CACHE", "COLOR", "CUDA", "GDB", "NUMBA_", "THREADING")
"""Prefixes of those settings of Numba that do not affect machine code for the CPU.

``NUMBA_`` is the prefix of the two settings with a number of threads.
"""

FUNCTION_CACHE: Any = getattr(caching, "FunctionCache", None)
IS_POSSIBLE = hasattr(FUNCTION_CACHE, "_impl_class") and hasattr(caching, "IndexDataCacheFile")
"""Whether this version of Numba has the private classes that the cache needs."""

SYMBOL = re.compile(rb"kernel<[^<>]*>")
"""Matches the symbols of separately compiled kernels; see `apart.py`."""
SYMBOLS: dict[bytes, Callable[[], Any]] = {}
"""Maps the symbol of each separately compiled kernel to a function that defines this symbol."""

_errors: list[OSError] = []
"""The errors that prevented kernels from being stored."""


def user_cache_folder() -> Path:
    """Return the user's cache folder, which depends on the operating system."""
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home folder, as in some containers
        home = Path("/")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


def cache_root() -> Path:
    """Return the root folder of this project's caches, in ``NUMBA_CACHE_DIR`` or the user's cache folder."""
    root = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(root) if root else user_cache_folder()) / "pocketmars_env"


@functools.cache
def environment() -> str:
    """Return the versions and settings that determine the machine code, besides the sources."""
    settings = {
        name: value
        for name, value in vars(CONFIG).items()
        if name.isupper() and not name.startswith(NO_EFFECT)
    }
    versions = sys.version, np.__version__, numba.__version__, llvmlite.__version__
    return repr((versions, sorted(settings.items())))


@functools.cache
def target() -> str:
    """Return a short hash of the name and the features of the CPU for which kernels are compiled.

    ``NUMBA_CPU_NAME`` selects another CPU than that of this machine.
    """
    return hashlib.sha256(repr(cpu_target.target_context.codegen().magic_tuple()).encode()).hexdigest()[:16]


def is_storing() -> bool:
    """Return whether all kernels that this process has compiled are in the cache."""
    return IS_POSSIBLE and not _errors


def kernel_cache(function: Function, folder: Path, base: Any = FUNCTION_CACHE) -> Any:
    """Return a cache for the compiled versions of a function."""
    return class_of_caches(base)(function, folder)


@functools.cache
def class_of_caches(base: Any) -> Any:
    """Return a subclass of one of Numba's cache classes that uses only one folder and ignores errors."""

    class OnlyFolder(base._impl_class):  # type: ignore[misc]  # Numba has no types
        """The part of a cache that locates files; in Numba, a separate locator chooses a folder."""

        def __init__(self, function: Function, folder: Path) -> None:
            self._locator = self
            self._filename_base = function.__name__
            self._py_file, self._lineno = inspect.getfile(function), function.__code__.co_firstlineno
            self._folder = folder

        def get_cache_path(self) -> str:
            return str(self._folder)

        def get_source_stamp(self) -> str:
            return ""  # the name of the folder depends on the sources

        def ensure_cache_path(self) -> None:
            self._folder.mkdir(parents=True, exist_ok=True)

    class KernelCache(base):  # type: ignore[misc]
        """A cache in which errors have no consequence except that kernels are compiled again."""

        _cache_file: Any

        def __init__(self, function: Function, folder: Path) -> None:
            self._impl_class = functools.partial(OnlyFolder, folder=folder)
            super().__init__(function)
            self._cache_file = KernelFiles(function, folder, self._cache_file._dump)

        def load_overload(self, *arguments: Any) -> Any:
            try:
                return super().load_overload(*arguments)
            except Exception:  # a damaged file can raise any exception
                return None

        def save_overload(self, *arguments: Any) -> None:
            try:
                super().save_overload(*arguments)
            except OSError as error:
                report(error)

    return KernelCache


class KernelFiles:
    """The files in which a cache stores the compiled versions of a function, one file for each key.

    Numba's own class lists all keys in an index file, which would be another file that can be damaged. `dump`
    returns any object as bytes.
    """

    def __init__(self, function: Function, folder: Path, dump: Callable[[Any], bytes]) -> None:
        self._function = function
        self._folder = folder
        self._dump = dump

    def load(self, key: Any) -> Any:
        """Return the stored object, after defining the symbols that its machine code needs."""
        content = self._path(key).read_bytes()
        for symbol in set(SYMBOL.findall(content)):
            SYMBOLS[symbol]()  # raises a KeyError if there is no such kernel, so that nothing is loaded
        return pickle.loads(content)

    def save(self, key: Any, data: Any) -> None:
        """Store an object; raise an OSError if it cannot be written."""
        path = self._path(key)
        part = path.with_suffix(f".{uuid.uuid4().hex}")
        try:
            part.write_bytes(self._dump(data))
            replace(part, path)
        finally:
            with suppress(OSError):
                part.unlink()  # remains if it could not be written completely

    def _path(self, key: Any) -> Path:
        name, module = self._function.__qualname__, self._function.__module__
        digest = hashlib.sha256(repr((module, name, key)).encode()).hexdigest()[:16]
        return self._folder / f"{self._function.__name__.strip('<>')}-{digest}.kernel"


def report(error: OSError) -> None:
    """Print on stderr that a kernel cannot be stored, unless an earlier call has done so."""
    if not _errors:
        message = f"cannot store compiled code in {cache_root()} ({error.strerror or error})"
        advice = "so every start compiles it again; set NUMBA_CACHE_DIR to a folder that can be written"
        print(f"pocketmars: {message}, {advice}", file=sys.stderr, flush=True)
    _errors.append(error)
