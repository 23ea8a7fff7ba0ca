"""What results depend on: the Git revision of this code, and the versions of packages."""

import platform
import subprocess
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from pocketmars_env.core.version import __version__


def revision() -> str:
    """Return the Git revision, with ``-dirty`` if tracked files have changed, or "unknown" if Git fails."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def versions_of(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of Python, this package and the given packages."""
    versions = {"python": platform.python_version(), "pocketmars-env": __version__}
    return versions | {package: metadata.version(package) for package in packages}
