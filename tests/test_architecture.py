"""Imports go one way: core ← games ← rest of `pocketmars_env` ← agents ← training ← baselines, notebooks."""

import ast
import functools
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent

LAYERS = (
    ("pocketmars_env.core",),
    ("pocketmars_env.games",),
    ("pocketmars_env",),  # the rest of the package, such as environments and adapters
    ("pocketmars_agents",),
    ("pocketmars_training",),
    ("baselines",),
    ("notebooks",),
)
"""A module may import from its own layer and from those above it in this list."""

SOURCE_ROOTS = {
    "pocketmars_env": ROOT,
    "pocketmars_agents": ROOT / "agents",
    "pocketmars_training": ROOT / "training",
    "baselines": ROOT / "training",
    "notebooks": ROOT,
    "tests": ROOT,
}
"""The parent folder of each package."""
MOST_MODULES = 20
"""The maximum number of modules in one folder, without `__init__.py` and `__main__.py`."""

OWN = set(SOURCE_ROOTS)
SOURCES = sorted(
    source for package in OWN - {"tests"} for source in (SOURCE_ROOTS[package] / package).rglob("*.py")
)


def module_name(source: Path) -> str:
    root = next(root for root in (ROOT / "agents", ROOT / "training", ROOT) if source.is_relative_to(root))
    parts = source.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module: str) -> int:
    """Return the number of the first layer that lists the module or one of its parent packages."""
    for number, packages in enumerate(LAYERS):
        if any(module == package or module.startswith(f"{package}.") for package in packages):
            return number
    raise AssertionError(f"{module} belongs to no layer")


@functools.cache
def imports_of(source: Path) -> set[str]:
    """Return the absolute names of the modules that a file imports anywhere in its code."""
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
    return found


def own_imports(source: Path) -> set[str]:
    return {module for module in imports_of(source) if module.split(".")[0] in OWN}


def is_module(name: str) -> bool:
    parts = name.split(".")
    path = SOURCE_ROOTS.get(parts[0], ROOT).joinpath(*parts)
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def test_imports_run_one_way() -> None:
    for source in SOURCES:
        importer = module_name(source)
        for module in own_imports(source):
            assert module.split(".")[0] != "tests", f"{importer} imports tests"
            assert layer(module) <= layer(importer), f"{importer} must not import {module}"


def test_imports_have_no_circles() -> None:
    """A module never imports itself indirectly; imports inside functions and for type checkers count, too."""
    imported = {module_name(source): own_imports(source) for source in SOURCES}
    rest = set(imported)
    while leaves := {module for module in rest if not (imported[module] & rest) - {module}}:
        rest -= leaves
    assert not rest


OF_ONE_GAME = (
    "pocketmars_env",  # re-exports the names of the default game
    "pocketmars_env.pocketmars_v1",
    "pocketmars_env.projectmars_v0",
    "pocketmars_agents.cli.games",  # lists the commands of each game
    "pocketmars_training.solo",
)
"""Modules outside a game's folders that may import from it, besides the examples and notebooks."""


def test_what_serves_any_game_names_none() -> None:
    for source in SOURCES:
        module = module_name(source)
        if module not in OF_ONE_GAME and not re.search(r"\.games|\.examples|notebooks", module):
            assert not any(names_a_game(imported) for imported in own_imports(source)), module


def names_a_game(module: str) -> bool:
    """Return whether a module belongs to one game; `pocketmars_env` itself exports Pocket Mars names."""
    return ".games." in module or module == "pocketmars_env"


def test_a_folder_can_be_surveyed() -> None:
    for folder in {source.parent for source in SOURCES}:
        modules = [path for path in folder.glob("*.py") if not path.stem.startswith("__")]
        assert len(modules) <= MOST_MODULES, folder


def test_only_one_module_looks_for_bots() -> None:
    """Anything else that a layer needs from one further down in `LAYERS` is passed in as an argument."""
    users = [
        source
        for source in SOURCES
        if "importlib.metadata import entry_points" in source.read_text(encoding="utf-8")
    ]
    assert [module_name(source) for source in users] == ["pocketmars_env.envs.opponents"]


def test_loops_of_modules_add_no_public_names() -> None:
    for source in SOURCES:
        loops = [
            node for node in ast.parse(source.read_text(encoding="utf-8")).body if isinstance(node, ast.For)
        ]
        names = {name.id for loop in loops for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
        assert {name for name in names if not name.startswith("_")} == set(), source
