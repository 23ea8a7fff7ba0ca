"""The documents agree with the code: generated tables, complete lists, and examples that run.

A generated table is in a Markdown page between two marker lines, ``<!-- table: NAME -->`` and
``<!-- end -->``; NAME is a key of `TABLES`. ``python -m tests.test_documents`` regenerates all tables.
"""

import inspect
import json
import re
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.games.pocket_mars.columns import COLUMNS
from pocketmars_agents.line_protocol import messages
from pocketmars_agents.recording.columns import column_table
from pocketmars_env import Game
from pocketmars_env.core.compiled import compiling
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.core.layout import Block, DecisionRow, Piece
from pocketmars_env.games.pocket_mars.rules import state
from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS
from pocketmars_env.games.pocket_mars.rules.cards import (
    ABILITIES,
    CARDS,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    FIRST_TOP,
)
from pocketmars_env.games.pocket_mars.rules.constants import (
    BUILDING_NAMES,
    LAST_CONDITION,
    LAST_PRICE,
    LAST_REQUIREMENT,
    Decision,
    Op,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.interpreter import DECISION_OF_OP
from pocketmars_env.games.pocket_mars.small import SMALL_GAMES
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.pocket_mars.text.card_text import PHRASES, program_text
from pocketmars_env.games.project_mars.rules.cards import CARDS as PROJECT_MARS_CARDS
from pocketmars_env.games.project_mars.rules.cards import STARTER_CARDS
from pocketmars_env.games.project_mars.rules.constants import Category
from pocketmars_env.games.project_mars.small import SMALL_GAMES as BATTLES
from pocketmars_env.games.project_mars.text.card_text import card_text, type_line
from pocketmars_training.generalization.results import RESULT_FILE, read_results, study_table
from pocketmars_training.strength_page import self_check_table, strength_table

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "pocketmars_env" / "games" / "pocket_mars" / "rules"
GAME = ENGINE.parent
ENGINE_PAGE = ENGINE / "README.md"
PACKAGES = ("pocketmars_env", "agents", "training", "notebooks", "docs")
PAGES = [
    *ROOT.glob("*.md"),
    *sorted(page for package in PACKAGES for page in ROOT.glob(f"{package}/**/*.md")),
]
"""Every Markdown page of the project."""

EXPLOITABILITY = ROOT / "training" / "exploitability"
TRAINING_PAGE = ROOT / "training" / "README.md"
EXAMPLE_PAGES = [page for page in PAGES if page != TRAINING_PAGE]
"""The pages whose Python blocks run on their own; the training page's example needs a trained policy."""

OPTIONAL = {
    "agilerl",
    "matplotlib",
    "minari",
    "openenv",
    "pandas",
    "pyarrow",
    "ray",
    "sb3_contrib",
    "stable_baselines3",
    "textarena",
    "tianshou",
    "torch",
    "torchrl",
}
"""Packages that an example may need and that the base installation does not include."""


# --- the tables of the code -----------------------------------------------------------------------


def markdown_table(*rows: tuple[Any, ...], right: Sequence[str] = ()) -> str:
    """Format rows as a Markdown table; the first row is the header, and `right` aligns columns right."""
    head, *body = rows
    lines = [head, ["---:" if name in right else "---" for name in head], *body]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def record_table(name: str) -> str:
    """Generate the table of the fields of the record `name` in `state.py`, from its dtype and comments."""
    record: np.dtype[Any] = getattr(state, name)
    source = inspect.getsource(state).partition(f"\n{name} = np.dtype(")[2].partition("\n)\n")[0]
    meanings = dict(re.findall(r'^ +\("(\w+)", .*?  # (.*)$', source, flags=re.MULTILINE))
    rows: list[tuple[Any, ...]] = [("field", "type", "shape", "bytes", "meaning")]
    for field in record.names or ():
        part = record[field]
        shape = " × ".join(map(str, part.shape)) or "-"
        kind = "`SEAT`" if part.base == state.SEAT else part.base.name
        rows.append((f"`{field}`", kind, shape, part.itemsize, meanings[field]))
    return markdown_table(*rows, ("all", "", "", record.itemsize, f"`{name}`"))


def op_table() -> str:
    """Generate the table of the ops of the card language; `n` is the amount in a line."""
    rows = [("op", "kind", "card text", "decision")]
    for op in Op:
        if op == Op.END:
            rows.append(("`END`", "-", "(nothing follows)", "-"))
            continue
        limits = {LAST_CONDITION: "condition", LAST_PRICE: "price", LAST_REQUIREMENT: "required move"}
        kind = next((kind for last, kind in limits.items() if op <= last), "effect")
        to_play = int(DECISION_OF_OP[op])
        asks = "-" if to_play < 0 else f"`{Decision(to_play).name}`"
        rows.append((f"`{op.name}`", kind, PHRASES[op].format(amount="n", suit="(suit)"), asks))
    return markdown_table(*rows)


def decision_table() -> str:
    """Generate the table of all decisions with their prompts and action blocks."""
    rows = [("number", "decision", "prompt", "action blocks")]
    rows += [(str(i), f"`{row.name}`", row.prompt, blocks_of(row)) for i, row in enumerate(DECISIONS)]
    return markdown_table(*rows)


def blocks_of(row: DecisionRow) -> str:
    blocks = ", ".join(f"`{name}`" for name in row.blocks)
    if not row.may_pass:
        return blocks
    if row.blocks == ("ACCEPT",):
        return f"{blocks}, `PASS`"
    return f"{blocks}; also `PASS`, but not for the ability of Aqualab"


def card_table() -> str:
    rows = [("card", "top", "bottom")]
    for number, card in enumerate(CARDS):
        rows.append((card.name, program_text(FIRST_TOP + number), program_text(FIRST_BOTTOM + number)))
    return markdown_table(*rows)


def ability_table() -> str:
    rows = [("Building", "its ability")]
    rows += [(BUILDING_NAMES[number], program_text(FIRST_ABILITY + number)) for number in ABILITIES]
    return markdown_table(*rows)


def transcript() -> str:
    """Generate a transcript of the line protocol in which a bot takes the first legal action twice."""
    game = Game(mode="solo", seed=1)
    ready = {"type": "ready", "protocol": messages.PROTOCOL, "name": "my bot", "fields": ["text"]}
    fields = messages.reply_of(messages.line_of(ready), messages.Ready).fields
    lines = [("<", messages.hello(SPEC)), (">", ready), ("<", messages.new_game(1, game.view()))]
    for number in (2, 3):
        view = game.view()
        answer = {"type": "action", "id": number, "action": view.legal[0], "value": 0.4}
        lines += [("<", messages.decision(number, 1, view, 7000 + number, 60.0, fields)), (">", answer)]
        game.step(messages.answer_of(messages.line_of(answer), number, view.legal)[0])
    lines += [("<", {"type": "game_over", "game_id": 1}), ("<", {"type": "quit"})]
    texts = [f"bot {direction} {messages.line_of(message).decode()}" for direction, message in lines]
    return f"```text\n{''.join(texts)}```"


def project_mars_card_table() -> str:
    rows: list[tuple[Any, ...]] = [("type", "card", "category and subtypes", "PWR", "effect")]
    for card, row in enumerate(PROJECT_MARS_CARDS):
        power = "" if row.category == Category.UTILITY else row.power
        rows.append((card, row.name, type_line(card).partition(" · PWR")[0], power, card_text(card)))
    return markdown_table(*rows, right=("type", "PWR"))


def project_mars_deck_table() -> str:
    rows = [("deck", "cards")]
    for name, cards in STARTER_CARDS.items():
        rows.append((f"`{name}`", ", ".join(f"{count} {card}" for card, count in cards.items())))
    return markdown_table(*rows)


def generalization_table(study: str) -> str:
    return study_table(study, read_results(ROOT / RESULT_FILE)).markdown()


def small_games() -> list[tuple[str, dict[str, Any]]]:
    """Return the small games and their measurements, with the smallest first."""
    measured = json.loads((ROOT / "training" / "small_games.json").read_text(encoding="utf-8"))
    return sorted(measured.items(), key=lambda item: int(item[1]["information_sets"]))


def small_game_sizes() -> str:
    """Generate the table with the settings and sizes of the small games."""
    names = ("deals", "information sets", "decisions", "histories")
    rows: list[tuple[Any, ...]] = [("small game", "per player", *names)]
    for name, row in small_games():
        game = SMALL_GAMES.get(name)
        if game is not None:
            suits = ", ".join(BUILDING_NAMES[suit] for suit in game.suits)
            rounds = "1 round" if game.rounds == 1 else f"{game.rounds} rounds"
            has = f"{game.hand} of {len(game.cards)} cards ({suits}), {game.colonists} colonists, {rounds}"
        else:
            battle = BATTLES[name]
            has = f"{battle.hands[0]} of {len(battle.decks[0])} cards, {battle.lanes} lane, 1 round"
        sizes = [f"{row[key]:,}" for key in ("deals", "information_sets", "states", "histories")]
        rows.append((f"`{name}`, {GAMES[row['game']].title}", has, *sizes))
    return markdown_table(*rows, right=names)


def small_game_values() -> str:
    """Generate the table with the values of the small games."""
    names = ("value of seat 0", "NashConv", "response to random", "information", "mixing", "first player")
    rows: list[tuple[Any, ...]] = [("small game", *names)]
    for name, row in small_games():
        low, high = row["value_interval"]
        response = np.mean(row["best_response_to_uniform"])
        values = (row["nash_conv"], response, row["information"], row["mixing"], row["first_player"])
        interval = f"{row['value']:.4f} [{low:.4f}, {high:.4f}]"
        rows.append((f"`{name}`", interval, *(f"{value:.4f}" for value in values)))
    return markdown_table(*rows, right=names)


def blocks_table(blocks: Sequence[Block]) -> str:
    """Generate the table of a game's action blocks."""
    rows: list[tuple[Any, ...]] = [("from", "size", "kind", "argument", "decision")]
    start = 0
    for block in blocks:
        rows.append((start, block.size, f"`{block.name}`", block.argument, block.decisions))
        start += block.size
    return markdown_table(*rows)


def layout_table(layout: Sequence[Piece]) -> str:
    """Generate the table of the pieces of an observation."""
    rows: list[tuple[Any, ...]] = [("from", "shape", "piece", "meaning")]
    start = 0
    for piece in layout:
        rows.append((start, " × ".join(map(str, piece.shape)), f"`{piece.name}`", piece.meaning))
        start += piece.size
    return markdown_table(*rows)


TABLES: dict[str, Callable[[], str]] = {
    "abilities": ability_table,
    "actions": lambda: blocks_table(SPEC.blocks),
    "cards": card_table,
    "decisions": decision_table,
    "generalization_deals": lambda: generalization_table("deals"),
    "generalization_levels": lambda: generalization_table("levels"),
    "generalization_players": lambda: generalization_table("players"),
    "observation": lambda: layout_table(SPEC.layout),
    "ops": op_table,
    "project_mars_cards": project_mars_card_table,
    "project_mars_decks": project_mars_deck_table,
    "recorded_columns": lambda: column_table(SPEC, COLUMNS),
    "seat": lambda: record_table("SEAT"),
    "self_check": lambda: self_check_table(EXPLOITABILITY),
    "small_game_sizes": small_game_sizes,
    "small_game_values": small_game_values,
    "state": lambda: record_table("STATE"),
    "strength": lambda: strength_table(EXPLOITABILITY),
    "transcript": transcript,
}

BLOCK = re.compile(r"^<!-- table: (\S*) -->$\n(.*?)^<!-- end -->$", flags=re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"^<!-- *(?:table\b|end\b).*$", flags=re.MULTILINE)


def table_blocks(text: str) -> list[tuple[str, str]]:
    """Return the names and current texts of the generated tables of a Markdown text, in order."""
    blocks = [(name, body.strip()) for name, body in BLOCK.findall(text)]
    for name, _ in blocks:
        if name not in TABLES:
            raise ValueError(f"there is no table {name!r}; the tables are {', '.join(TABLES)}")
    lone = MARKER.findall(BLOCK.sub(r"\2", text))  # markers that belong to no block
    if lone:
        raise ValueError(f"a table stands between <!-- table: NAME --> and <!-- end -->; alone: {lone}")
    return blocks


def with_tables(text: str) -> str:
    """Return the Markdown text with all its tables regenerated."""
    table_blocks(text)
    return BLOCK.sub(lambda block: written(block[1]), text)


def written(name: str) -> str:
    """Return a block with its table regenerated."""
    return f"<!-- table: {name} -->\n\n{TABLES[name]()}\n\n<!-- end -->"


def rewrite(pages: list[Path]) -> list[Path]:
    """Regenerate the tables of these pages; return the pages that have changed."""
    changed = []
    for page in pages:
        before = page.read_text(encoding="utf-8")
        after = with_tables(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            changed.append(page)
    return changed


# --- all pages ------------------------------------------------------------------------------------


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_the_pages_have_every_table_as_the_code_gives_it() -> None:
    blocks = [block for page in PAGES for block in table_blocks(page.read_text(encoding="utf-8"))]
    for name, table in blocks:
        assert table == TABLES[name](), f"{name}: run python -m tests.test_documents"
    assert {name for name, _ in blocks} == set(TABLES)


def test_every_row_of_a_table_has_as_many_cells_as_the_header() -> None:
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for table in re.findall(r"^ *\|.*(?:\n.*\S.*)*", text, flags=re.MULTILINE):  # up to an empty line
            rows = [re.split(r"(?<!\\)\|", row.strip()) for row in table.splitlines()]
            assert {len(row) for row in rows} == {len(rows[0])}, (page, table)
            assert all(row[0] == row[-1] == "" for row in rows), (page, table)


def test_links_lead_to_files() -> None:
    for page in PAGES:
        links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link).exists()] == [], page


