"""The page and its server in Chromium: lost connections, several people, names, new and guided games."""

import errno
import re
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route

from pocketmars_agents.play.links_file import LinksFile
from pocketmars_agents.play.saved_games import Autosave, game_in_folder
from pocketmars_agents.play.seats import Seating
from pocketmars_agents.play.web.server import Pages
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.replays import Replay
from tests.agents.human.bots import ChanceBot, FailingBot
from tests.agents.human.pages import on_board, opened, ready, shown
from tests.agents.human.serving import served, served_pages
from tests.agents.human.sessions import play, session_with
from tests.browser import browser, needs_chromium
from tests.names import EVIL_NAMES

pytestmark = needs_chromium
__all__ = ["browser"]


def act(page: Page, number: int = 0) -> None:
    """Play one of the legal actions with its number in the list of all choices."""
    if not page.locator("#list[open]").count():
        page.click("#list summary")
    choices = page.locator("#choices button")
    choices.nth(number % choices.count()).click()


def test_a_page_goes_on_when_its_server_is_started_again(browser: Browser, tmp_path: Path) -> None:
    seating = Seating(GameConfig(mode="solo"), {}, ("player_0",))
    complaints: list[str] = []
    autosave = game_in_folder(seating, 1, tmp_path, False, complaints.append)
    with served_pages(Pages(autosave)) as links:
        page = opened(browser, links["player_0"], complaints)
        for number in range(4):
            act(page, number)
            ready(page)
        before = page.inner_html("#middle")
    page.wait_for_selector("#problem:has-text('not running')")
    act(page)
    page.wait_for_function("() => !isBusy")
    again = game_in_folder(seating, None, tmp_path, False, complaints.append)
    assert again.session.game.actions == autosave.session.game.actions
    with served_pages(Pages(again)) as links_again:
        assert links_again == links
        page.wait_for_selector("#problem:empty", state="attached")
        page.reload()
        ready(page)
        assert page.inner_html("#middle") == before
        act(page, 1)
        ready(page)
        assert len(again.session.game.actions) > len(autosave.session.game.actions)
        page.close()
    assert [words for words in complaints if "ERR_CONNECTION_REFUSED" not in words] == []


def test_a_page_says_that_its_game_has_ended_when_the_server_plays_another_one(
    browser: Browser, tmp_path: Path
) -> None:
    complaints: list[str] = []
    with served(session_with(mode="solo"), tmp_path / "game.json") as links:
        page = opened(browser, links["player_0"], complaints)
        port = urlsplit(page.url).port
    page.wait_for_selector("#problem:has-text('not running')")
    another = Pages(Autosave(session_with(mode="solo"), LinksFile(tmp_path / "another.json")))
    with served_pages(another, port or 0):
        page.wait_for_selector("#problem:has-text('has ended')")
        response = page.reload()
        assert response is not None
        assert response.status == 404
        page.close()


def test_a_late_answer_hides_nothing_of_newer_news(browser: Browser, tmp_path: Path) -> None:
    twin, session, path = session_with(mode="solo"), session_with(mode="solo"), tmp_path / "game.json"
    play(twin, seed=1)
    *actions, last = twin.game.actions
    for action in actions:
        session.act("player_0", action)
    held: list[tuple[Route, APIResponse]] = []
    with served(session, path) as links:
        page = opened(browser, links["player_0"], [])
        page.route("**/action", lambda route: held.append((route, route.fetch())))
        ready(page)
        page.evaluate("action => { act(action); }", last)
        page.wait_for_selector(f"#about:has-text('{path}')")
        ((route, response),) = held
        route.fulfill(response=response)
        page.wait_for_function("() => !isBusy")
        assert str(path) in page.inner_text("#about")
        page.close()


