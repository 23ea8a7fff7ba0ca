"""What all tests share."""

import os
import signal
import threading

import pytest

from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.kernels import compile_in_processes, compile_kernels

os.environ.setdefault("OMP_NUM_THREADS", "1")  # PyTorch's threads: the test processes share the cores
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background start with it ignored


def pytest_configure(config: pytest.Config) -> None:
    """Fill the kernel cache before the processes of pytest-xdist start: each would compile all kernels."""
    starts_processes = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if starts_processes and not config.option.collectonly:
        compile_in_processes()


@pytest.fixture(scope="session", autouse=True)
def compiled_kernels() -> None:
    """Compile before the first test, so that none finds the notice about it in its output."""
    compile_kernels(SPEC)
