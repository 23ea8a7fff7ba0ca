"""Compilation of kernels (functions that Numba compiles): decorators and cache folders.

The machine code of a kernel also contains code from other modules. Cache folders are therefore named after
hashes of the sources, so editing a kernel starts a fresh cache. Each game has a cache folder. If a package
other than `pocketmars_env`, such as `pocketmars_agents`, compiles functions for a game, they are cached in a
subfolder for that package. Functions that belong to no game are cached in separate folders.
`kernel_cache.py` describes how the files are read and written.

Environment variables, to be set before Numba is first imported:

- ``NUMBA_DISABLE_JIT=1`` runs every kernel as plain Python, so breakpoints and coverage work;
- ``NUMBA_BOUNDSCHECK=1`` compiles with bounds checks, in separate cache folders;
- ``NUMBA_CACHE_DIR`` sets the folder that contains the cache.
"""

import functools
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import sigutils, types
from numba.extending import register_jitable

from pocketmars_env.core.compiled.kernel_cache import IS_POSSIBLE, cache_root, environment, kernel_cache
from pocketmars_env.core.compiled.linking import linked
from pocketmars_env.core.compiled.signatures import signature_of

CONFIG: Any = numba.config  # untyped, like some options of njit
JIT: Any = numba.njit

F = TypeVar("F", bound=Callable[..., Any])

IS_COMPILED: bool = not CONFIG.DISABLE_JIT
"""Whether kernels are compiled; False under ``NUMBA_DISABLE_JIT=1``."""

OWN_PACKAGE = Path(__file__).parents[2]
PACKAGES = ("pocketmars_env", "pocketmars_agents")
"""The packages of this project that contain kernels."""
USES_KERNELS = re.compile(rb"^from pocketmars_env\.core\.compiled\.compiling import ", flags=re.MULTILINE)
"""Matches the import statement by which `hash_of_sources` recognizes a module with kernels."""


@functools.cache
def fingerprint(*sources: Path) -> str:
    """Return a short hash of Numba's version, its bounds-check setting, and the sources of compiled code."""
    digest = hashlib.sha256(f"{numba.__version__} {bool(CONFIG.BOUNDSCHECK)}".encode())
    core = Path(__file__).parent
    for source in [*sorted(core.glob("*.py")), core.with_name("layout.py")]:  # kernels use layouts' numbers
        digest.update(content_of(source))
    for source in sources:
        digest.update(hash_of_sources(source).encode())
    return digest.hexdigest()[:16]


