"""What all tests share."""

import os
import signal
import threading
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.kernels import compile_in_processes, compile_kernels

os.environ.setdefault("OMP_NUM_THREADS", "1")  # PyTorch's threads: the test processes share the cores
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background start with it ignored
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup starts with it ignored


TOGETHER = {
    "tests/docs/test_site.py": "website",
    "tests/fuzz/test_bounds_checks.py": "kernels with bounds checks",
    "tests/fuzz/test_every_check_counts.py": "random positions",
    "tests/fuzz/test_positions.py": "random positions",
    "tests/test_packages.py": "packages",
    "tests/test_plain_python.py": "kernels with bounds checks",
}
"""Files whose tests run in the same process, by what takes long to make for them."""


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Sends single tests to the processes, and the tests of `TOGETHER` as groups."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER.get(nodeid.partition("::")[0], nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    """Replace the scheduling of pytest-xdist."""
    return Scheduling(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Fill the kernel cache before the processes of pytest-xdist start: each would compile all kernels."""
    starts_processes = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if starts_processes and not config.option.collectonly:
        compile_in_processes()


@pytest.fixture(scope="session", autouse=True)
def compiled_kernels() -> None:
    """Compile before the first test, so that none finds the notice about it in its output."""
    compile_kernels(SPEC)
