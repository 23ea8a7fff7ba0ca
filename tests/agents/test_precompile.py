"""After a game is precompiled, nothing is compiled, even if the cache was moved and is read-only."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pocketmars_env.core.compiled.kernel_cache import cache_root
from tests.agents.playing import output_of, refusal_of
from tests.core.ordinary_user import as_ordinary_user
from tests.core.processes import ROOT

FOLDERS = ("pocketmars_env", "agents", "training", "tests")
GAME = "pocket_mars"


def python(*arguments: str, clone: Path, cache: Path) -> str:
    """Run Python with the packages in a clone, as an ordinary user; return stdout if there is no message."""
    paths = os.pathsep.join(map(str, (clone, clone / "agents", clone / "training")))
    command = [*as_ordinary_user(), sys.executable, "-W", "error", *arguments]
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_a_moved_read_only_cache_has_all_kernels(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "tests.kernels", GAME],  # the other games have the same kinds of kernels
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        check=True,
    )
    clone, cache = tmp_path / "another clone", (tmp_path / "cache").rename(tmp_path / "another cache")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, clone / folder, ignore=lambda *_: {"__pycache__"})
    for path in (cache, *cache.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    compiled = python("-m", "tests.agents.using_kernels", GAME, clone=clone, cache=cache)
    assert json.loads(compiled) == []


def test_it_names_the_folder() -> None:
    assert str(cache_root()) in output_of("precompile")


def test_it_fails_if_nothing_can_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pocketmars_agents.cli.precompile.is_storing", lambda: False)
    assert "NUMBA_CACHE_DIR" in refusal_of("precompile")
