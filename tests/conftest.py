"""What all tests share."""

import os
import signal
import threading

import pytest

from pocketmars_agents.bots import look_ahead_agent
from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.games.pocket_mars import automaton_agent
from pocketmars_env.core import precompile
from pocketmars_env.games.pocket_mars.snapshots import phases
from pocketmars_env.games.pocket_mars.spec import SPEC

os.environ.setdefault("OMP_NUM_THREADS", "1")  # PyTorch's threads: the test processes share the cores
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background start with it ignored


@pytest.fixture(scope="session", autouse=True)
def compiled_kernels() -> None:
    """Compile before the first test, so that none finds the notice about it in its output."""
    precompile.ensure_compiled(SPEC)
    look_ahead_agent.ensure_compiled(SPEC)
    IsmctsAgent().ensure_ready(SPEC)
    automaton_agent.ensure_compiled()
    phases.ensure_compiled()
