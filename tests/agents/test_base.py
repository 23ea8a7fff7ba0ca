"""The name under which an agent's games are kept."""

import pytest

from agents.base import canonical_name


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("random", "random"),
        ("greedy:8", "greedy"),
        ("greedy:08", "greedy"),
        ("planner:32", "planner:32"),
        ("tests.agents.bots:Raising", "tests.agents.bots:Raising"),
    ],
)
def test_a_built_in_agent_leaves_defaults_out(name: str, canonical: str) -> None:
    assert canonical_name(name) == canonical


def test_an_unknown_agent_has_no_name() -> None:
    with pytest.raises(ValueError, match="unknown agent 'bob'; accepted: 'random'"):
        canonical_name("bob")