def examples() -> list[Any]:
    """Return every Python block of `EXAMPLE_PAGES`, as a test parameter."""
    found = []
    for page in EXAMPLE_PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.finditer(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, block.start(1)) + 1
            found.append(pytest.param(block[1], id=f"{page_name(page)}:{line}"))
    return found


def test_the_example_of_the_training_page_plays_a_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from tests.agents.onnx_policies import write_policy

    (example,) = code_blocks(TRAINING_PAGE, "python")
    (run,) = re.findall(r'PolicyAgent\("(.+?)"\)', example)
    (tmp_path / run).parent.mkdir(parents=True)
    write_policy(tmp_path / run)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {"__name__": "__main__"})


def code_blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a language on a page."""
    pattern = rf"^```{language}\n(.*?)^```$"
    return re.findall(pattern, page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", examples())
def test_examples_run(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        exec(compile(example, "example", "exec"), {"__name__": "__main__"})
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in OPTIONAL:
            raise
        pytest.skip(f"needs {error.name}")


# --- the blocks themselves ------------------------------------------------------------------------


# --- the engine's page ----------------------------------------------------------------------------


def engine_page() -> str:
    return ENGINE_PAGE.read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return the text of a section of the engine page, including its subsections."""
    return engine_page().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def names_of(enum: type[IntEnum]) -> set[str]:
    return {member.name for member in enum}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def test_the_map_names_every_module() -> None:
    listed = re.findall(r"^\| `(\S+\.py)` \|", section("The modules, in reading order"), flags=re.MULTILINE)
    assert len(listed) == len(set(listed))
    of_the_core = {name for name in listed if name.startswith("core/")}
    assert all((ROOT / "pocketmars_env" / name).exists() for name in of_the_core)
    rooms = (ENGINE, GAME / "text", GAME / "snapshots")
    modules = {source for room in rooms for source in room.glob("*.py") if source.name != "__init__.py"}
    assert {(ENGINE / name).resolve() for name in set(listed) - of_the_core} >= modules


