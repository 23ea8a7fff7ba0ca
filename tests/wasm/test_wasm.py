"""Games and bots in WebAssembly are those of the CPU."""

import base64
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pocketmars_agents.bots.look_ahead_agent import PlannerAgent
from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.cli.command_line import main
from pocketmars_agents.registry import make_agent
from pocketmars_agents.wasm.bots import build_for
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.wasm import compiler
from tests.browser import browser, needs_chromium
from tests.wasm.comparing import HERE, MODES, digests, encoded, run_in_node, task
from tests.wasm.measuring import FileNetwork, positions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

GAMES_IN_NODE = 1_000
slow = pytest.mark.slow
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node: apt-get install nodejs")
CASES = [pytest.param(game, mode, id=f"{game}-{mode}") for game, modes in MODES.items() for mode in modes]
CONFIGS = [(game, name) for game in MODES for name in game_named(game).config.measured()]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder with the files of each game."""
    if reason := compiler.obstacle():
        pytest.skip(reason)
    made = {game: tmp_path_factory.mktemp(game) for game in MODES}
    for game, folder in made.items():
        build_for(game_named(game), folder)
    return made


@slow
@needs_node
@pytest.mark.parametrize(("game", "mode"), CASES)
def test_random_games_are_equal_in_node(folders: dict[str, Path], game: str, mode: str) -> None:
    spec, settings = game_named(game), MODES[game][mode]
    games = -(-GAMES_IN_NODE // len(MODES[game]))
    (found,) = run_in_node(folders[game], game, task(spec, settings, 0, games))
    assert found == digests(spec, settings, 0, games)
    assert found != digests(spec, settings, games, games)


@slow
@needs_chromium
@pytest.mark.parametrize("game", MODES)
def test_random_games_are_equal_in_a_file_in_chromium(
    folders: dict[str, Path], game: str, tmp_path: Path, browser: "Browser"
) -> None:
    spec, page = game_named(game), browser.new_page()
    scripts = [(folders[game] / f"{game}.js"), HERE / "tasks.js"]
    module = base64.b64encode((folders[game] / f"{game}.wasm").read_bytes()).decode()
    texts = [path.read_text(encoding="utf-8") for path in scripts] + [f"const MODULE = '{module}';"]
    (tmp_path / "page.html").write_text(
        "".join(f"<script>{text}</script>" for text in texts), encoding="utf-8"
    )
    page.goto((tmp_path / "page.html").as_uri())
    run = "async ([game, task]) => TASKS.digests(await pocketmars[game](fromBase64(MODULE)), task)"
    for settings in MODES[game].values():
        assert page.evaluate(run, [game, task(spec, settings, 0, 2)]) == digests(spec, settings, 0, 2)


@slow
@needs_node
@pytest.mark.parametrize(
    ("game", "config", "fields", "settings"),
    [
        ("pocket_mars", "3p", {"draft": 1}, {"players": 3, "draft": True}),
        (
            "pocket_mars",
            "solo",
            {"level": 2, "handicap": 6},
            {"mode": "solo", "level": "cyborg", "handicap": 6},
        ),
        ("project_mars", "starter", {"seats": {"0": {"starter": 2}}}, {"deck_0": "fortress"}),
    ],
)
def test_a_position_is_the_one_in_python(
    folders: dict[str, Path], game: str, config: str, fields: dict[str, Any], settings: dict[str, Any]
) -> None:
    given = {"name": "position", "config": config, "fields": fields, "seed": 3}
    (found,) = run_in_node(folders[game], game, given)
    expected = Game(game_named(game), **settings, seed=3)
    assert found["before"] == encoded(expected.states)
    expected.step(expected.legal[0])
    seat = expected.to_play
    assert seat is not None
    assert found["bytes"] == encoded(expected.states)
    assert found["view"] == encoded(expected.view(seat).states)
    assert (found["toPlay"], found["legal"], found["over"]) == (seat, expected.legal, expected.over)
    assert found["standing"]["scores"] == expected.scores
    assert found["mask"] == expected.mask(seat).tolist()
    assert np.array_equal(np.array(found["observation"], np.float32), expected.observe(seat))
    assert expected.spec.decisions[found["decision"]].name == expected.decision
    record, fields = expected.states["seats"][0, seat], found["fields"]["seats"][seat]
    assert fields == {name: record[name].tolist() for name in record.dtype.names}
    assert found["illegal"] is None


@slow
@needs_node
@pytest.mark.parametrize(("game", "config"), CONFIGS)
def test_bots_choose_like_on_the_cpu(folders: dict[str, Path], game: str, config: str) -> None:
    """The last digits of `exp` differ, and those of sums in networks, so close decisions can differ, too."""
    spec = game_named(game)
    views = positions(spec, config, 40)
    network = FileNetwork(spec)
    agents: dict[str, Any] = {
        "greedy": make_agent("greedy"),
        "planner": PlannerAgent(),
        "ismcts": make_agent("ismcts:100"),
        "puct": PuctAgent(100, network=network),
    }
    tasks = [
        {
            "name": "choices",
            "config": config,
            "positions": [[encoded(view.states), k] for k, view in enumerate(views)],
            "bot": bot,
            "budget": {"simulations": 100} if bot in ("ismcts", "puct") else {},
        }
        for bot in agents
    ]
    for (bot, agent), found in zip(agents.items(), run_in_node(folders[game], game, *tasks)):
        seeds = np.arange(len(views), dtype=np.uint64)
        actions = [int(agent.act_batch(view.as_batch(), seeds[k : k + 1])[0]) for k, view in enumerate(views)]
        equal = np.mean([one["action"] == action for one, action in zip(found, actions)])
        assert equal >= 0.95, bot


@slow
@needs_node
@pytest.mark.parametrize("game", MODES)
def test_networks_give_nearly_the_values_of_the_cpu(folders: dict[str, Path], game: str) -> None:
    spec = game_named(game)
    for config in spec.config.measured():
        views, network = positions(spec, config, 40), FileNetwork(spec)
        given = [[encoded(view.states), 0] for view in views]
        named = {"name": "choices", "config": config, "positions": given, "bot": "policy", "budget": {}}
        (found,) = run_in_node(folders[game], game, named)
        for view, one in zip(views, found):
            logits, _ = network.evaluate(view.states, view.observation[None], view.mask[None])
            assert np.allclose(one["logits"], logits[0, view.legal], atol=1e-4)


@slow
def test_modules_need_only_elementary_functions(folders: dict[str, Path]) -> None:
    for game, folder in folders.items():
        imports = re.findall(rb"\x03env.([a-z0-9_]+)\x00", (folder / f"{game}.wasm").read_bytes())
        assert set(imports) <= {b"exp", b"expf", b"log"}


def test_the_command_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiler, "linker", list)
    monkeypatch.setattr(sys, "argv", ["pocketmars", "wasm", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "lld" in line
