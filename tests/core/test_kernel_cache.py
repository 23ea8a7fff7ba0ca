"""The cache of compiled kernels is never stale, and its state affects only the compile time."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core.ordinary_user import as_ordinary_user
from tests.core.processes import ROOT, run

INNER = """
import numpy as np
from pocketmars_env.core.compiled.apart import VECTOR, compiled_apart

PLACE = np.dtype([("number", np.int16), ("total", np.float64)], align=True)

@compiled_apart(PLACE, VECTOR)
def add(place, vector):
    for entry in vector:
        place.total += FACTOR * entry
    return place.number

FACTOR = 1
"""
OUTER = """
import json
import numpy as np
from pocketmars_env.core.compiled.compiling import entry_point
from pocketmars_env.core.files.output import output_errors
from inner import PLACE, add

@entry_point
def add_everywhere(places, vectors):
    for k in range(len(places)):
        add(places[k], vectors[k])

places = np.zeros(2, dtype=PLACE)
with output_errors("program"):
    add_everywhere(places, np.arange(4, dtype=np.float32).reshape(2, 2))
    print(json.dumps([places["total"].tolist(), sum(add_everywhere.stats.cache_misses.values())]))
"""
TOTALS = [1.0, 5.0]
SMALL_FILES_ONLY = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
"""
"""Code after which writing a kernel fails as on a full disk."""
OTHER_VERSION = "import llvmlite; llvmlite.__version__ += '.1'"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write two scripts, one of which calls a separately compiled kernel of the other."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "inner.py").write_text(INNER)
    (folder / "outer.py").write_text(OUTER)
    return folder


