"""Separate compilation of shared modules for each game.

Entry points (functions that Python calls), such as `batch.new_games`, have the same source code for all games
but call kernels that differ between games. Numba resolves these calls at compile time, and its disk cache
does not notice that a function calls another game's kernel. A module that imports from `game_kernels.py`,
directly or through another such module, is therefore executed separately for each game. Each execution
imports the kernels of one game and uses the cache folder of that game. In the source code of such a module, a
game's kernels look like ordinary imported functions.

A package that needs further kernels from each game declares them in a module like `game_kernels.py` and
adds them to a game's kernels with `GameKernels.and_those_of`.
"""

import ast
import functools
import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from pocketmars_env.core.compiled import compiling
from pocketmars_env.core.compiled.compiling import PACKAGES

GAME_KERNELS = "pocketmars_env.core.compiled.game_kernels"


@dataclass(frozen=True, eq=False)
class GameKernels:
    """The kernels and constants of a game.

    Attributes:
        game: the game's name, followed by ``" in uint8"`` in the result of `for_counts`.
        folder: the game's package folder, or its only source file; if a kernel there changes, all kernels of
            the game are recompiled.
        parts: the game's kernels and constants, by their names in `game_kernels.py`, and further entry points
            of its rules.
        further: additional kernels and constants; maps the full name of each declaring module to a mapping
            like `parts`.

    """

    game: str
    folder: Path
    parts: Mapping[str, Any]
    further: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    _base: "GameKernels | None" = None

    def and_those_of(self, module: str, parts: Mapping[str, Any]) -> "GameKernels":
        """Return a copy that also contains `parts`, the kernels and constants declared in `module`."""
        return GameKernels(self.game, self.folder, self.parts, {**self.further, module: parts}, self)

    @functools.cached_property
    def for_counts(self) -> "GameKernels":
        """The kernels for uint8 observations.

        `write_counts` replaces `write_observation`, and `further` is empty.
        """
        changed = {"write_observation": self.parts["write_counts"], "OBSERVATION_TYPE": np.uint8}
        return GameKernels(f"{self.game} in uint8", self.folder, {**self.parts, **changed})

    @property
    def state(self) -> np.dtype[Any]:
        """The dtype of state records."""
        state: np.dtype[Any] = self.parts["STATE"]
        return state

    @property
    def declared(self) -> Mapping[str, Mapping[str, Any]]:
        """All kernels and constants, keyed by the module that declares them."""
        return {GAME_KERNELS: {"OBSERVATION_TYPE": np.float32, **self.parts}, **self.further}

    @property
    def sources(self) -> tuple[Path, ...]:
        """The game's folder, followed by the other packages outside `PACKAGES` that contain its kernels."""
        packages = {
            compiling.package_of(Path(part.py_func.__code__.co_filename))
            for parts in self.further.values()
            for part in parts.values()
            if hasattr(part, "py_func")
        }
        return self.folder, *sorted(package for package in packages if package.name not in PACKAGES)

    def least_for(self, template: str) -> "GameKernels | None":
        """Return the smallest `GameKernels` with all kernels that the module `template` needs.

        The result is this object or an earlier one that `and_those_of` extended; None if the module needs no
        kernels.
        """
        needed = modules_needed(template, frozenset(self.declared))
        if self._base is not None and needed <= self._base.declared.keys():
            return self._base.least_for(template)
        return self if needed else None


def compiled_for(template: str, kernels: GameKernels) -> ModuleType:
    """Return the module `template`, executed with a game's kernels; further calls do not execute it again."""
    least = kernels.least_for(template)
    assert least is not None, f"{template} imports from no module that declares kernels"
    return executed(template, least)


@functools.cache
def executed(template: str, kernels: GameKernels) -> ModuleType:
    """Return the module `template`, executed with `kernels` (from `least_for`); results are cached."""
    source = source_of(template)
    assert source is not None, template
    name = f"{template}@{kernels.game}"
    loader = GameLoader(name, str(source), kernels)
    module = ModuleType(name)
    module.__file__ = str(source)
    sys.modules[name] = module  # Numba's cache looks up the module here
    with compiling.for_game(*kernels.sources):
        loader.exec_module(module)
    return module


class GameLoader(SourceFileLoader):
    """Loader that resolves a module's imports for one game.

    Top-level ``from`` imports of kernels or constants import those of the game. If a top-level ``from``
    import names a module that needs kernels, it uses the copy of that module that is executed for the game.
    """

    def __init__(self, name: str, path: str, kernels: GameKernels) -> None:
        super().__init__(name, path)
        self.kernels = kernels

    def exec_module(self, module: ModuleType) -> None:
        tree = ast.parse(self.get_data(self.path))
        for node in [node for node in tree.body if isinstance(node, ast.ImportFrom)]:
            provider = self.provider_of(node.module or "")
            if provider is not None:
                tree.body.remove(node)
                for name in node.names:
                    module.__dict__[name.asname or name.name] = self.part(provider, name.name)
        self.code = self.source_to_code(tree, self.path)
        super().exec_module(module)

    def get_code(self, fullname: str) -> CodeType:
        return self.code

    def provider_of(self, module: str) -> Mapping[str, Any] | None:
        """Return a module's contents for the game, keyed by name; None if they are the same for all games."""
        if module in self.kernels.declared:
            return self.kernels.declared[module]
        return None if self.kernels.least_for(module) is None else vars(compiled_for(module, self.kernels))

    def part(self, provider: Mapping[str, Any], name: str) -> Any:
        if name not in provider:
            raise AttributeError(f"{self.path} needs {name}, which {self.kernels.game} does not have")
        return provider[name]


@functools.cache
def modules_needed(name: str, declaring: frozenset[str]) -> frozenset[str]:
    """Return the modules in `declaring` from which the module `name` imports, directly or indirectly.

    Only top-level ``from`` imports count. Modules of games, and modules outside `PACKAGES`, are not searched.
    If `name` is itself in `declaring`, the result contains only `name`.
    """
    if name in declaring:
        return frozenset({name})
    if name.partition(".")[0] not in PACKAGES or ".games." in name:
        return frozenset()
    source = source_of(name)
    if source is None:
        return frozenset()
    tree = ast.parse(source.read_bytes())
    imported = [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    return frozenset().union(*(modules_needed(module, declaring) for module in imported))


def source_of(name: str) -> Path | None:
    """Return the source file of a module, or of a package's ``__init__``; None if there is no such file."""
    module_spec = importlib.util.find_spec(name)
    return Path(module_spec.origin) if module_spec is not None and module_spec.origin else None
