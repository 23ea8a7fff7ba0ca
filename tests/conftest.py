"""Fixtures and pytest hooks for all tests."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

from pocketmars_agents.cli.precompile import compile_game
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.kernels import compile_in_processes

# One PyTorch thread per test process, because the processes share the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs start with SIGINT ignored
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup starts programs with SIGHUP ignored


TOGETHER = ("tests/third_game/", "tests/wasm/")
"""Folders whose files share a process: a game can be registered only once, and modules take long to build."""


class Scheduling(LoadFileScheduling):  # type: ignore[misc]
    """Gives all tests of a file to one process, which compiles and builds once what they share."""

    def _split_scope(self, nodeid: str) -> str:
        folder = next(filter(nodeid.startswith, TOGETHER), None)
        return folder or str(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    """Return the scheduler that replaces the default scheduler of pytest-xdist."""
    return Scheduling(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m smoke``, import only files with such tests; others may need packages that are missing."""
    if config.option.markexpr != "smoke":
        return None
    files = collection_path.rglob("test_*.py") if collection_path.is_dir() else [collection_path]
    tests = [file.read_text(encoding="utf-8") for file in files if file.match("test_*.py")]
    return None if any("mark.smoke" in test for test in tests) else True


def pytest_configure(config: pytest.Config) -> None:
    """Fill the kernel cache before pytest-xdist starts processes that would each compile all kernels."""
    starts_processes = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if starts_processes and not config.option.collectonly:
        compile_in_processes()


@pytest.fixture(scope="session", autouse=True)
def compiled_kernels() -> None:
    """Compile the kernels before the first test, so that no test has the compile notice in its output."""
    compile_game(SPEC)
