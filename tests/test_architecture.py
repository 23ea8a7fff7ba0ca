"""Imports run one way: engine ← drawing ← game ← faces ← agents ← training ← notebooks."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LAYERS = (
    (
        "pocketmars_env.arrays",
        "pocketmars_env.engine",
        "pocketmars_env.file_locks",
        "pocketmars_env.reading",
        "pocketmars_env.writing",
    ),
    ("pocketmars_env.drawing",),
    (
        "pocketmars_env.view",
        "pocketmars_env.game",
        "pocketmars_env.views",
        "pocketmars_env.agent",
        "pocketmars_env.testing",
    ),
    ("pocketmars_env",),  # what else is in the package: its faces, and its front door
    ("agents",),
    ("training",),
    ("notebooks",),
)
"""A module may import from its own layer and from those above it in this list."""

OWN = {"pocketmars_env", "agents", "training", "notebooks", "tests"}
SOURCES = sorted(source for package in OWN - {"tests"} for source in ROOT.glob(f"{package}/**/*.py"))


def module_name(source: Path) -> str:
    parts = source.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module: str) -> int:
    """The first layer that names the module or a package around it."""
    for number, packages in enumerate(LAYERS):
        if any(module == package or module.startswith(f"{package}.") for package in packages):
            return number
    raise AssertionError(f"{module} belongs to no layer")


def own_imports(source: Path) -> set[str]:
    """The modules of this repository that a file imports; relative imports in full."""
    package = module_name(source).split(".")
    if source.name != "__init__.py":
        package = package[:-1]
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            # `from package import module` names a module, `from module import name` does not
            found |= {
                f"{base}.{name.name}" if is_module(f"{base}.{name.name}") else base for name in node.names
            }
    return {module for module in found if module.split(".")[0] in OWN}


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


@pytest.mark.parametrize("source", SOURCES, ids=module_name)
def test_imports_run_one_way(source: Path) -> None:
    importer = module_name(source)
    for module in own_imports(source):
        assert module.split(".")[0] != "tests", f"{importer} imports tests"
        assert layer(module) <= layer(importer), f"{importer} must not import {module}"


def test_the_layers_are_found() -> None:
    modules = ("engine.turns", "drawing.table", "game", "envs.aec")
    layers = [layer(f"pocketmars_env.{module}") for module in modules]
    layers += [layer(module) for module in ("agents.greedy", "training.solo", "notebooks.first")]
    assert layers == [0, 1, 2, 3, 4, 5, 6]
    assert {module_name(source) for source in SOURCES} > {"pocketmars_env", "pocketmars_env.game"}


def test_imports_are_read() -> None:
    game = own_imports(ROOT / "pocketmars_env" / "game.py")
    assert {"pocketmars_env.view", "pocketmars_env.engine.batch", "pocketmars_env.engine.config"} <= game
