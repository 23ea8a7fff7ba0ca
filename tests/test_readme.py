"""The README's figures: ``python -m tests.test_readme`` measures them and writes them to the README.

Arguments such as ``leaderboard`` select parts to update.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pocketmars_agents.cli.command_line import main
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.speed.report import markdown

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
COMMANDS = {
    "bench": ["pocketmars_agents", "bench", "--markdown"],
    "leaderboard": ["pocketmars_agents", "leaderboard", "--markdown"],
    "speed": ["pocketmars_env.speed", "--json"],
}
"""The commands that print the figures between ``<!-- NAME begins -->`` and ``<!-- NAME ends -->``."""
TIME_COLUMN = "ms/decision"


def printed(name: str, *more: str) -> str:
    """Run the command of a part with additional arguments, and return what it prints."""
    command = [sys.executable, "-m", *COMMANDS[name], *more]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def shown(name: str) -> str:
    """Generate the README's text for a part; for ``speed``, the figures of every game."""
    return speed() if name == "speed" else printed(name)


def speed() -> str:
    """Run the speed benchmark; return its method and a table of its figures with a column for each game."""
    results = [json.loads(printed("speed", "--game", game)) for game in GAMES]
    titles = ["figure", *(spec.title for spec in GAMES.values())]
    rows = [
        [figures[0][0], *(cell for figure in figures for cell in figure[1:])]
        for figures in zip(*(result["figures"] for result in results), strict=True)
    ]
    versions, method, _, rounds = results[0]["about"]
    of = " and ".join(f"{next(iter(spec.config.measured()))} ({spec.title})" for spec in GAMES.values())
    chosen = (
        f"Measured configurations: {of}. "
        "Of rows that differ only in the number of parallel games, the fastest is used."
    )
    return "\n\n".join([versions, method, chosen, rounds, markdown([titles, *rows])])


def part(name: str) -> re.Pattern[str]:
    """Return a pattern that matches a generated part of the README; group 1 is its text."""
    return re.compile(rf"(?<=<!-- {name} begins -->\n)(.*?)(?=<!-- {name} ends -->)", flags=re.DOTALL)


def repeatable(table: str) -> list[list[str]]:
    """Return the cells of a Markdown table, without the column that depends on the machine."""
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    time = [cell.strip() for cell in rows[0]].index(TIME_COLUMN)
    return [[cell.strip() for i, cell in enumerate(row) if i != time] for row in rows]


@pytest.mark.slow
def test_the_bench_table_is_what_the_command_prints() -> None:
    found = part("bench").search(README.read_text(encoding="utf-8"))
    assert found is not None
    assert repeatable(found[1]) == repeatable(printed("bench"))


def test_the_leaderboard_is_that_of_the_results_in_the_repository(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = part("leaderboard").search(README.read_text(encoding="utf-8"))
    assert found is not None
    monkeypatch.setattr(sys, "argv", COMMANDS["leaderboard"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (None, 0)
    assert capsys.readouterr().out.strip() == found[1].strip()


def test_ci_runs_the_commands_of_the_readme() -> None:
    """CI runs the first command as printed; for the second, it installs dependencies by hash."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = re.findall(
        r'^python3 -m venv .*-e "\.\[(\w+)\]" && \.venv/bin/(\w+)', README.read_text(encoding="utf-8"), re.M
    )
    assert commands == [("policies", "pocketmars"), ("dev", "pytest")]
    assert "bash .ci/install .venv dev" in script
    assert ".venv/bin/pytest" in script
    assert 'pip install -q -c constraints.txt ".[policies]"' in script
    assert ".ci/.venv/bin/pocketmars" in script


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - COMMANDS.keys():
        sys.exit(f"no part is called {', '.join(sorted(unknown))}; accepted: {', '.join(COMMANDS)}")
    text = README.read_text(encoding="utf-8")
    for part_name in sys.argv[1:] or COMMANDS:
        # mypy does not accept a lambda with a default argument here
        text = part(part_name).sub(lambda _, name=part_name: f"\n{shown(name)}\n\n", text)  # type: ignore[misc]
    README.write_text(text, encoding="utf-8")
