"""Entry points are compiled once, and kernels use only modules that the cache hash covers."""

import ast
import functools
import os
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple

import numba
import numpy as np
import pytest
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from pocketmars_env.core import precompile
from pocketmars_env.core.compiled import compile_notice, compiling
from pocketmars_env.core.compiled.per_game import GameKernels
from pocketmars_env.core.compiled.signatures import Matrix, Vector, signature_of
from pocketmars_env.core.compiled.states import States, blank_records
from tests.core.processes import ROOT, run
from tests.test_architecture import SOURCE_ROOTS, SOURCES, is_module

CORE = ROOT / "pocketmars_env" / "core" / "compiled"
GAMES = ROOT / "pocketmars_env" / "games"

PLAY = """
import json
import sys
import numpy as np
from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent, PlannerAgent
from pocketmars_agents.bots.puct_agent import CompiledNetwork, PuctAgent
from pocketmars_agents.game_bots import Network
from pocketmars_agents.games.pocket_mars import automaton_agent
from pocketmars_agents.search.evaluations import search_module
from tests.agents.mlps import blank_mlp
from pocketmars_env.core.compiled import masks
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.core.games import Games
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.games.pocket_mars.snapshots import phases
from pocketmars_env.games.project_mars.snapshots import rounds

spec = game_named({game!r})
own = (phases, automaton_agent) if spec.name == "pocket_mars" else (rounds,)
searches = [search_module(name, spec) for name in ("look_ahead", "search_tree", "ismcts", "puct")]
values = [value for module in (spec.batch, masks, *own, *searches) for value in vars(module).values()]
values += [*spec.kernels.parts.values(), spec.compact.observe_all, spec.compact.observe_at]
entry_points = [value for value in values if hasattr(value, "compile_for")]
for entry_point in entry_points:
    entry_point.compile_for(spec.state)
declared = [list(entry_point.signatures) for entry_point in entry_points]

agents = [
    GreedyAgent(1), PlannerAgent(1), IsmctsAgent(2), IsmctsAgent(2, rollout="random", exploration=1),
    PuctAgent(2, network=Network()), PuctAgent(2, network=CompiledNetwork(blank_mlp(spec, 2, 4))),
]
for settings in {settings!r}:
    game, rng = Game(spec, **settings, seed=np.int16(3)), np.random.default_rng(0)
    games = Games(2, spec, **settings, observation_dtype="uint8")
    games.step(masks.sample_actions(games.observe()[1], rng))
    games.scores, games.winners, games.views(np.array([1]), games.to_play[1:])[0].mask
    while not game.over:
        game.observe(), game.mask(), game.scores, game.snapshot(), game.clone().to_bytes()
        view, before = game.view(), game.clone()
        view.sample(rng).observe()
        agent = agents[len(game.actions) % len(agents)]
        if game.decision in ("DA_UPGRADE", "DA_SETTLE"):
            agent = automaton_agent.AutomatonAgent()
        elif len(game.actions) % 2:
            agent.estimate(view, rng)
        game.step(np.int16(agent.act(view, rng)))
        presentation_of(spec).entries(*before.move_to(game), None)
        presentation_of(spec).round_end(*before.move_to(game), None)
    Game.from_text(game.to_text(), spec)
    Game.from_snapshot(Game(spec, **settings, seed=1).snapshot(), seed=0, spec=spec)

print(json.dumps([len(entry_points), [
    [entry_point.__name__, *map(str, entry_point.signatures)]
    for entry_point, before in zip(entry_points, declared) if list(entry_point.signatures) != before
]]))
"""


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("pocket_mars", [{"players": 3, "draft": True}, {"mode": "solo", "da_agent": True}]),
        ("project_mars", [{"mode": "same"}]),
    ],
)
def test_games_and_bots_call_entry_points_with_the_declared_types(
    game: str, settings: list[dict[str, Any]]
) -> None:
    """Any other types would be compiled in the middle of a game."""
    number, others = run(PLAY.format(game=game, settings=settings))
    assert number > 30
    assert others == []


class Fields(NamedTuple):
    states: States
    number: int = 0


def test_annotations_give_the_types_of_values() -> None:
    records = np.dtype([("number", np.int16)])
    states, fields = blank_records(3, records), Fields(blank_records(1, records))

    def entry_point(
        states: States,
        seed: np.uint64,
        flags: Vector[np.bool_],
        table: Matrix[np.float32],
        places: Annotated[NDArray[Any], records],
        fields: Fields,
        mixed: tuple[int, float, bool],
        pair: tuple[Fields, Fields],
    ) -> None: ...

    values = (
        *(states, np.uint64(1), np.zeros(3, np.bool_), np.zeros((2, 2), np.float32), states, fields),
        *((1, 2.0, True), (fields, fields)),
    )
    assert signature_of(entry_point, records) == tuple(map(numba.typeof, values))