@functools.cache
def hash_of_sources(package: Path) -> str:
    """Return a short hash of a source file, or of those modules in a folder that affect kernels.

    In this project's `PACKAGES`, kernels use no data from folders without kernels, so these folders are not
    hashed, and edits there require no recompilation. Elsewhere, all modules are hashed.
    """
    if package.is_file():
        return hashlib.sha256(content_of(package)).hexdigest()[:16]
    pattern = "**/*.py" if (package / "__init__.py").exists() else "*.py"
    contents = {
        source: content for source in sorted(package.glob(pattern)) if (content := content_of(source))
    }
    if package_of(package / "__init__.py").name in PACKAGES:
        folders = {source.parent for source, content in contents.items() if USES_KERNELS.search(content)}
        contents = {source: content for source, content in contents.items() if source.parent in folders}
    digest = hashlib.sha256()
    for source, content in contents.items():
        digest.update(f"{source.relative_to(package).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def content_of(source: Path) -> bytes:
    """Return the content of a source file; no bytes if it cannot be read, and thus cannot be imported."""
    try:
        return source.read_bytes()
    except OSError:
        return b""


def package_of(source: Path) -> Path:
    """Return the folder of a source file's top-level package; for a script, the folder of the script."""
    folder = source.parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


SOURCES: ContextVar[tuple[Path, ...]] = ContextVar("SOURCES", default=())
"""The arguments of the innermost `for_game` block; empty outside of such blocks."""


@contextmanager
def for_game(game: Path, *others: Path) -> Iterator[None]:
    """Context manager that assigns the entry points defined in its block to `game`; see `per_game.py`."""
    token = SOURCES.set((game, *others))
    try:
        yield
    finally:
        SOURCES.reset(token)


def game_of(source: Path) -> Path | None:
    """Return the folder of a game if a source file is below ``games/NAME`` in any package, else None."""
    for folder in source.parents:
        if folder.parent.name == "games" and (OWN_PACKAGE / "games" / folder.name).is_dir():
            return OWN_PACKAGE / "games" / folder.name
    return None


def cache_folder_of(function: Callable[..., Any]) -> Path:
    """Return the cache folder of a compiled function, which depends on the function's game and package."""
    source = Path(function.__code__.co_filename)
    package, game = package_of(source), game_of(source)
    sources = SOURCES.get() or (() if game is None else (game,))
    if package == OWN_PACKAGE:
        return cache_root() / folder_for(*sources)
    # A function that belongs to no game may call the kernels of any game.
    folder = cache_root() / folder_for(*(sources or (OWN_PACKAGE / "games",)))
    return folder / f"{package.name}-{hash_of_sources(package)}"


def folder_for(*sources: Path) -> str:
    """Return the name of the cache folder of kernels that contain code from `sources`."""
    return hashlib.sha256(f"{environment()} {fingerprint(*sources)}".encode()).hexdigest()[:16]


OPTIONS = {"nogil": True, "error_model": "numpy"}
SHORT = 120
"""The decorator `kernel` always inlines functions with at most this many bytes of bytecode."""


def kernel(function: F) -> F:
    """Compile a function for use in compiled code; it must neither raise exceptions nor allocate memory."""
    return inner_kernel(function, is_inlined=len(function.__code__.co_code) <= SHORT)


def hot_kernel(function: F) -> F:
    """Compile a kernel that is called in many steps or observations, and always inline it.

    Inlining hot kernels makes steps a fifth faster. Inlining all kernels would quadruple the compile time
    without making steps any faster; inlining none would double the compile time.
    """
    return inner_kernel(function, is_inlined=True)


def arithmetic_kernel(function: F) -> F:
    """Compile a kernel in which LLVM may reorder additions and fuse them with multiplications.

    Reordering allows SIMD instructions for long sums. As with linear algebra libraries, the last digits of
    the results can differ between machines, so the rules of a game must not depend on these digits.
    """
    return inner_kernel(function, is_inlined=False, fastmath={"reassoc", "contract", "nsz"})


def inner_kernel(function: F, is_inlined: bool, **options: Any) -> F:
    if not IS_COMPILED:
        return function
    options = {**OPTIONS, **options, "no_cfunc_wrapper": True, "forceinline": is_inlined}
    return cast(F, compile_once(linked(function, options)))


def shorthand(function: F) -> F:
    """Compile a kernel of a few lines that Numba, not LLVM, inlines into its callers."""
    return cast(F, JIT(**OPTIONS, inline="always")(function))


def shared(function: F) -> F:
    """Compile a function of one or two lines for use in kernels and in plain Python.

    LLVM, not Numba, inlines the function, because Numba's inlining (``inline="always"``) gives wrong results
    if one of several arguments of a call is a conditional expression (observed in Numba 0.68).
    """
    return register_jitable(**OPTIONS, forceinline=True)(function) if IS_COMPILED else function


def entry_point(function: F) -> F:
    """Compile a kernel that Python calls; its annotations declare its signature (see `signatures.py`).

    It releases the GIL while it runs. Until it returns, other threads must not write to its arrays, and must
    not read the arrays that it modifies.
    """
    return cast(F, with_signature(function, OPTIONS))


def atomic_entry_point(function: F) -> F:
    """Compile an entry point that keeps the GIL, so that only one call runs at a time; for short kernels."""
    return cast(F, with_signature(function, {**OPTIONS, "nogil": False}))


def with_signature(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return a cached dispatcher; `compile_for` compiles it for the dtype of a game's state records."""
    dispatcher = cached(function, options)
    dispatcher.compile_for = lambda state: dispatcher.compile(signature_of(function, state))
    return dispatcher


def cached(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return a dispatcher that stores its machine code in the folder given by `cache_folder_of`.

    A function without a source file, as in a notebook, is not cached, because no hash covers its code.
    """
    dispatcher = JIT(**options)(function)
    if IS_COMPILED and IS_POSSIBLE and Path(function.__code__.co_filename).is_file():
        dispatcher._cache = kernel_cache(function, cache_folder_of(function))
    return compile_once(dispatcher)


def compile_once(dispatcher: Any) -> Any:
    """Make a dispatcher treat all integer arguments as 64 bits wide.

    Without this widening, Numba would compile a kernel again for every integer type, literal and IntEnum with
    which the kernel is called. This would roughly double the number of compilations.
    """
    if IS_COMPILED:
        compile_exactly = dispatcher.compile
        dispatcher.compile = lambda signature: compile_exactly(widened(signature))
    return dispatcher


def widened(signature: Any) -> tuple[Any, ...]:
    """Return the argument types of a signature, with all integer types widened to 64 bits."""
    arguments, _ = sigutils.normalize_signature(signature)
    return tuple(widened_type(types.unliteral(argument)) for argument in arguments)


def widened_type(argument: Any) -> Any:
    if isinstance(argument, types.IntEnumMember):
        return types.int64
    if isinstance(argument, types.Integer):
        return types.int64 if cast(Any, argument).signed else types.uint64
    return argument
