"""The recipes of the site, followed to the letter."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pocketmars_env import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.rules.cards import NUM_CARDS
from tests.docs.test_commands import commands

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "recipes"

GAMES = 1_000
NEW_CARD_NUMBER = NUM_CARDS + 1
ACTIONS_OF_A_CARD = 4

PLAY_WITH_NEW_CARD = f"""
import json

import pocketmars_agents.games.pocket_mars.look_ahead_weights as weights
from pocketmars_env import Games, NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.actions import first_action
from pocketmars_env.games.pocket_mars.text.card_text import program_text
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, CARD_NUMBER, FIRST_BOTTOM
from pocketmars_env.games.pocket_mars.testing import check_invariants, play_random_game

new = CARD_NUMBER["NAME"]
plays = first_action("PLAY_HAND") + new, first_action("PLAY_PREP") + new
played = [0, 0]
finished = 0
for mode, players in (("solo", 1), ("multi", 2), ("multi", 3), ("multi", 4)):
    play_random_game(seed=1, check=check_invariants, mode=mode, players=players)
    games = Games({GAMES} // 4, mode=mode, players=players, seed=1)
    while not games.over.all():
        actions = games.random_actions()
        for half in range(2):
            played[half] += int(((actions == plays[half]) & ~games.over).sum())
        games.step(actions, ~games.over)
    finished += int((games.over & ~games.truncated).sum())
    games.game(0)._repr_svg_()
print(json.dumps({{
    "cards": len(CARDS), "actions": NUM_ACTIONS, "new": new, "finished": finished, "played": played,
    "top": program_text(new), "bottom": program_text(FIRST_BOTTOM + new),
    "weights": [len(table) for table in weights.CARD_WEIGHTS],
}}))
"""


def recipe(name: str) -> str:
    return (RECIPES / name).read_text(encoding="utf-8")


def new_card() -> tuple[str, str]:
    """Return the name of the card after which the recipe inserts a line, and the line."""
    found = re.search(r"<!-- card: behind (.+?) -->\n\n```text\n(.+)\n```", recipe("add_a_card.md"))
    assert found is not None
    return found[1], found[2]


def with_new_card(folder: Path, behind: str, line: str) -> None:
    """Copy the packages and insert the line after that of the card `behind`; nothing else is changed."""
    for package in (ROOT / "pocketmars_env", ROOT / "agents" / "pocketmars_agents"):
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    cards = folder / "pocketmars_env" / "games" / "pocket_mars" / "rules" / "cards.py"
    before = cards.read_text(encoding="utf-8")
    after = re.sub(
        rf'^    Card\("{behind}".*$', lambda old: f"{old[0]}\n    {line}", before, flags=re.MULTILINE
    )
    assert len(after.splitlines()) == len(before.splitlines()) + 1
    cards.write_text(after, encoding="utf-8")


def run_in(folder: Path, *command: str, **variables: str) -> str:
    """Run Python in a folder whose packages take precedence, and return the output."""
    paths = os.pathsep.join(map(str, (folder, ROOT, ROOT / "agents")))
    environment = {**os.environ, "PYTHONPATH": paths, **variables}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.mark.slow  # compiles the changed rules
def test_a_card_is_added_by_one_line_and_a_thousand_games_are_played_with_it(tmp_path: Path) -> None:
    with_new_card(tmp_path, *new_card())
    name = new_card()[1].split('"')[1]
    # A separate cache: in a shared one, this run could remove the kernels of other copies.
    output = run_in(
        tmp_path, "-c", PLAY_WITH_NEW_CARD.replace("NAME", name), XDG_CACHE_HOME=str(tmp_path / "cache")
    )
    result: dict[str, Any] = json.loads(output)
    assert result["cards"] == NEW_CARD_NUMBER
    assert result["actions"] == NUM_ACTIONS + ACTIONS_OF_A_CARD
    assert result["new"] == NUM_CARDS
    assert result["finished"] > 0.99 * GAMES
    assert min(result["played"]) > GAMES / 10
    assert (result["top"], result["bottom"]) == (
        "launch 1 and gain 2 energy",
        "use 2 energy: settle 1 in any Building",
    )
    assert result["weights"] == [NEW_CARD_NUMBER, NEW_CARD_NUMBER]


CHECK_NEW_CARD = """
from pocketmars_env.games.pocket_mars.rules.cards import CARDS_PER_SUIT, CARD_NUMBER
from pocketmars_env.games.pocket_mars.testing import check_invariants, play_random_game

assert CARDS_PER_SUIT == 8
for settings in ({"mode": "solo"}, {"players": 2}):
    play_random_game(seed=2, check=check_invariants, **settings)
print(CARD_NUMBER["Greenhouse 8"])
"""


@pytest.mark.slow  # runs without compilation
def test_a_card_in_the_middle_of_the_list_and_of_a_higher_value_fits_too(tmp_path: Path) -> None:
    line = 'Card("Greenhouse 8", GREENHOUSE, 8, top=LAUNCH_2, bottom=LAUNCH_1),'
    with_new_card(tmp_path, "Greenhouse 7", line)
    assert run_in(tmp_path, "-W", "error", "-c", CHECK_NEW_CARD, NUMBA_DISABLE_JIT="1").strip() == "7"


@pytest.fixture
def bot_folder(tmp_path: Path) -> Path:
    """A folder that contains the bot file from the recipe."""
    pattern = r"<!-- file: (\S+) -->\n\n```python\n(.*?)^```$"
    found = re.search(pattern, recipe("add_a_bot.md"), flags=re.MULTILINE | re.DOTALL)
    assert found is not None
    (tmp_path / found[1]).write_text(found[2], encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_a_bot_is_added_and_plays(bot_folder: Path) -> None:
    (_, *bench), _ = commands(RECIPES / "add_a_bot.md")
    table = run_in(bot_folder, "-m", "pocketmars_agents", *bench, "--markdown")
    assert len(re.findall(r"^\| my_bot:MyBot \|", table, flags=re.MULTILINE)) == len(LEVELS)
    assert "failed" not in table


@pytest.mark.slow  # plays a hundred games
def test_the_bot_is_compared_and_is_better_than_chance(bot_folder: Path) -> None:
    _, (_, *compare) = commands(RECIPES / "add_a_bot.md")
    assert "| H1 is accepted |" in run_in(bot_folder, "-m", "pocketmars_agents", *compare, "--markdown")
