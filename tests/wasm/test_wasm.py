"""Games and bots in WebAssembly are those of the CPU."""

import base64
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pocketmars_agents.cli.command_line import main
from pocketmars_agents.registry import make_agent
from pocketmars_agents.wasm.bots import networks_of, tables_of
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.wasm import compiler
from tests.browser import browser, needs_chromium
from tests.wasm.comparing import HERE, MODES, digests, encoded, run_in_node, task
from tests.wasm.measuring import BOTS, choices_task, choose_all, views_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

GAMES_IN_NODE = 1000
slow = pytest.mark.slow
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node: apt-get install nodejs")
CASES = [pytest.param(game, mode, id=f"{game}-{mode}") for game, modes in MODES.items() for mode in modes]
CONFIGS = [(game, name) for game in MODES for name in game_named(game).config.measured()]


@slow
@needs_node
@pytest.mark.parametrize(("game", "mode"), CASES)
def test_random_games_are_equal_in_node(folders: dict[str, Path], game: str, mode: str) -> None:
    spec, settings = game_named(game), MODES[game][mode]
    games = -(-GAMES_IN_NODE // len(MODES[game]))
    (found,) = run_in_node(folders[game], game, task(spec, settings, 0, games))
    assert found == digests(spec, settings, 0, games)
    assert len({digest for _, digest in found}) == games


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
    """A few choices can differ: `exp` has other last digits, and the weights of networks are rounded."""
    spec = game_named(game)
    views = views_of(spec, config, 50)
    (network, *_) = tables_of(spec, networks_of(spec))["networks"][config]
    bots = {"greedy": ("greedy", {}), "ismcts:100": ("ismcts", {"simulations": 100}), **BOTS}
    tasks = [
        choices_task(config, views, *given) for given in [*bots.values(), ("policy", {"network": network})]
    ]
    for name, found in zip([*bots, network], run_in_node(folders[game], game, *tasks), strict=True):
        chosen = [one["action"] for one in found["choices"]]
        equal = np.mean(np.equal(chosen, choose_all(make_agent(name), views)))
        assert equal >= (0.9 if name.startswith("puct") else 0.98), (name, equal)


@slow
def test_modules_need_only_elementary_functions(folders: dict[str, Path]) -> None:
    for game, folder in folders.items():
        imports = re.findall(rb"(?s)\x03env.(\w+)\x00", (folder / f"{game}.wasm").read_bytes())
        assert set(imports) == {b"exp", b"expf", b"log"}


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
