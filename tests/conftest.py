"""What all tests share."""

import pytest

from agents import automaton_agent, ismcts_agent, look_ahead
from agents.human import phases
from pocketmars_env.engine import warming


@pytest.fixture(scope="session", autouse=True)
def compiled_kernels() -> None:
    """Compile before the first test, so that none finds the notice about it in its output."""
    warming.ensure_compiled()
    look_ahead.ensure_compiled()
    ismcts_agent.ensure_compiled()
    automaton_agent.ensure_compiled()
    phases.ensure_compiled()
