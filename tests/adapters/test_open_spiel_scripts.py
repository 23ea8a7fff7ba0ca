"""OpenSpiel's example scripts and user scripts run with the game registered."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspiel")

from pocketmars_env.adapters.open_spiel.__main__ import main

GAME = "python_pocket_mars(seed=3,round_limit=1)"


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pocketmars_env.adapters.open_spiel", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_an_example_of_open_spiel_plays_the_game(tmp_path: Path) -> None:
    done = run("example", f"--game_string={GAME}", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Utility for player 1 is" in done.stdout


@pytest.mark.slow
def test_a_script_of_ones_own_is_run_with_its_flags(tmp_path: Path) -> None:
    lines = [
        "import pickle, sys, pyspiel",
        "if __name__ == '__main__':",
        "    state = pyspiel.load_game(sys.argv[1]).new_initial_state()",
        "    print(str(pickle.loads(pickle.dumps(state))) == str(state), sys.argv[2:])",
    ]
    (tmp_path / "script.py").write_text("\n".join(lines), encoding="utf-8")
    done = run("script.py", GAME, "--flag", "x", folder=tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, "True ['--flag', 'x']"), done.stderr


@pytest.mark.parametrize("arguments", [(), ("--help",), ("no_such_script",), ("../mcts",)])
def test_what_is_no_script_is_answered_with_the_usage(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    answer = str(stopped.value)
    assert "SCRIPT" in answer
    assert not arguments or arguments[0].startswith("-") or arguments[0] in answer
