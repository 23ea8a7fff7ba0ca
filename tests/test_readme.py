"""The figures on the pages: ``python -m tests.test_readme`` measures them and writes them there.

Arguments such as ``ladder`` select parts to update.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pocketmars_agents.cli.command_line import main
from pocketmars_agents.games.pocket_mars.bench import DEFAULT_BOTS
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.speed.report import markdown
from tests.docs.repository import ADDITIONS, with_address
from tests.wasm import measuring

ROOT = Path(__file__).parent.parent
README, MATCHES, PERFORMANCE = ROOT / "README.md", ROOT / "agents/MATCHES.md", ROOT / "docs/performance.md"
MOST_LINES, MOST_WORDS = 120, 700
BENCH = ["pocketmars_agents", "bench", "--markdown"]
LADDER = ["pocketmars_agents", "ladder", "--division", "solo", "--markdown"]
SPEED = ["pocketmars_env.speed", "--json"]
TIME_COLUMN = "ms/decision"
HIGHEST_LEVEL = "cyborg-0"


def printed(command: list[str], *more: str) -> str:
    """Run a module with arguments, and return what it prints."""
    words = [sys.executable, "-m", *command, *more]
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def short(ladder: str) -> str:
    """Return each bot with its rating, its win rate at the highest level, and its time."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in ladder.splitlines()]
    ratings, crosses = (
        [dict(zip(rows[start], row)) for row in rows[start + 2 :] if len(row) == len(rows[start])]
        for start, row in enumerate(rows)
        if "entry" in row
    )
    rates = {row["entry"]: row[HIGHEST_LEVEL].removesuffix(" ≈") for row in crosses}
    titles = ["bot", "rating [95 %]", "win rate", "ms/decision"]
    lines = [[row["entry"], row[titles[1]], rates[row["entry"]], row["CPU ms/decision"]] for row in ratings]
    return markdown([titles, *lines])


def speed() -> str:
    """Run the speed benchmark; return its method and a table of its figures with a column for each game."""
    results = [json.loads(printed(SPEED, "--game", game)) for game in GAMES]
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


PARTS: dict[str, list[tuple[Path, Callable[[], str]]]] = {
    "bench": [(MATCHES, lambda: printed(BENCH))],
    "ladder": [(README, lambda: short(printed(LADDER)))],
    "speed": [(PERFORMANCE, speed)],
    "wasm": [(ROOT / "docs/browser.md", measuring.table)],
}
"""The pages with a part between ``<!-- NAME begins -->`` and ``<!-- NAME ends -->``, and what writes it."""


def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern that matches a generated part of a page; group 1 is its text."""
    return re.compile(rf"(?<=<!-- {name} begins -->\n)(.*?)(?=<!-- {name} ends -->)", flags=re.DOTALL)


def part(page: Path, name: str) -> str:
    found = pattern(name).search(page.read_text(encoding="utf-8"))
    assert found is not None
    return found[1].strip()


def repeatable(table: str) -> list[list[str]]:
    """Return the cells of a Markdown table, without the column that depends on the machine."""
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    time = [cell.strip() for cell in rows[0]].index(TIME_COLUMN)
    return [[cell.strip() for i, cell in enumerate(row) if i != time] for row in rows]


@pytest.mark.slow
def test_the_bench_table_is_what_the_command_prints() -> None:
    bots, level = DEFAULT_BOTS[:2], LEVELS[-1]  # the policy takes longer, and the other levels are similar
    whole = repeatable(part(MATCHES, "bench"))
    rows = [row for row in whole[2:] if row[0] in bots and row[1] == level]
    assert len(rows) == len(bots)
    assert [*whole[:2], *rows] == repeatable(printed(BENCH, *bots, "--level", level))


def test_the_ladder_is_that_of_the_results_in_the_repository(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", LADDER)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (None, 0)
    assert part(README, "ladder") == short(capsys.readouterr().out)


def test_the_readme_is_short() -> None:
    text = README.read_text(encoding="utf-8")
    for name, place, addition in ADDITIONS:  # the address of the repository does not count
        text = with_address(text, place, addition, "") if name == README.name else text
    assert len(text.splitlines()) <= MOST_LINES
    assert len(text.split()) <= MOST_WORDS


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
    if unknown := set(sys.argv[1:]) - PARTS.keys():
        sys.exit(f"no part is called {', '.join(sorted(unknown))}; accepted: {', '.join(PARTS)}")
    for part_name in sys.argv[1:] or PARTS:
        for path, write in PARTS[part_name]:
            new = f"\n{write()}\n\n"
            old = path.read_text(encoding="utf-8")
            # mypy does not accept a lambda with a default argument here
            text = pattern(part_name).sub(lambda _, new=new: new, old)  # type: ignore[misc]
            path.write_text(text, encoding="utf-8")
