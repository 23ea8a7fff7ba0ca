"""Program that runs this project's code for Windows, where Python lacks some modules and functions.

All libraries are imported first, because they look for the real system. The lock of the imitated ``msvcrt``
is that of the real system.
"""

import fcntl
import importlib
import os
import pkgutil
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

LIBRARIES = (
    "asyncio concurrent.futures.process gymnasium.vector numba.core.registry onnx onnxruntime "
    "pettingzoo.utils scipy.stats textual.app typer.testing uvicorn"
)
PACKAGES = ("pocketmars_env.core", "pocketmars_env.replays", "pocketmars_agents")
"""The packages with code that depends on the operating system."""
ABSENT_MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
ABSENT = {
    os: ("fchmod", "fork", "geteuid", "getuid", "killpg", "mkfifo", "register_at_fork", "sched_getaffinity"),
    signal: ("SIGHUP", "SIGKILL", "SIGSTOP", "SIGTSTP", "alarm", "setitimer"),
}


def locking(descriptor: int, mode: int, length: int) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def imitate() -> None:
    """Make this process look like one on Windows to modules that are imported later."""
    for library in LIBRARIES.split():
        importlib.import_module(library)
    for owner, names in ABSENT.items():
        for name in names:
            if hasattr(owner, name):
                delattr(owner, name)
    hidden: dict[str, Any] = dict.fromkeys(ABSENT_MODULES)
    sys.modules.update(hidden)
    console: Any = SimpleNamespace(LK_NBLCK=2, locking=locking)
    sys.modules["msvcrt"] = console
    sys.platform = "win32"


def import_all(package: str) -> None:
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if "cuda" not in found.name and not found.name.endswith("__main__"):
            try:
                importlib.import_module(found.name)
            except ModuleNotFoundError as error:  # an optional library
                if error.name in ABSENT_MODULES:
                    raise


def use_files(folder: Path) -> None:
    """Write, lock and replace files."""
    from pocketmars_agents.play.links_file import InUseError, LinksFile
    from pocketmars_env.core.compiled.kernel_cache import cache_root
    from pocketmars_env.core.files.writing import whole_folder, write_whole

    os.environ.pop("NUMBA_CACHE_DIR", None)
    os.environ["LOCALAPPDATA"] = str(folder)
    assert cache_root() == folder / "pocketmars_env"
    for content in (b"first", b"second"):
        write_whole(folder / "file", content)
    with whole_folder(folder / "whole") as part:
        (part / "one").write_bytes(b"1")
    assert sorted(path.name for path in folder.iterdir()) == ["file", "whole"]
    links = LinksFile(folder / "game.json")
    links.write(tokens=links.tokens_for(["player_0"]))
    with suppress(InUseError):
        LinksFile(folder / "game.json")
        raise AssertionError("the file is not locked")
    links.remove()


if __name__ == "__main__":
    imitate()
    for package in PACKAGES:
        import_all(package)
    use_files(Path(sys.argv[1]))
