"""Tests of agent names: the valid ones and the agents they create, and the invalid ones."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pocketmars_agents.registry import canonical_name, checked_name, make_agent, needs_trust

CANONICAL = [
    ("random", "random"),
    ("automaton", "automaton"),
    ("greedy:8", "greedy"),
    ("greedy:08", "greedy"),
    ("planner:32", "planner:32"),
    ("ismcts:1000", "ismcts:1000"),
    ("ismcts", "ismcts:1000"),
    ("ismcts:2s:objective=score", "ismcts:2s:objective=score"),
    ("ismcts:objective=win:rollout=greedy", "ismcts:1000:rollout=greedy"),
    ("ismcts:10:exploration=0.10", "ismcts:10:exploration=0.1"),
    ("ismcts:0.50s:objective=win:rollout=random:exploration=0.50", "ismcts:0.5s:rollout=random"),
    ("puct", "puct:400"),
    ("puct:0.50s", "puct:0.5s"),
    ("puct:50:temperature=1.50", "puct:50:temperature=1.5"),
    ("puct:temperature=3:exploration=0.25", "puct:400:exploration=0.25"),
    ("multi:sample", "multi:sample"),
    ("table", "multi"),
    ("table:sample", "multi:sample"),
    ("tests.agents.bots:Raising", "tests.agents.bots:Raising"),
    ("runs/my.onnx:sample", "runs/my.onnx:sample"),
]

NO_NAMES = [
    "", ":", "bob", "..x:y", ".x:y", "x.:y", "x:", ":y", "x:y:z", "x y:z", "x:1", "a/b:c", "x\0:y",
    "random:1", "greedy:", "greedy:x", "greedy:0", "greedy:10001", "greedy:" + "9" * 5_000, "greedy:٣",
    "ismcts:0", "ismcts:-1", "ismcts:0s", "ismcts:infs", "ismcts:nans", "ismcts:9" + "9" * 400 + "s",
    "ismcts:", "ismcts:many", "ismcts:1.5", "ismcts:s", "ismcts:99999s", "ismcts:1:1", "ismcts:rollout=best",
    "ismcts:10:objective=fun", "ismcts:exploration=1e9", "ismcts:exploration=101", "ismcts:10:worlds=3",
    "ismcts:rollout=random:rollout=random", "puct:0", "puct:0s", "puct:10:worlds=3", "puct:policy",
    "puct:temperature=0", "multi:worst", "table:worst", "my.onnx:worst",
]  # fmt: skip


def test_a_built_in_agent_leaves_defaults_out() -> None:
    for name, canonical in CANONICAL:
        assert canonical_name(name) == canonical
        assert canonical_name(canonical) == canonical


@pytest.mark.parametrize(
    "name",
    ["puct:10:temperature=2.1234567", "puct:10:exploration=0.50000001", "ismcts:10:exploration=0.00001",
     "puct:0.00001s", "ismcts:2000.123s"],
)  # fmt: skip
def test_canonical_names_keep_all_digits(name: str) -> None:
    assert canonical_name(name) == name


def test_the_canonical_name_is_the_agents_own() -> None:
    for name, canonical in CANONICAL:
        if not name.endswith(("onnx:sample", "Raising")):
            assert make_agent(name).name == checked_name(name) == canonical
            assert not needs_trust(name)


@pytest.mark.parametrize("function", [canonical_name, make_agent, checked_name, needs_trust])
def test_what_is_no_name_is_a_value_error(function: Callable[[str], object]) -> None:
    for name in NO_NAMES:
        try:
            function(name)
        except ValueError:
            continue
        raise AssertionError(f"{name!r} is accepted")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("canary_raises:Bot", "raise LookupError('no notes')"),
        ("canary_exits:Bot", "raise SystemExit(0)"),
        ("canary_syntax:Bot", "class Bot"),
        ("canary_arguments:Bot", "class Bot:\n name = 'b'\n def __init__(self, x): ...\n act = print"),
        ("canary_method:Bot", "class Bot:\n name = 'b'"),
        ("canary_none:Bot", "Bot = None"),
    ],
)
def test_whatever_a_module_does_is_a_value_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str
) -> None:
    module = name.partition(":")[0]
    (tmp_path / f"{module}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert canonical_name(name) == name
    assert needs_trust(name)
    assert module not in sys.modules
    with pytest.raises(ValueError, match=module):
        make_agent(name)
    with pytest.raises(ValueError, match=module):
        checked_name(name)


@pytest.mark.parametrize("name", ["no/such.onnx", "no/such.onnx:sample", "puct:9:policy=no/such.onnx"])
def test_a_policy_of_a_name_is_opened_only_when_it_is_made(name: str) -> None:
    assert canonical_name(name) == name
    assert needs_trust(name)
    with pytest.raises(ValueError, match=r"no/such\.onnx"):
        make_agent(name)
