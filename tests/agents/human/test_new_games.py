"""Tests of new games started from the page: the accepted settings, and what happens to the previous game."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.cli.seating import new_games, seating_of
from pocketmars_agents.play.saved_games import Autosave, game_in_file, game_in_folder
from pocketmars_agents.play.seats import SessionError
from pocketmars_agents.play.web.server import Pages
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from pocketmars_env.replays import Replay
from tests.agents.human.serving import get, post, served_pages
from tests.agents.human.sessions import play


@contextmanager
def pages_of(spec: GameSpec, folder: Path, humans: int = 1) -> Iterator[tuple[Pages, str]]:
    """Serve the pages of a new game; yields the pages and the first person's link."""
    seating = seating_of(spec, {}, humans=humans)
    pages = Pages(game_in_folder(seating, 1, folder, True, print), new_games(spec, {}))
    with served_pages(pages) as links:
        yield pages, links["player_0"]


def defaults(link: str) -> dict[str, Any]:
    return {field["name"]: field["value"] for field in get(f"{link}new").data["fields"]}


def test_a_game_begins_with_the_settings_of_the_page(tmp_path: Path) -> None:
    with pages_of(SPEC, tmp_path) as (pages, link):
        first, path = pages.session, pages.autosave.path
        settings = {**defaults(link), "level": "cyborg", "handicap": 3}
        state = post(f"{link}new", {"version": pages.session.version, "settings": settings}).data
        assert pages.session.config.as_dict().items() >= {"level": "cyborg", "handicap": 3}.items()
        assert state["version"] > first.version
        assert get(f"{link}state").data["version"] == state["version"]
        assert defaults(link) == settings
        assert Replay.load(path).config.as_dict()["level"] == "standard"
        assert pages.autosave.path != path
        several = {**settings, "rivals": 2, "bot": "greedy"}  # the page hides level and handicap
        post(f"{link}new", {"version": pages.session.version, "settings": several})
        assert pages.session.names == ("human", "greedy", "greedy")


def test_version_numbers_grow_when_a_new_game_is_resumed(tmp_path: Path) -> None:
    seating = seating_of(PROJECT_MARS, {}, ["random"])

    def start() -> Autosave:
        return game_in_folder(seating, None, tmp_path, False, print)

    for _ in range(3):  # the first game is begun, then resumed
        game = start()
        play(game.session, 1, 2)
        game.keep()
        game.close()
    with closing(start()) as game:
        first = game.session
        game.begin(seating, None, None, first.version)
        new, tokens = game.session, game.links.tokens
        assert new.version > first.version
    with closing(start()) as resumed:
        assert (resumed.path, resumed.links.tokens) == (game.path, tokens)
        assert resumed.session.version > new.version


def opened(spec: GameSpec, path: Path, seed: int, is_named: bool) -> Autosave:
    """Run the part of ``pocketmars play --seed SEED`` or ``--save PATH`` that begins or continues a game."""
    seating, games = seating_of(spec, {}), new_games(spec, {})
    if is_named:
        return game_in_file(seating, None, path, False, games)
    return game_in_folder(seating, seed, path.parent, False, print, games)


@pytest.mark.parametrize("is_named", [False, True], ids=["seed", "save"])
@pytest.mark.parametrize("kind", ["rematch", "new", "guided"])
def test_the_same_command_and_the_same_links_lead_to_the_current_game(
    kind: str, is_named: bool, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    autosave = opened(SPEC, path, 7, is_named)
    pages = Pages(autosave, new_games(SPEC, {}))
    with served_pages(pages) as links:
        link = links["player_0"]
        play(pages.session, 1, 1_000 if kind == "rematch" else 5)  # a new game needs no finished one
        data: dict[str, Any] = {"version": pages.session.version}
        if kind == "new":
            data["settings"] = {**defaults(link), "rivals": 2, "bot": "greedy", "edition": "board_and_dice"}
        assert post(f"{link}{kind}", data).status == 200
        play(pages.session, 2, 3)
        names, actions = pages.session.names, pages.session.game.actions
    with closing(opened(SPEC, path, 7, is_named)) as again:
        assert again.is_continued
        assert (again.session.names, again.session.game.actions) == (names, actions)
        assert (again.path, again.links.tokens) == (autosave.path, autosave.links.tokens)
        with served_pages(Pages(again)) as links:
            assert links["player_0"] == link


def test_when_the_current_game_is_over_the_command_begins_another_one(tmp_path: Path) -> None:
    with closing(opened(SPEC, tmp_path / "game.json", 7, False)) as autosave:
        first = autosave.path
        autosave.begin(autosave.session.seating, None, None, autosave.session.version)
        play(autosave.session, 1)
        assert autosave.session.over
    with closing(opened(SPEC, tmp_path / "game.json", 7, False)) as another:
        assert not another.is_continued
        assert another.path not in (first, autosave.path)


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "../other.json"}, {"game": "/etc/hostname"}, {"game": ".."}, {"game": ""}, {"game": 1},
        {"settings": "os:system"}, {"settings": {"bot": "os:system"}}, {"settings": []}, {"settings": 1},
    ],
)  # fmt: skip
def test_a_links_file_names_no_foreign_file_or_bot(changes: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "games" / "game.json"
    with closing(opened(SPEC, path, 7, True)) as autosave:
        autosave.session.replay().save(tmp_path / "other.json")
        autosave.links.write(**changes)
    with pytest.raises(ValueError, match=r"game"):
        opened(SPEC, path, 7, True)


def test_a_waiting_page_follows_the_person_to_another_seat(tmp_path: Path) -> None:
    pages = Pages(
        game_in_folder(seating_of(PROJECT_MARS, {}, ["random"], seat=1), 1, tmp_path, True, print),
        new_games(PROJECT_MARS, {}),
    )
    with served_pages(pages) as links, ThreadPoolExecutor(1) as pool:
        link = links["player_1"]
        stamp, settings = get(f"{link}state").data["stamp"], defaults(link)
        waiting = pool.submit(get, f"{link}state?after={stamp}")
        time.sleep(0.3)  # the request waits for a change
        post(f"{link}new", {"version": pages.session.version, "settings": settings})
        assert pages.session.humans == ("player_0",)
        assert waiting.result().status == 200


def test_the_second_game_has_its_own_settings(tmp_path: Path) -> None:
    with pages_of(PROJECT_MARS, tmp_path) as (pages, link):
        settings = {**defaults(link), "mode": "same", "bot": "random"}
        answer = post(f"{link}new", {"version": pages.session.version, "settings": settings})
        assert answer.status == 200
        assert (pages.session.config.as_dict()["mode"], pages.session.names) == ("same", ("human", "random"))


@pytest.mark.parametrize(
    "change",
    [
        {"bot": "exec:rm -rf /"}, {"bot": "os:system"}, {"rivals": "2"}, {"rivals": 9}, {"level": "hard"},
        {"handicap": 21}, {"handicap": True}, {"seat": 1},
    ],
)  # fmt: skip
def test_other_settings_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    with pages_of(SPEC, tmp_path) as (pages, link):
        before = pages.session
        data = {"version": pages.session.version, "settings": {**defaults(link), **change}}
        answer = post(f"{link}new", data)
        assert answer.status == 409
        assert pages.session is before


def test_a_rematch_has_the_same_settings_and_other_cards(tmp_path: Path) -> None:
    with pages_of(SPEC, tmp_path, humans=2) as (pages, link):
        first, path = pages.session, pages.autosave.path
        too_early = post(f"{link}rematch", {"version": pages.session.version})
        assert (too_early.status, too_early.data) == (409, {"error": "the game is not over"})
        play(pages.session, 1)
        assert get(f"{link}new").data == {"fields": [], "guided": False}
        answer = post(f"{link}rematch", {"version": pages.session.version})
        assert answer.status == 200
        assert pages.session.config == first.config
        assert pages.session.seed != first.seed
        assert not pages.session.over
        assert Replay.load(path).final().over
        stale = post(f"{link}rematch", {"version": first.version})
        assert stale.status == 409


def test_values_of_the_wrong_type_reach_no_game() -> None:
    games = new_games(SPEC, {})
    values = {field["name"]: field["value"] for field in games.as_data()}
    wrong_values: tuple[Any, ...] = (None, [], {}, 1.5, "x" * 3_000)
    for wrong in wrong_values:
        for name in values:
            with pytest.raises(SessionError):
                games.seating({**values, name: wrong})
