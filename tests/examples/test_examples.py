"""Every example runs in a small form, and prints its progress."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = {
    "aec_loop": ["--games", "2"],
    "dqn_from_recordings": ["--games", "20", "--updates", "20"],
    "league_of_bots": ["random", "greedy:1", "--deals", "3"],
    "my_bot": ["--games", "2"],
    "ppo": ["--minutes", "0.02"],
    "sb3_unmasked": ["ppo", "--steps", "4096", "--games", "20"],
    "self_play": ["--minutes", "0.01", "--n-eval-games", "20"],
}
"""The arguments of each example's small form."""
OF_OTHER_LIBRARIES = {"rllib_ppo", "tianshou_dqn", "torchrl_ppo"}
"""Examples that tests/compat runs in the virtual environments of their libraries."""
MOST_LINES = 125


def test_every_example_is_tested_and_short() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == SMALL.keys() | OF_OTHER_LIBRARIES
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES, path.name
    assert len((EXAMPLES / "ppo.py").read_text(encoding="utf-8").splitlines()) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_an_example_prints_its_progress(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *SMALL[name]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert any(character.isdigit() for character in done.stdout), done.stdout
