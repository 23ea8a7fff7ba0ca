"""The requirements that CI installs by hash have the same versions as the tested constraints."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SETS = {
    "dev": "constraints.txt",
    "rllib": ".ci/constraints/rllib.txt",
    "torchrl": ".ci/constraints/torchrl.txt",
    "tianshou": ".ci/constraints/tianshou.txt",
    "textarena": ".ci/constraints/textarena.txt",
    "openenv": ".ci/constraints/openenv.txt",
    "verifiers": ".ci/constraints/verifiers.txt",
    "cuda": ".ci/constraints/cuda.txt",
}
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def versions(path: Path) -> dict[str, str]:
    """Return the version of each package in a file, by normalized package name."""
    pins = PIN.findall(path.read_text(encoding="utf-8"))
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pins}


@pytest.mark.parametrize("name", SETS)
def test_hashed_sets_have_the_versions_of_the_tested_sets(name: str) -> None:
    tested, hashed = versions(ROOT / SETS[name]), versions(ROOT / f".ci/requirements/{name}.txt")
    differing = {package for package in tested.keys() & hashed.keys() if tested[package] != hashed[package]}
    assert differing == set()
    assert {"numba", "numpy", "pytest"} <= hashed.keys()
    torch = versions(ROOT / ".ci/requirements/torch.txt")["torch"]
    assert tested.get("torch", torch) == torch


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".ci" / "requirements").glob("*.txt")), ids=lambda path: path.stem
)
def test_every_requirement_has_a_hash(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[A-Za-z])", text)
    assert [entry for entry in entries if "--hash=sha256:" not in entry or not PIN.match(entry)] == []