DECORATORS = {
    *(
        "kernel",
        "hot_kernel",
        "arithmetic_kernel",
        "shorthand",
        "shared",
        "entry_point",
        "atomic_entry_point",
    ),
    *("compiled_apart", "device_kernel"),
}
NOT_COMPILED = {*DECORATORS, "cuda_module"}
"""Names in the sources of kernels that do not become part of their machine code."""


def test_kernels_use_only_what_the_hash_of_the_cache_folder_covers() -> None:
    """The cache would not notice an edit to any other module and would return stale code.

    The hash covers all modules of packages outside `PACKAGES`.
    """
    kernels = [
        (source, name)
        for source in SOURCES
        if source.relative_to(ROOT).parts[0] != "notebooks"
        for name, node in named(source).items()
        if is_kernel(node)
    ]
    assert len(kernels) > 200
    reached: set[tuple[Path, str]] = set()
    while kernels:
        source, name = kernels.pop()
        if (source, name) not in reached and name not in NOT_COMPILED:
            reached.add((source, name))
            kernels += [(source, used) for used in names_in(named(source).get(name, ast.Pass()))]
            kernels += [(source_of(imported), used) for imported, used in imports(source).get(name, [])]
    folders = {source.parent for source in SOURCES if compiling.USES_KERNELS.search(source.read_bytes())}
    covered = {folder for folder in folders if {"games", "agents"} & {*folder.relative_to(ROOT).parts}}
    covered |= {CORE, CORE.with_name("cuda")}
    uncovered = {source for source, _ in reached if source.parent not in covered}
    assert uncovered <= {CORE.with_name("layout.py")}


@functools.cache
def named(source: Path) -> dict[str, ast.stmt]:
    """Return the top-level statements of a module that define names, by these names."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                part.id: node for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
            }
    return found


@functools.cache
def imports(source: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the names that a module imports, with the module that defines them and the name there."""
    found: dict[str, list[tuple[str, str]]] = {}
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in compiling.PACKAGES:
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                # every kernel of an imported module is checked anyway
                place = (module, "") if is_module(module) else (str(node.module), alias.name)
                found[alias.asname or alias.name] = [place]
    return found


def is_kernel(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        names_in(mark) & DECORATORS for mark in node.decorator_list
    )


def names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def source_of(module: str) -> Path:
    path = SOURCE_ROOTS[module.partition(".")[0]].joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


# --- the cache folder -----------------------------------------------------------------------------

SHOW_FOLDER = """
import json
from pocketmars_env.core.compiled import compiling
from pocketmars_env.games.pocket_mars.kernels import batch
print(json.dumps([str(compiling.cache_folder_of(getattr(batch.step_at, "py_func", batch.step_at))),
                  compiling.IS_COMPILED, getattr(getattr(batch.step_at, "stats", None), "cache_path", "")]))
"""


def test_the_cache_folder_is_named_by_the_sources() -> None:
    folder, is_compiled, used = run(SHOW_FOLDER, NUMBA_CACHE_DIR="")
    assert Path(folder).name == compiling.folder_for()  # depends on the core only: every game uses the module
    assert Path(used).name == compiling.folder_for(GAMES / "pocket_mars")
    assert is_compiled


def test_bounds_checks_have_a_folder_of_their_own() -> None:
    usual, checked = (run(SHOW_FOLDER, NUMBA_CACHE_DIR="", NUMBA_BOUNDSCHECK=flag) for flag in ("0", "1"))
    assert usual != checked


def test_the_user_may_choose_the_folder(tmp_path: Path) -> None:
    folder, _, used = run(SHOW_FOLDER, NUMBA_CACHE_DIR=str(tmp_path))
    assert Path(folder) == tmp_path / "pocketmars_env" / compiling.folder_for()
    assert Path(used) == tmp_path / "pocketmars_env" / compiling.folder_for(GAMES / "pocket_mars")


def test_plain_python_is_a_switch() -> None:
    assert run(SHOW_FOLDER, NUMBA_DISABLE_JIT="1")[1] is False


def compile_nothing(calls: list[str]) -> None:
    """Announce a compilation that compiles nothing and records what the notice names."""
    kernels = GameKernels("game", GAMES, {"STATE": np.dtype(np.int64)})
    entry_point = SimpleNamespace(
        py_func=compile_nothing, compile_for=lambda state: calls.append(compile_notice.compiling_now())
    )
    precompile.compile_all(kernels, [entry_point, "any other value"], "A game", "rules", seconds=7)


