"""The Git revision of this code."""

import subprocess
from pathlib import Path


def revision() -> str:
    """Return the Git revision, with ``-dirty`` if tracked files have changed, or "unknown" if Git fails."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
