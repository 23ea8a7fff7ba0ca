"""Full docstring sections are for what the reference shows; elsewhere, a docstring has no such sections."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.test_architecture import ROOT, SOURCES, module_name

SECTION = re.compile(r"^(Args|Returns|Raises|Yields):$", flags=re.MULTILINE)
SHAPES = "``("
"""Shapes of arrays, which no type annotation gives, are described everywhere."""
DECLARATIONS = {
    "pocketmars_env.core.compiled.game_kernels",
    "pocketmars_agents.search.evaluation_kernels",
    "pocketmars_env.core.testing",
}
"""Modules whose functions games must define, or whose functions check games."""


def shown() -> set[tuple[str, str]]:
    """Return the module and the qualified name of everything in the reference."""
    names: set[tuple[str, str]] = set()
    for page in sorted((ROOT / "docs" / "api").glob("*.md")):
        for target in re.findall(r"^::: (\S+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            names |= set(names_in(resolved(target)))
    return names


def resolved(target: str) -> Any:
    parts = target.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise AssertionError(f"{target} does not exist")


def names_in(found: Any) -> Iterator[tuple[str, str]]:
    if inspect.ismodule(found):
        yield found.__name__, "*"
    elif inspect.isclass(found):
        for base in found.__mro__:
            yield from ((base.__module__, f"{base.__qualname__}.{name}") for name in vars(base))
    else:
        function = getattr(found, "py_func", getattr(found, "__func__", found))
        yield function.__module__, function.__qualname__


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")


def is_kernel(function: ast.FunctionDef) -> bool:
    return any(re.search("kernel|entry_point", ast.unparse(one)) for one in function.decorator_list)


def superfluous(source: Path, names: set[tuple[str, str]]) -> Iterator[str]:
    module = module_name(source)
    if module in DECLARATIONS or (module, "*") in names or module.startswith("notebooks"):
        return
    for name, function in functions(ast.parse(source.read_text(encoding="utf-8"))):
        if (module, name) not in names and not is_kernel(function):
            parts = SECTION.split(ast.get_docstring(function) or "")
            for section, text in zip(parts[1::2], parts[2::2]):
                if section == "Raises" or SHAPES not in text:
                    yield f"{module}.{name}: {section}"


def test_inner_docstrings_have_no_sections() -> None:
    names = shown()
    assert ("pocketmars_env.core.position", "Position.observe") in names
    assert [found for source in SOURCES for found in superfluous(source, names)] == []
