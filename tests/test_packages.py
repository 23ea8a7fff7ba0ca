"""The published wheel and source distribution are complete, and the wheel works outside the repository."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from pocketmars_env import __version__

pytestmark = pytest.mark.slow  # they build packages and install all dependencies

ROOT = Path(__file__).parent.parent
PACKAGES = ("pocketmars_env", "agents/pocketmars_agents", "training/pocketmars_training")
ALSO_IN_THE_SOURCES = {
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE", "constraints.txt",
    "mkdocs.yml", "docs/rules.md", "docs/hooks.py", "tests/test_packages.py", "pyproject.toml",
}  # fmt: skip


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    """Run a command without PYTHONPATH, so that it imports nothing from the checkout; return its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env={**environment, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


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
        "pocketmars_agents/games/pocket_mars/leaderboard/da-2.jsonl",
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


@dataclass(frozen=True)
class Installation:
    """A virtual environment in which the wheel is installed."""

    commands: Path
    wheel: tuple[str | Path, ...]  # arguments of `pip install`
    cache: dict[str, str]  # an environment variable that sets a separate compile cache

    def pip(self, *arguments: str | Path) -> None:
        run(self.commands / "pip", *arguments, "-q", folder=self.commands)


@pytest.fixture(scope="module")
def installed(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=True)
    commands = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    wheel = (f"{only(published, '*.whl')}[policies]", "-c", ROOT / "constraints.txt")
    installation = Installation(commands, wheel, {"XDG_CACHE_HOME": str(folder / "cache")})
    installation.pip("install", *wheel)
    return installation


def test_the_wheel_works_outside_the_checkout(installed: Installation, tmp_path: Path) -> None:
    # games are played in the next test, and by the first command of the README in `.ci/run`
    outside = run(installed.commands / "pocketmars", "leaderboard", folder=tmp_path, **installed.cache)
    inside = run(sys.executable, "-m", "pocketmars_agents", "leaderboard", folder=ROOT)
    assert outside == inside
    where = run(
        installed.commands / "python",
        "-c",
        "import pocketmars_env; print(pocketmars_env.__file__)",
        folder=tmp_path,
    )
    assert Path(where.strip()).is_relative_to(installed.commands.parent)


# --- beside other packages --------------------------------------------------------------------------

OTHERS_AGENTS = "openai-agents"
"""A package whose import name is `agents`."""

IN_A_PROJECT = """
import agents, training
assert (agents.OWN, training.OWN) == ("project", "project"), (agents, training)
import gymnasium, pocketmars_env
env = gymnasium.make("pocketmars/Table-v1", opponents="greedy:1")
observation, info = env.reset(seed=1)
env.step(env.action_space.sample(info["action_mask"]))
"""

ELSEWHERE = """
from agents import Agent, Runner
import pocketmars_env, pocketmars_agents
print(pocketmars_agents.make_agent("greedy").name)
"""


def test_other_packages_named_agents_and_training_are_left_alone(
    installed: Installation, tmp_path: Path
) -> None:
    pip, found = str(installed.commands / "pip"), str(tmp_path / "found")
    get = [pip, "download", "-q", "--no-deps", "-d", found, OTHERS_AGENTS]
    if subprocess.run(get, cwd=tmp_path, capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{OTHERS_AGENTS} cannot be downloaded here")
    installed.pip("install", OTHERS_AGENTS)
    check_beside_others(installed, tmp_path / "second")
    installed.pip("uninstall", "-y", "pocketmars-env")
    installed.pip("install", *installed.wheel)
    check_beside_others(installed, tmp_path / "first")


def check_beside_others(installed: Installation, folder: Path) -> None:
    """Check that our packages work beside other packages named `agents` and `training`."""
    project, elsewhere = folder / "project", folder / "elsewhere"
    elsewhere.mkdir(parents=True)
    for name in ("agents", "training"):
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").write_text("OWN = 'project'\n", encoding="utf-8")
    commands, cache = installed.commands, installed.cache
    assert run(commands / "python", "-c", ELSEWHERE, folder=elsewhere, **cache) == "greedy\n"
    run(commands / "python", "-c", IN_A_PROJECT, folder=project, **cache)
    bench = ("bench", "random", "--games", "2", "--handicap", "0", "--markdown")
    assert "| random |" in run(commands / "pocketmars", *bench, folder=project, **cache)
