"""Run Python programs in a new interpreter, with this clone or with an installed project."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


def run(program: str | Path, folder: Path | None = None, **environment: str) -> Any:
    """Run a program, given as source code or as a file, in `folder` and return its JSON output."""
    own = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents")))}
    result = subprocess.run(
        [sys.executable, *([program] if isinstance(program, Path) else ["-c", program])],
        env={**os.environ, **own, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    return json.loads(result.stdout)


def environment_in(folder: Path) -> Path:
    """Create a virtual environment with the packages of this one, and return the folder of its commands.

    The project is not in it: in a folder that a `.pth` file names, Python ignores those of editable installs.
    """
    venv.create(folder)
    paths = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", paths))
    (site / "packages.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return Path(sysconfig.get_path("scripts", "venv", paths))


def run_installed(*command: str | Path, folder: Path) -> str:
    """Run a command without PYTHONPATH, so that it imports nothing from this clone; return its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout
