"""The page without a server: its session plays the games of Python, and shows what one seat knows."""

import base64
import functools
import gzip
import json
import re
import subprocess
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from pocketmars_agents.cli.seating import changes, starts_of
from pocketmars_agents.play.web import site
from pocketmars_agents.play.web.assets import CLIENT, joined
from pocketmars_agents.wasm import bots
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GAMES, GameSpec, game_named
from pocketmars_env.wasm.building import RECORDS
from tests.agents.human.pages import is_over, on_board, opened, ready
from tests.browser import browser, needs_chromium
from tests.fixed_play import fixed_numbers
from tests.wasm.comparing import HERE
from tests.wasm.test_wasm import needs_node

__all__ = ["browser"]
slow = pytest.mark.slow
WITHOUT_NETWORKS, NETWORK = 400_000, 2_700_000
"""The maximum sizes of the page without networks, and of a network, in bytes after compression."""
STARTS: dict[str, dict[str, Any]] = {
    "2 players": {"game": "pocket_mars", "seat_1": "greedy"},
    "3 players, draft": {
        "game": "pocket_mars", "players": 3, "draft": True, "seat_1": "random", "seat_2": "planner",
    },
    "solo": {"game": "pocket_mars", "players": 1, "level": "cyborg", "handicap": 6},
    "starter": {"game": "project_mars", "deck_1": "shadow", "seat_1": "greedy"},
    "same": {"game": "project_mars", "mode": "same", "seat_0": "random", "seat_1": "human"},
    "constructed": {"game": "project_mars", "mode": "constructed", "deck_0": "motor", "seat_1": "random"},
}  # fmt: skip
"""Forms for new games; what they leave out has its default."""

