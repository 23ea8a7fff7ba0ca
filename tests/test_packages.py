"""The published wheel and source distribution are complete, and the wheel works outside the repository."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from pocketmars_env import __version__
from tests.core.processes import environment_in
from tests.core.processes import run_installed as run

pytestmark = pytest.mark.slow  # they build packages

ROOT = Path(__file__).parent.parent
PACKAGES = ("pocketmars_env", "agents/pocketmars_agents", "training/pocketmars_training")
ALSO_IN_THE_SOURCES = {
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE", "constraints.txt",
    "mkdocs.yml", "docs/rules.md", "docs/hooks.py", "tests/test_packages.py", "pyproject.toml",
}  # fmt: skip


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel built from it: POCKETMARS_DIST or a new one."""
    if built := os.environ.get("POCKETMARS_DIST"):
        return Path(built)
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("published")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, folder=folder)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def tracked(*folders: str) -> set[str]:
    """Return the files in some folders of the repository that Git tracks."""
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return set(listed.stdout.splitlines())


def test_the_wheel_holds_the_packages_and_nothing_else(published: Path) -> None:
    with zipfile.ZipFile(only(published, "*.whl")) as wheel:
        names = set(wheel.namelist())
    metadata = {name for name in names if ".dist-info/" in name}
    installed = {name.removeprefix("agents/").removeprefix("training/") for name in tracked(*PACKAGES)}
    assert names - metadata == installed | {"pocketmars_verifiers.py"}  # where verifiers looks for it
    assert {Path(name).name for name in metadata} >= {"LICENSE", "LICENSE_DEJAVU.txt", "entry_points.txt"}
    assert {
        "pocketmars_env/py.typed",
        "pocketmars_env/core/svg/fonts/DejaVuSansCondensed.ttf",
        "pocketmars_agents/ladder/rows/solo.jsonl",
    } <= names


def test_the_source_distribution_holds_tests_and_documents(published: Path) -> None:
    with tarfile.open(only(published, "*.tar.gz")) as sources:
        names = {file.name.partition("/")[2] for file in sources.getmembers() if file.isfile()}
    assert names >= tracked(*PACKAGES, "tests", "docs") | ALSO_IN_THE_SOURCES
    assert names - tracked() == {"PKG-INFO"}


def test_the_metadata_are_valid_and_those_of_this_version(published: Path) -> None:
    with zipfile.ZipFile(only(published, "*.whl")) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        metadata = Metadata.from_email(wheel.read(name), validate=True)
    assert str(metadata.version) == __version__
    assert metadata.license_expression == "MIT"
    assert metadata.description == (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_wheel_is_the_same_from_the_sources_and_from_the_repository(
    published: Path, tmp_path: Path
) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, folder=tmp_path)
    assert only(tmp_path, "*.whl").read_bytes() == only(published, "*.whl").read_bytes()


@pytest.fixture(scope="module")
def commands(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel beside the packages of this environment; return the folder of its commands."""
    commands = environment_in(tmp_path_factory.mktemp("installed") / "venv")
    wheel = only(published, "*.whl")
    run(commands / "python", "-m", "pip", "install", "-q", "--no-deps", wheel, folder=commands)
    return commands


def test_the_wheel_works_outside_the_checkout(commands: Path, tmp_path: Path) -> None:
    outside = run(commands / "pocketmars", "ladder", folder=tmp_path)
    assert outside == run(sys.executable, "-m", "pocketmars_agents", "ladder", folder=ROOT)
    program = "import pocketmars_env; print(pocketmars_env.__file__)"
    where = run(commands / "python", "-c", program, folder=tmp_path)
    assert Path(where.strip()).is_relative_to(commands.parent)


IN_A_PROJECT = """
import agents, training
assert (agents.OWN, training.OWN) == ("project", "project"), (agents, training)
import gymnasium, pocketmars_env
env = gymnasium.make("pocketmars/Table-v1", opponents="greedy:1")
observation, info = env.reset(seed=1)
env.step(env.action_space.sample(info["action_mask"]))
"""


def test_it_works_in_a_project_with_packages_named_agents_and_training(
    commands: Path, tmp_path: Path
) -> None:
    for name in ("agents", "training"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("OWN = 'project'\n", encoding="utf-8")
    run(commands / "python", "-c", IN_A_PROJECT, folder=tmp_path)
    bench = ("bench", "random", "--games", "2", "--handicap", "0", "--markdown")
    assert "| random |" in run(commands / "pocketmars", *bench, folder=tmp_path)
