"""Installations of the same release share one cache."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.core.processes import ROOT, run

USE_A_KERNEL = """
import json
import numpy as np
from pocketmars_env.core.compiled import card_sets, masks, shared_cache

assert shared_cache.OWN_PACKAGE.is_relative_to({site!r})
choices = np.zeros(1, dtype=np.int64)
masks.choose_by_masks(np.ones((1, 3), dtype=np.int8), np.uint64(0), 0, choices)
stats = masks.choose_by_masks.stats
print(json.dumps([sum(stats.cache_hits.values()), stats.cache_path]))
"""
HIDE_PRIVATE_PARTS = "from numba.core import caching; del caching.CacheImpl"
"""Code that deletes a private Numba class, which Numba does not need after its own import."""


def install(folder: Path) -> Path:
    """Copy the package into a folder, as pip would install it."""
    shutil.copytree(ROOT / "pocketmars_env", folder / "pocketmars_env", ignore=lambda *_: {"__pycache__"})
    return folder


def use(site: Path, cache: Path, before: str = "") -> Any:
    """Run a kernel in a new process; return its number of cache hits and its cache folder."""
    program = before + USE_A_KERNEL.format(site=str(site))
    return run(program, cache.parent, PYTHONPATH=str(site), NUMBA_CACHE_DIR=str(cache))


@pytest.fixture
def sites(tmp_path: Path) -> tuple[Path, Path]:
    """Install the package in two folders."""
    return install(tmp_path / "one" / "site-packages"), install(tmp_path / "two" / "site-packages")


@pytest.mark.slow
def test_a_second_installation_uses_the_cache_of_the_first(sites: tuple[Path, Path], tmp_path: Path) -> None:
    for folder in sites[1].rglob("*.py"):
        os.utime(folder, (0, 0))  # file dates must not matter
    first, second = (use(site, tmp_path / "cache") for site in sites)
    assert (first[0], second[0]) == (0, 1)
    assert first[1] == second[1]


@pytest.mark.slow
def test_a_release_with_another_module_has_a_cache_of_its_own(
    sites: tuple[Path, Path], tmp_path: Path
) -> None:
    """A kernel can contain constants from any module, so a change in any module counts."""
    changed = sites[1] / "pocketmars_env" / "core" / "layout.py"
    changed.write_text(changed.read_text(encoding="utf-8") + "\nNEW = 1\n", encoding="utf-8")
    first, second = (use(site, tmp_path / "cache") for site in sites)
    assert second[0] == 0
    assert first[1] != second[1]


@pytest.mark.slow
def test_clones_have_caches_of_their_own(tmp_path: Path) -> None:
    first, second = (use(install(tmp_path / name), tmp_path / "cache") for name in ("one", "two"))
    assert second[0] == 0
    assert first[1] != second[1]


@pytest.mark.slow
def test_without_the_private_parts_of_numba_each_installation_has_its_cache(
    sites: tuple[Path, Path], tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    first, second, again = (use(site, cache, HIDE_PRIVATE_PARTS) for site in (*sites, sites[1]))
    assert (first[0], second[0], again[0]) == (0, 0, 1)
    assert first[1] != second[1]