def test_the_course_of_the_game_names_every_stage_and_decision() -> None:
    course = words(section("How a game flows"))
    assert names_of(Stage) | names_of(Decision) <= course


def test_rulings_on_the_page_are_those_that_are_tested() -> None:
    listed = re.findall(r"^\| (R-[A-Z]+) \|", section("The rulings"), flags=re.MULTILINE)
    tests = (ROOT / "tests" / "games" / "pocket_mars" / "test_rulings.py").read_text(encoding="utf-8")
    tested = {f"R-{name.upper()}" for name in re.findall(r"^def test_r_([a-z]+)", tests, flags=re.MULTILINE)}
    assert len(listed) == len(set(listed))
    assert set(listed) == tested | set(re.findall(r"\bR-[A-Z]+", tests))


@pytest.mark.parametrize("game", GAMES)
def test_rulings_in_the_sources_are_on_the_page(game: str) -> None:
    folder = GAME.parent / game / "rules"
    sources = "".join(source.read_text(encoding="utf-8") for source in folder.glob("*.py"))
    cited, page = set(re.findall(r"\bR-[A-Z]+", sources)), (folder / "README.md").read_text(encoding="utf-8")
    assert cited
    assert cited <= set(re.findall(r"^\| (R-[A-Z]+) \|", page, flags=re.MULTILINE))


def test_the_decorators_are_named() -> None:
    decorators = {"kernel", "hot_kernel", "shorthand", "entry_point"}
    assert all(callable(getattr(compiling, name)) for name in decorators)
    assert decorators <= words(section("House style"))


if __name__ == "__main__":
    for path in rewrite(PAGES):
        print(f"{page_name(path)}: tables written")
