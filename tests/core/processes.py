"""Run Python programs in a new interpreter."""

import json
import os
import subprocess
import sys
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