def test_a_full_disk_stays_announced_and_a_failed_bot_stops_the_game(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(replay: Replay, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    session = session_with(players=2, bot=FailingBot())
    with served(session, tmp_path / "game.json") as links:
        page = opened(browser, links["player_0"], [])
        ready(page)
        monkeypatch.setattr(Replay, "save", no_space)
        act(page)
        page.wait_for_selector("#problem:has-text('No space')")
        monkeypatch.undo()
        ready(page)
        act(page)
        page.wait_for_selector("#problem:empty", state="attached")
        ready(page)
        play(session, 1)
        page.wait_for_selector("#prompt:has-text('out of order')")
        assert on_board(page).count() == 0
        page.close()


def test_two_people_see_their_own_cards_and_each_others_moves(browser: Browser, tmp_path: Path) -> None:
    session, complaints = session_with(2, players=2), list[str]()
    with served(session, tmp_path / "game.json") as links:
        pages = {seat: opened(browser, link, complaints) for seat, link in links.items()}
        for number in range(8):
            to_play = session.to_play or ""
            other = next(seat for seat in links if seat != to_play)
            page, count = pages[to_play], len(session.game.actions)
            page.wait_for_function(
                "count => state.moves.length === count + 1 && !running && paths.size", arg=count
            )
            assert on_board(pages[other]).count() == 0
            secret = {choice.card for choice in session.choices(to_play)}
            if session.game.decision == "PREP":
                told = pages[other].inner_text("body") + pages[other].inner_html("#board")
                assert not any(re.search(rf"\b{card}\b", told) for card in secret)
            act(page, number)
            pages[other].wait_for_function("count => state.moves.length > count + 1", arg=count)
        for page in pages.values():
            page.close()
    assert complaints == []


def test_a_chosen_name_is_shown_to_the_others_and_kept(browser: Browser, tmp_path: Path) -> None:
    path, complaints = tmp_path / "game.json", list[str]()
    with served(session_with(2, players=2), path) as links:
        own, other = (opened(browser, link, complaints) for link in links.values())
        own.get_by_label("The name that others see").fill("player_1")
        own.keyboard.press("Enter")
        own.wait_for_selector("#problem:not(:empty)")
        own.get_by_label("The name that others see").fill("Ada")
        own.keyboard.press("Enter")
        other.wait_for_selector("#others:has-text('Ada')")
        own.close()
        other.close()
    assert [words for words in complaints if "409 (Conflict)" not in words] == []
    with closing(LinksFile(path)) as kept:
        assert kept.names == {"player_0": "Ada"}


def test_names_of_bots_are_text_on_the_page_and_in_the_replay(browser: Browser, tmp_path: Path) -> None:
    bot, name = ChanceBot(), " ".join(EVIL_NAMES)
    bot.name = name
    session, complaints = session_with(bot=bot), list[str]()
    with served(session, tmp_path / "game.json") as links:
        page = opened(browser, links["player_0"], complaints)
        for _ in range(3):
            ready(page)
            act(page)
        ready(page)
        for place in ("#others", "#log", "#summary", "#words"):
            assert name in (page.text_content(place) or "")
        assert page.locator("body :is(img, script)").count() == 0
        play(session, 1)
        page.goto(f"{links['player_0']}replay")
        page.wait_for_selector("#table svg")
        page.click("#last")
        assert name in (page.text_content("#table") or "")
        assert name in (page.text_content("#moves") or "")
        assert page.evaluate("window.ran") is None
        page.close()
    assert complaints == []


def test_a_new_game_is_set_up_on_the_page(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "solo", tmp_path) as (page, pages):
        first = pages.session
        page.click("#open-new")
        page.wait_for_selector("#new[open] select")
        page.select_option("#setting-level", label="cyborg")
        page.fill("#setting-handicap", "30")
        page.click("#start")
        page.wait_for_selector("#refused:not(:empty)")
        assert pages.session is first
        page.fill("#setting-handicap", "2")
        page.click("#start")
        page.wait_for_selector("#new", state="hidden")
        assert pages.session.config.as_dict().items() >= {"level": "cyborg", "handicap": 2}.items()
        ready(page)
        assert on_board(page).count() > 0


def test_what_is_typed_while_other_fields_are_on_their_way_stays(browser: Browser, tmp_path: Path) -> None:
    waiting: list[Route] = []
    with shown(browser, "solo", tmp_path) as (page, _):
        page.click("#open-new")
        page.wait_for_selector("#new[open] select")
        page.evaluate("find('setting-handicap').isFirst = true")
        page.route("**/new", lambda route: waiting.append(route), times=1)
        page.select_option("#setting-level", label="cyborg")
        page.fill("#setting-handicap", "3")
        page.wait_for_function("() => find('setting-level').value === '\"cyborg\"'")
        waiting[0].continue_()
        page.wait_for_function("() => !find('setting-handicap').isFirst")
        assert page.input_value("#setting-handicap") == "3"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["solo", "project_mars"])
def test_the_guided_game_recommends_every_move_of_a_whole_game(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    with shown(browser, game, tmp_path) as (page, pages):
        page.click("#open-rules")
        page.click("#guided")
        page.wait_for_selector("#lesson p:has-text('Step 1')")
        guide, own = pages.session.presentation.guide(), 0
        while not pages.session.over:
            ready(page)
            page.wait_for_function("() => advised !== null && find('lesson').childElementCount > 1")
            if own < len(guide.lessons):
                assert page.locator("#lesson p").last.inner_text() == guide.lessons[own].text.splitlines()[-1]
                action = page.evaluate("advised")
                assert pages.session.spec.action_name(action) == guide.lessons[own].action
            own += 1
            assert page.locator("#lesson p").first.inner_text() == f"Step {own}"
            page.evaluate("act(advised)")
            page.wait_for_function(
                "own => state.moves.filter(move => move.seat === state.viewer).length >= own", arg=own
            )
            if own > 60:
                break
        assert own > len(guide.lessons)