Calls = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def folder(folders: dict[str, Path], modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static page; `folders` makes sure that the modules exist."""
    out = tmp_path_factory.mktemp("site")
    site.write_site(out, {spec: starts_of(spec) for spec in GAMES.values()}, modules)
    return out


@pytest.fixture(scope="module")
def calls(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Calls:
    """Call functions of the page's session, as lists of a name and arguments; see `session.js`."""
    page = tmp_path_factory.mktemp("page") / "page.js"
    scripts = [RECORDS, CLIENT / "common.js", CLIENT / "static.js"]
    titles = {name: spec.title for name, spec in GAMES.items()}
    page.write_text(f"const GAMES = {json.dumps(titles)};\n{joined(scripts)}", encoding="utf-8")

    def run(*calls: list[Any], stored: str = "") -> list[Any]:
        command = ["node", str(HERE / "session.js"), str(folder), str(page), stored]
        lines = "\n".join(map(json.dumps, calls))
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        return [answer.get("result", answer) for answer in answers]

    return run


def game_in(link: str) -> dict[str, Any]:
    """Return the game in a link, as data."""
    text = link.partition("#")[2]
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return dict(json.loads(zlib.decompress(data, -zlib.MAX_WBITS)))


def link_to(data: dict[str, Any]) -> str:
    """Return the fragment of a link that has a game as data."""
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    content = compressor.compress(json.dumps(data).encode()) + compressor.flush()
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def plain(record: Any) -> Any:
    """Return a record as JavaScript reads it, with 64-bit integers as texts."""
    if record.dtype.names:
        if record.shape:
            return [plain(entry) for entry in record]
        return {name: plain(record[name]) for name in record.dtype.names}
    is_long = record.dtype.itemsize == 8 and record.dtype.kind in "iu"
    return np.asarray(record).astype(str if is_long else record.dtype).tolist()


# --- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", GAMES.values(), ids=lambda spec: spec.name)
def test_starts_are_the_games_of_their_settings(spec: GameSpec) -> None:
    data, measured = starts_of(spec), spec.config.measured()
    assert {config for _, config, _ in data["starts"]} <= set(measured)
    for values, name, changed in data["starts"]:
        config = spec.config(**dict(zip(data["names"], values, strict=True)))
        assert config.seats == data["configs"][name]["seats"]
        base, record = (spec.codec.blank(1, one)[0] for one in (measured[name], config))
        assert changed == (changes(record, base) or {})
        change(base, changed)
        assert base.tobytes() == record.tobytes()


def change(record: Any, changed: Any) -> None:
    for key, value in changed.items():
        if isinstance(value, dict):
            change(record[key], value)
        else:
            record[key] = value


@slow
@needs_node
@pytest.mark.parametrize("start", STARTS)
def test_a_link_has_the_game_of_python_and_the_page_shows_views(calls: Calls, start: str) -> None:
    _, state, link = calls(["newGame", STARTS[start], "5"], ["playOn"], ["link"])
    data = game_in(link)
    spec = game_named(data["game"])
    game = Game(spec, **data["settings"], seed=int(data["seed"]))
    viewer, moves = data["seats"].index("human"), state["moves"]
    assert state["viewer"] == viewer
    assert len(moves) == len(data["actions"]) + 1
    has_secrets = False
    for index, move in enumerate(moves):
        position = move["position"]
        assert position["record"] == plain(game.view(viewer).states[0])
        has_secrets |= position["record"] != plain(game.states[0])
        assert position["legal"] == (game.legal if game.to_play == viewer else [])
        assert position["over"] == game.over
        if index == len(data["actions"]):
            break
        row, action = spec.decision_named(game.decision or ""), data["actions"][index]
        is_hidden = row.is_hidden and game.to_play != viewer
        expected = {"seat": game.to_play, "decision": row.name, "action": None if is_hidden else action}
        assert moves[index + 1].items() >= expected.items()
        game.step(action)
    assert has_secrets
    assert game.over
    assert (position["winners"], position["scores"]) == (game.winners, game.scores)


@slow
@needs_node
def test_rounds_end_with_a_full_table(calls: Calls) -> None:
    _, state = calls(["newGame", STARTS["starter"], "5"], ["playOn"])
    rounds = [
        position["record"]["round_number"] for position in (move["position"] for move in state["moves"])
    ]
    ends = [move["end"]["record"] for move in state["moves"] if move["end"]]
    assert [end["round_number"] for end in ends] == sorted(set(rounds))
    for end in ends:
        assert all(side["passed"] for side in end["seats"])


@slow
@needs_node
@pytest.mark.parametrize("start", ["2 players", "starter"])
def test_a_link_and_the_browser_keep_a_game(calls: Calls, start: str) -> None:
    _, state, link, stored = calls(["newGame", STARTS[start], "5"], ["playOn", 4], ["link"], ["stored"])
    fragment = link.partition("#")[2]
    _, resumed = calls(["load"], ["settled"], stored=stored)
    assert resumed["moves"] == state["moves"]
    _, other, _, shown, kept, _, link_after = calls(
        ["newGame", {"game": "pocket_mars"}, "7"], ["stored"], ["openAddress", f"#{fragment}"], ["settled"],
        ["stored"], ["playOn", 1], ["stored"],
    )  # fmt: skip
    assert shown["moves"] == state["moves"]
    assert shown["isShown"]
    assert kept == other  # a game that is only shown replaces nothing
    assert json.loads(link_after)["seed"] == "5"
    broken = calls(["openLink", fragment[:-9]], ["openLink", "no link"])
    assert all("error" in answer for answer in broken)


@slow
@needs_node
def test_a_link_from_a_stranger_is_checked(calls: Calls) -> None:
    _, link = calls(["newGame", STARTS["2 players"], "5"], ["link"])
    data = game_in(link)
    changed: list[dict[str, Any]] = [
        {"game": "toString"}, {"seats": ["human", "<img src=x>"]}, {"seats": ["human"]}, {"actions": [3000]},
        {"settings": {**data["settings"], "players": 5}}, {"names": {"1": "<b>"}}, {"seed": "1e3"},
    ]  # fmt: skip
    answers = calls(
        ["openLink", link_to(data)], *(["openLink", link_to({**data, **one})] for one in changed), ["state"]
    )
    assert answers[0] is None
    assert all("error" in answer for answer in answers[1:-1])
    assert answers[-1]["names"] == ["You", "greedy"]
    assert len(answers[-1]["moves"]) == 1


@slow
@needs_node
@pytest.mark.parametrize("start", ["2 players", "starter"])
def test_undo_takes_back_the_replies_and_the_bots_reply_again(calls: Calls, start: str) -> None:
    _, before, after, _, undone, again = calls(
        ["newGame", STARTS[start], "5"], ["playOn", 3], ["playOn", 1], ["undo"], ["settled"], ["playOn", 1]
    )
    assert undone["moves"] == before["moves"]
    assert len(after["moves"]) > len(before["moves"])
    assert again["moves"] == after["moves"]
    own = [index for index, move in enumerate(before["moves"]) if move["seat"] == 0]
    earlier = calls(["newGame", STARTS[start], "5"], ["playOn", 3], ["undo", own[1]], ["settled"])[-1]
    assert earlier["moves"] == before["moves"][: own[1]]
    others = [index for index, move in enumerate(before["moves"]) if move["seat"] == 1]
    *_, refused = calls(["newGame", STARTS[start], "5"], ["playOn", 3], ["undo", others[0]])
    assert "error" in refused


@slow
@needs_node
@pytest.mark.parametrize("start", ["2 players", "starter"])
def test_effects_are_views_after_every_legal_action(calls: Calls, start: str) -> None:
    _, state, effects = calls(["newGame", STARTS[start], "5"], ["playOn", 5], ["effects"])
    legal = state["moves"][-1]["position"]["legal"]
    assert sorted(map(int, effects)) == legal
    _, _, _, link = calls(["newGame", STARTS[start], "5"], ["playOn", 5], ["act", legal[0]], ["link"])
    data = game_in(link)
    spec, number = game_named(data["game"]), len(state["moves"]) - 1
    game = Game(spec, **data["settings"], seed=int(data["seed"]))
    for action in data["actions"][: number + 1]:
        game.step(action)
    found = plain(game.view(0).states[0])
    samples = [sample["record"] for sample in effects[str(legal[0])]]
    assert len(samples) == 4
    for name, value in found.items():  # what is equal in all worlds is so in the real one, except the deck
        if all(sample[name] == samples[0][name] for sample in samples) and "deck" not in name:
            assert samples[0][name] == value, name


# --- what is hidden ---------------------------------------------------------------------------------


@slow
@needs_node
def test_the_secrets_of_others_are_shown_only_after_the_game(calls: Calls) -> None:
    start = {"game": "project_mars", "seat_1": "planner"}
    _, state = calls(["newGame", start, "5"], ["playOn", 3])
    to_play = [move["seat"] for move in state["moves"][1:]]
    own, other = to_play.index(0), to_play.index(1)
    asked = [["evaluate", own], ["evaluate", other], ["judge", other + 1], ["beliefs", other], ["look", 1]]
    _, _, mine, *refused = calls(["newGame", start, "5"], ["playOn", 3], *asked)
    assert mine["actions"] == state["moves"][own]["position"]["legal"]
    assert all("error" in answer for answer in refused)
    _, _, *answers, seen = calls(["newGame", start, "5"], ["playOn"], *asked, ["state"])
    assert not any(answer and "error" in answer for answer in answers)
    assert seen["viewer"] == 1


@slow
@needs_node
def test_people_at_one_screen_take_turns(calls: Calls) -> None:
    start = {"game": "pocket_mars", "seat_1": "human"}
    answers = calls(
        ["newGame", start, "5"], ["rename", "Ada"], ["state"], ["look", 1], ["playAs"], ["state"],
        ["look", 1], ["state"], ["undo"],
    )  # fmt: skip
    before, too_early, _, after, _, other, undo = answers[2:]
    assert before["viewer"] == 0
    assert before["names"] == ["You", "Player 2"]
    assert "error" in too_early
    assert after["viewer"] == 0
    assert not after["moves"][-1]["position"]["legal"]
    assert after["nextViewer"] == 1
    assert other["viewer"] == 1
    assert other["names"] == ["Ada", "You"]
    assert other["moves"][-1]["position"]["legal"]
    assert "error" in undo


# --- bots -------------------------------------------------------------------------------------------


@slow
@needs_node
@pytest.mark.parametrize(("game", "policy"), [("pocket_mars", "multi"), ("project_mars", "duel")])
def test_a_network_is_loaded_when_a_bot_needs_it(calls: Calls, game: str, policy: str) -> None:
    start = {"game": game, "seat_0": "human", "seat_1": "ismcts:20"}
    _, _, hint, before, judged, after = calls(
        ["newGame", start, "5"], ["playOn", 2], ["hint"], ["fetched"], ["judge", 1], ["fetched"]
    )
    assert hint["by"] == "planner"
    assert re.fullmatch(r"chance to win \d+ %", hint["value"])
    network = f"{game}/{policy}.network"
    assert network not in before
    if judged is not None and "error" not in judged:
        assert 0 <= judged["value"] <= judged["best_value"] <= 1
        assert network in after
    for bot in ("puct:20", policy):
        _, state, found = calls(["newGame", {**start, "seat_1": bot}, "5"], ["playOn", 6], ["fetched"])
        assert not state["failure"]
        assert network in found
        assert any(move["seat"] == 1 for move in state["moves"])


@slow
@needs_node
def test_the_form_has_the_settings_that_fit(calls: Calls) -> None:
    chosen: list[dict[str, Any]] = [
        {}, {"players": 1}, {"players": 4}, {"game": "project_mars", "mode": "random"},
        {"game": "project_mars", "mode": "same"},
    ]  # fmt: skip
    forms = calls(["newGame", {}, "5"], *(["options", values] for values in chosen))[1:]
    names = [{field["name"] for field in form["fields"]} for form in forms]
    assert {"game", "players", "seat_0", "seat_1"} <= names[0]
    assert "level" not in names[0]
    assert {"level", "handicap"} <= names[1]
    assert "seat_1" not in names[1]
    assert "seat_3" in names[2]
    assert "deck_0" not in names[3]
    assert names[4] >= {"deck_0"}
    assert "deck_1" not in names[4]
    for form, values in zip(forms, chosen, strict=True):
        filled = {field["name"]: field["value"] for field in form["fields"]}
        assert filled.items() >= values.items()
        state, link = calls(["newGame", filled, "5"], ["settled"], ["link"])[1:]
        assert not state["failure"]
        assert game_in(link)["game"] == filled["game"]


@slow
@needs_node
def test_bots_can_play_alone(calls: Calls) -> None:
    start = {"game": "pocket_mars", "seat_0": "greedy", "seat_1": "random"}
    _, state, _, other, evaluated = calls(
        ["newGame", start, "5"], ["settled"], ["look", 1], ["state"], ["evaluate", 0, "greedy"]
    )
    assert state["over"]
    assert (state["viewer"], other["viewer"]) == (0, 1)
    assert state["names"] == ["greedy", "random"]
    assert evaluated["actions"]
    *_, middle, end = calls(
        ["newGame", start, "5"], ["settled"], ["playOnFrom", 6, {"1": "human"}], ["settled"], ["playOn"]
    )
    assert middle["viewer"] == 1
    assert middle["names"] == ["greedy", "You"]
    assert middle["moves"][-1]["position"]["legal"]
    assert [move["seat"] for move in middle["moves"][:7]] == [move["seat"] for move in state["moves"][:7]]
    assert end["over"]
    assert evaluated["played"] == evaluated["action"]


# --- files --------------------------------------------------------------------------------------------


@slow
def test_the_page_is_small_and_complete(folder: Path) -> None:
    sizes = {path: len(gzip.compress(path.read_bytes())) for path in folder.rglob("*") if path.is_file()}
    in_one_file = {folder / f"{name}.html" for name in GAMES}
    networks = {path: size for path, size in sizes.items() if path.suffix == ".network"}
    assert networks
    assert max(networks.values()) <= NETWORK
    rest = [size for path, size in sizes.items() if path not in {*in_one_file, *networks}]
    assert sum(rest) <= WITHOUT_NETWORKS
    for page in (folder / "index.html", *in_one_file):
        loaded = re.findall(r'\b(?:src|href)="(?!data:|#)([^"]+)"', page.read_text(encoding="utf-8"))
        assert {name for name in loaded if "$" not in name} <= {"page.css", "page.js"}
    assert not any("page.js" in page.read_text(encoding="utf-8") for page in in_one_file)


@slow
def test_modules_are_compiled_once(
    folder: Path, modules: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(bots, "build_for", lambda spec, folder: compiled.append(spec.name))
    spec = next(iter(GAMES.values()))
    site.modules_of(spec, modules / spec.name)
    assert not compiled
    (tmp_path / site.STAMP).write_text("of other sources", encoding="utf-8")
    site.modules_of(spec, tmp_path)
    assert compiled == [spec.name]


# --- in a browser ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of a web host that serves the static page."""
    handler = functools.partial(QuietHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}/index.html"
        host.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def opened_static(browser: Browser, link: str, **options: Any) -> Iterator[Page]:
    """Open a static page without its start page; check that it has no complaint and asks no other host."""
    complaints: list[str] = []
    page = opened(browser, link, complaints, **options)
    page.wait_for_selector("#home[open]")
    yield page
    page.close()
    assert complaints == []


def start_on(page: Page, game: str, kind: str) -> None:
    """Choose a game on the start page."""
    page.locator("#games p").filter(has_text=game_named(game).title).get_by_text(kind, exact=True).click()
    page.wait_for_function("game => document.body.dataset.game === game", arg=game)


@pytest.mark.slow
@needs_node
@needs_chromium
@pytest.mark.parametrize(("width", "has_touch"), [(1440, False), (1024, False), (390, True)])
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_played_on_the_board(
    browser: Browser, address: str, game: str, width: int, has_touch: bool
) -> None:
    with opened_static(browser, address, width=width, has_touch=has_touch) as page:
        start_on(page, game, "Play")
        for number in fixed_numbers(width):
            ready(page)
            if is_over(page):
                break
            places = on_board(page)
            place = places.nth(number % places.count())
            (place.tap if has_touch else place.click)()
        assert page.inner_text("#prompt").startswith("Game over: ")
        assert game_in(page.evaluate("source.link()"))["actions"]


@pytest.mark.slow
@needs_node
@needs_chromium
@pytest.mark.parametrize("game", GAMES)
def test_a_page_in_one_file_keeps_the_game_and_needs_no_host(
    browser: Browser, folder: Path, game: str
) -> None:
    link = (folder / f"{game}.html").as_uri()
    with opened_static(browser, link) as page:
        start_on(page, game, "Play")
        for number in range(6):
            ready(page)
            places = on_board(page)
            places.nth(number % places.count()).click()
        ready(page)
        before = page.inner_text("#middle"), page.evaluate("state.moves.length")
        page.reload()
        page.locator("#home").get_by_text("Resume").click()
        ready(page)
        assert (page.inner_text("#middle"), page.evaluate("state.moves.length")) == before


@pytest.mark.slow
@needs_node
@needs_chromium
def test_bots_are_watched_and_one_plays_on(browser: Browser, address: str) -> None:
    with opened_static(browser, address) as page:
        page.emulate_media(reduced_motion="no-preference")
        page.evaluate("find('speed').value = 'Infinity'")
        start_on(page, "pocket_mars", "Watch")
        page.wait_for_selector("#thoughts meter")
        assert page.evaluate("shown") <= 1
        page.emulate_media(reduced_motion="reduce")
        page.select_option("#speed", label="fast")
        page.wait_for_function("() => current().over && !running", timeout=120_000)
        assert page.locator("#log li").count() == page.evaluate("state.moves.length") - 1
        page.select_option("#viewer", index=1)
        page.wait_for_function("() => state.viewer === 1")
        page.click("#back")
        page.click("#back")
        moves = page.evaluate("shown")
        page.click("#end >> text=Play on from here")
        page.wait_for_function("moves => state.moves.length >= moves + 1 && !state.isOpen", arg=moves)