def test_the_notice_comes_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    calls: list[str] = []
    for _ in range(2):
        compile_nothing(calls)
    assert calls == ["rules"]
    assert compile_notice.compiling_now() == ""
    shown = capsys.readouterr()
    assert shown.out == ""
    assert [shown.err.count(f"A game: {word} the rules") for word in ("compiling", "compiled")] == [1, 1]
    assert "7 s" in shown.err
    assert "\x1b" not in shown.err  # no spinner in a log file


def test_a_terminal_shows_a_spinner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    compile_nothing([])
    assert "\x1b[?25l" in capsys.readouterr().err  # hides the cursor


def test_a_progress_bar_keeps_the_terminal_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress(console=Console(stderr=True)):
        compile_nothing([])
    shown = capsys.readouterr().err
    assert shown.count("\x1b[?25l") == 1  # from the progress bar
    assert "compiling the rules" in shown


def test_only_the_newest_caches_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = tmp_path / "pocketmars_env"
    for age in range(4):
        (parent / f"v{age}").mkdir(parents=True)
        os.utime(parent / f"v{age}", (1000 - age, 1000 - age))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    precompile.remove_old_caches(keep=2)
    assert sorted(folder.name for folder in parent.iterdir()) == ["v0", "v1"]


def test_a_used_cache_is_not_the_oldest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    compile_nothing([])
    (folder,) = (tmp_path / "pocketmars_env").iterdir()
    os.utime(folder, (1000, 1000))
    other = folder.with_name("other")
    other.mkdir()
    os.utime(other, (2000, 2000))
    compile_nothing([])
    precompile.remove_old_caches(keep=1)
    assert [left.name for left in folder.parent.iterdir()] == [folder.name]


USE_A_BOT = """
import json
from pocketmars_agents.search.look_ahead import best_actions
print(json.dumps(best_actions.stats.cache_path))
"""


def test_a_package_s_compiled_functions_lie_in_a_folder_of_its_own() -> None:
    """An edit to one file of the package must not leave stale compiled code of another in use."""
    agents = ROOT / "agents" / "pocketmars_agents"
    folder = run(USE_A_BOT)
    of_agents = f"pocketmars_agents-{compiling.hash_of_sources(agents)}"
    assert of_agents in Path(folder).parts
    assert compiling.folder_for(GAMES) in Path(folder).parts


def hash_now(folder: Path) -> str:
    compiling.hash_of_sources.cache_clear()
    return compiling.hash_of_sources(folder)


def test_the_hash_is_that_of_all_modules_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("from pocketmars_env.core.compiled.compiling import kernel")
    first = hash_now(tmp_path)
    (tmp_path / "two.py").write_text("B = 1")
    second = hash_now(tmp_path)
    (tmp_path / "two.py").write_text("B = 2")
    third = hash_now(tmp_path)
    (tmp_path / "two.py").rename(tmp_path / "other.py")
    assert len({first, second, third, hash_now(tmp_path)}) == 4


def test_other_files_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("from pocketmars_env.core.compiled.compiling import kernel")
    first = hash_now(tmp_path)
    (tmp_path / "two.txt").write_text("not a module")
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "three.py").write_text("C = 1")  # in no package, so not imported by the first
    (tmp_path / ".#one.py").symlink_to("user@host.4711")  # a lock of Emacs, which cannot be read
    assert hash_now(tmp_path) == first


@pytest.mark.parametrize(("package", "matters"), [("pocketmars_agents", False), ("strangers_game", True)])
def test_folders_without_kernels_matter_only_in_other_projects(
    package: str, matters: bool, tmp_path: Path
) -> None:
    """A test above checks this project's kernels; those of others may use data from any folder."""
    folder = tmp_path / package
    (folder / "rules").mkdir(parents=True)
    (folder / "words").mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules" / "one.py").write_text("from pocketmars_env.core.compiled.compiling import kernel")
    first = hash_now(folder)
    (folder / "words" / "two.py").write_text("C = 1")
    assert (hash_now(folder) != first) is matters


def test_kernels_from_outside_the_game_s_folder_matter(tmp_path: Path) -> None:
    """An evaluation for searches, for example, can belong to another package than its game."""
    source = tmp_path / "evaluation.py"
    source.write_text(
        "from pocketmars_env.core.compiled.compiling import kernel\n@kernel\ndef evaluate(state): return 0"
    )
    evaluation = runpy.run_path(str(source))
    folder = tmp_path / "game"
    kernels = GameKernels("game", folder, {})
    assert kernels.sources == (folder,)
    assert kernels.and_those_of("declaring", evaluation).sources == (folder, tmp_path)