@pytest.fixture(scope="module")
def complete(scripts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fill a cache folder."""
    cache = tmp_path_factory.mktemp("complete")
    assert use(scripts, cache) == (TOTALS, 1, "")
    return cache


def use(scripts: Path, cache: Path, before: str = "", **environment: str) -> tuple[list[float], int, str]:
    """Run the scripts as an ordinary user; return the totals, the number of compilations and stderr."""
    done = subprocess.run(
        [*as_ordinary_user(), sys.executable, "-W", "error", "-c", f"{before}\nimport outer"],
        env={
            **os.environ,
            "PYTHONPATH": f"{scripts}{os.pathsep}{ROOT}",
            "NUMBA_CACHE_DIR": str(cache),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    totals, misses = json.loads(done.stdout)
    return totals, misses, done.stderr


def files_in(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file()]


def allow_writing(folder: Path, is_allowed: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200 if is_allowed else path.stat().st_mode & ~0o222)


@pytest.fixture
def read_only() -> Any:
    """Return a function that makes a folder read-only until the end of the test."""
    folders: list[Path] = []

    def protect(folder: Path) -> Path:
        folders.append(folder)
        allow_writing(folder, False)
        return folder

    yield protect
    for folder in folders:
        allow_writing(folder, True)


# --- states of the cache --------------------------------------------------------------------------


def test_a_second_process_compiles_nothing(scripts: Path, complete: Path) -> None:
    assert use(scripts, complete) == (TOTALS, 0, "")


def test_a_complete_cache_is_used_even_if_it_is_read_only(
    scripts: Path, complete: Path, tmp_path: Path, read_only: Callable[[Path], Path]
) -> None:
    cache = read_only(shutil.copytree(complete, tmp_path / "cache"))
    assert use(scripts, cache) == (TOTALS, 0, "")


def test_a_folder_that_cannot_be_written_costs_one_line(
    scripts: Path, tmp_path: Path, read_only: Callable[[Path], Path]
) -> None:
    cache = read_only(tmp_path)
    totals, misses, shown = use(scripts, cache)
    assert (totals, misses) == (TOTALS, 1)
    assert_is_one_warning(shown, cache)


def test_a_full_disk_costs_one_line(scripts: Path, tmp_path: Path) -> None:
    pytest.importorskip("resource")
    totals, misses, shown = use(scripts, tmp_path, SMALL_FILES_ONLY)
    assert (totals, misses) == (TOTALS, 1)
    assert_is_one_warning(shown, tmp_path)
    assert files_in(tmp_path) == []


def assert_is_one_warning(shown: str, cache: Path) -> None:
    (line,) = shown.splitlines()
    assert str(cache) in line
    assert "NUMBA_CACHE_DIR" in line


def test_damaged_files_are_replaced(scripts: Path, complete: Path, tmp_path: Path) -> None:
    cache = shutil.copytree(complete, tmp_path / "cache")
    called, caller = sorted(files_in(cache))
    called.write_bytes(b"")
    caller.write_bytes(caller.read_bytes()[:-100])
    assert [use(scripts, cache) for _ in range(2)] == [(TOTALS, 1, ""), (TOTALS, 0, "")]


def test_a_missing_separate_kernel_is_compiled_for_a_stored_caller(
    scripts: Path, complete: Path, tmp_path: Path
) -> None:
    cache = shutil.copytree(complete, tmp_path / "cache")
    (called,) = cache.rglob("add-*")
    called.unlink()
    assert use(scripts, cache) == (TOTALS, 0, "")
    assert called.exists()


@pytest.mark.parametrize(("before", "setting"), [(OTHER_VERSION, {}), ("", {"NUMBA_BOUNDSCHECK": "1"})])
def test_other_versions_and_settings_have_caches_of_their_own(
    before: str, setting: dict[str, str], scripts: Path, complete: Path, tmp_path: Path
) -> None:
    cache = shutil.copytree(complete, tmp_path / "cache")
    assert use(scripts, cache, before, **setting) == (TOTALS, 1, "")
    assert use(scripts, cache) == (TOTALS, 0, "")


def test_settings_without_effect_on_the_code_do_not_matter(scripts: Path, complete: Path) -> None:
    locators = {"NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator"}  # Numba's own, which kernels do not use
    assert use(scripts, complete, NUMBA_NUM_THREADS="1", **locators) == (TOTALS, 0, "")


def test_without_the_private_parts_of_numba_nothing_is_stored(scripts: Path, tmp_path: Path) -> None:
    hide = "from numba.core import caching; del caching.IndexDataCacheFile"
    assert [use(scripts, tmp_path, hide) for _ in range(2)] == [(TOTALS, 1, "")] * 2


# --- stale code -----------------------------------------------------------------------------------


def test_an_edit_reaches_the_callers_if_nothing_can_be_stored(scripts: Path, tmp_path: Path) -> None:
    """Numba would store machine code beside the sources and link it to a kernel that no longer exists."""
    folder = shutil.copytree(scripts, tmp_path / "scripts", ignore=lambda *_: {"__pycache__"})
    cache = folder / "inner.py" / "not a folder"
    assert use(folder, cache)[0] == TOTALS
    edit(folder / "inner.py", "FACTOR = 1", "FACTOR = 10")
    for setting in ("0", "1"):
        assert use(folder, cache, NUMBA_BOUNDSCHECK=setting)[0] == [10 * total for total in TOTALS]


def test_an_edit_reaches_the_callers_in_other_folders(scripts: Path, tmp_path: Path) -> None:
    """The name of the callers' cache folder does not depend on this kernel."""
    (tmp_path / "other").mkdir()
    folder = shutil.copytree(scripts, tmp_path / "scripts", ignore=lambda *_: {"__pycache__"})
    inner = (folder / "inner.py").rename(tmp_path / "other" / "inner.py")
    paths = os.pathsep.join(map(str, (folder, tmp_path / "other", ROOT)))
    assert use(folder, tmp_path / "cache", PYTHONPATH=paths)[0] == TOTALS
    edit(inner, "FACTOR = 1", "FACTOR = 10")
    assert use(folder, tmp_path / "cache", PYTHONPATH=paths)[0] == [10 * total for total in TOTALS]


def edit(source: Path, old: str, new: str) -> None:
    source.write_text(source.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


# --- installations --------------------------------------------------------------------------------

USE_A_KERNEL = """
import json
import numpy as np
from pocketmars_env.core.compiled import compiling, masks

assert compiling.OWN_PACKAGE.is_relative_to({site!r})
choices = np.zeros(1, dtype=np.int64)
masks.choose_by_masks(np.ones((1, 3), dtype=np.int8), np.uint64(0), choices)
print(json.dumps(sum(masks.choose_by_masks.stats.cache_hits.values())))
"""


def install(folder: Path) -> Path:
    """Copy the package into a folder, as pip would install it."""
    shutil.copytree(ROOT / "pocketmars_env", folder / "pocketmars_env", ignore=lambda *_: {"__pycache__"})
    return folder


def hits(site: Path, cache: Path) -> Any:
    """Run a kernel in a new process; return its number of cache hits."""
    program = USE_A_KERNEL.format(site=str(site))
    return run(program, cache.parent, PYTHONPATH=str(site), NUMBA_CACHE_DIR=str(cache))


@pytest.mark.slow
def test_installations_with_the_same_kernels_share_a_cache(tmp_path: Path) -> None:
    first, second = install(tmp_path / "one" / "site-packages"), install(tmp_path / "clone")
    for source in second.rglob("*.py"):
        os.utime(source, (0, 0))  # file dates must not matter
    other = second / "pocketmars_env" / "core" / "errors.py"  # contains nothing that kernels use
    other.write_text(other.read_text(encoding="utf-8") + "\nNEW = 1\n", encoding="utf-8")
    assert [hits(site, tmp_path / "cache") for site in (first, second)] == [0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("module", ["core/compiled/chance.py", "core/layout.py"])
def test_a_release_with_other_kernels_has_a_cache_of_its_own(module: str, tmp_path: Path) -> None:
    first, second = install(tmp_path / "one"), install(tmp_path / "two")
    changed = second / "pocketmars_env" / module
    changed.write_text(changed.read_text(encoding="utf-8") + "\nNEW = 1\n", encoding="utf-8")
    assert [hits(site, tmp_path / "cache") for site in (first, second)] == [0, 0]


# --- users without a cache folder -------------------------------------------------------------------


def test_the_command_needs_no_folder_for_the_cache(tmp_path: Path, read_only: Callable[[Path], Path]) -> None:
    shutil.copytree(ROOT / "pocketmars_env", tmp_path / "pocketmars_env", ignore=lambda *_: {"__pycache__"})
    agents = ROOT / "agents" / "pocketmars_agents"
    shutil.copytree(agents, tmp_path / "pocketmars_agents", ignore=lambda *_: {"__pycache__"})
    home = str(read_only(tmp_path) / "home")
    done = subprocess.run(
        [*as_ordinary_user(), sys.executable, "-W", "error", "-m", "pocketmars_agents", "--version"],
        env={"PATH": os.environ["PATH"], "HOME": home, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("pocketmars_env")
    assert (done.returncode, done.stderr) == (0, "")
