"""Each position check is needed: without it, at least one case of the corpus is no longer refused."""

import ast
import inspect
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.snapshots import possible, snapshot_checks
from tests.fuzz.corpus import CASES, damaged

MODULES = (snapshot_checks, possible)


def checks() -> Iterator[Any]:
    """Yield a test case for each call of `require`: the calling function and the index of the call in it."""
    for module in MODULES:
        for name, function in functions_of(module):
            for number, call in enumerate(calls_of_require(parsed(function))):
                yield pytest.param(function, number, id=f"{name}-{number}-{ast.unparse(call.args[0])[:60]}")


def functions_of(module: ModuleType) -> list[tuple[str, FunctionType]]:
    members = inspect.getmembers(module, inspect.isfunction)
    return [(name, member) for name, member in members if member.__module__ == module.__name__]


def parsed(function: FunctionType) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def calls_of_require(tree: ast.Module) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if is_require(node)]  # type: ignore[misc]  # see is_require


def is_require(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "require"


@contextmanager
def without(function: FunctionType, number: int) -> Iterator[None]:
    """Make the check with index `number` of `function` always pass within the context."""
    tree = parsed(function)
    calls_of_require(tree)[number].args[0] = ast.Constant(True)
    names: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(tree), "<without a check>", "exec"), function.__globals__, names)
    before, function.__code__ = function.__code__, names[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = before


def is_refused(name: str) -> bool:
    """Return whether `Game.from_snapshot` refuses a corpus case with a ValueError."""
    data, resume_state = damaged(name)
    try:
        Game.from_snapshot(data, resume_state)
    except ValueError:
        return True
    except Exception:  # an internal error of a kernel or NumPy is not a refusal
        return False
    return False


def test_the_corpus_is_refused() -> None:
    assert [name for name in CASES if not is_refused(name)] == []


@pytest.mark.parametrize(("function", "number"), list(checks()))
def test_without_a_check_the_corpus_is_not_refused(function: FunctionType, number: int) -> None:
    with without(function, number), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ambiguous snapshots raise a warning
        assert not all(is_refused(name) for name in CASES)
