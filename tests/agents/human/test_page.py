"""Tests of the page in headless Chromium, if it is installed: whole games are played by mouse clicks."""

import errno
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route

from pocketmars_agents.play.links_file import LinksFile
from pocketmars_agents.play.saved_games import Autosave, game_in_folder
from pocketmars_agents.play.seats import Seating
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web.server import Pages
from pocketmars_agents.registry import make_agent
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.replays import Replay
from tests.agents.human.bots import ChanceBot, FailingBot
from tests.agents.human.serving import served, served_pages
from tests.agents.human.sessions import play, session_with
from tests.browser import browser, needs_chromium
from tests.names import EVIL_NAMES

MOST_MILLISECONDS = 20_000

pytestmark = needs_chromium
__all__ = ["browser"]


def opened(browser: Browser, link: str, complaints: list[str]) -> Page:
    """Open a link and return its page; errors and foreign requests are added to `complaints`."""
    page = browser.new_page()
    page.set_default_timeout(MOST_MILLISECONDS)
    page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if urlsplit(request.url).netloc == urlsplit(link).netloc or request.url.startswith("data:")
            else complaints.append(f"asks for {request.url}")
        ),
    )
    page.goto(link)
    page.wait_for_selector("#table svg")
    return page


@contextmanager
def shown(browser: Browser, session: Session, path: Path) -> Iterator[Page]:
    """Serve a session in a thread and open the first person's page; check that the page has no complaint."""
    complaints: list[str] = []
    with served(session, path) as links:
        page = opened(browser, links["player_0"], complaints)
        yield page
        page.close()
    assert complaints == []


def click_choice(page: Page, session: Session, number: int) -> None:
    """Click one of the choices, and wait until the page shows its result."""
    seat = session.to_play or ""
    choices, names = session.choices(seat), session.player_names(seat)
    buttons = page.locator("#choices button")
    assert buttons.locator("span").all_inner_texts() == [names.in_text(choice.words) for choice in choices]
    rounds = page.locator("#log li").count()
    buttons.nth(number % len(choices)).click()
    page.wait_for_selector(f"#log li:nth-child({rounds + 1})")


@pytest.mark.slow
def test_a_whole_game_is_clicked_and_a_reload_in_the_middle_loses_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    session, path = session_with(mode="solo", level="cyborg", round_limit=5), tmp_path / "game.json"
    with shown(browser, session, path) as page:
        number = 0
        while not session.over:
            number += 1
            click_choice(page, session, number)
            if number == 6:
                before = page.inner_text("#log"), page.inner_text("#choices"), page.inner_html("#table")
                page.reload()
                page.wait_for_selector("#table svg")
                after = page.inner_text("#log"), page.inner_text("#choices"), page.inner_html("#table")
                assert after == before
        page.wait_for_selector("#end table")
        totals = [int(text) for text in page.locator("#end .total").all_inner_texts()]
        assert totals == session.game.scores
        assert page.inner_text("#prompt").startswith("Game over: ")
        page.wait_for_selector(f"#about:has-text('{path}')")
        assert Replay.load(path).final().scores == totals
        assert page.locator("#choices button").count() == 0


@pytest.mark.slow
def test_a_page_goes_on_when_its_server_is_started_again(browser: Browser, tmp_path: Path) -> None:
    seating = Seating(GameConfig(mode="solo"), {}, ("player_0",))
    complaints: list[str] = []
    autosave = game_in_folder(seating, 1, tmp_path, False, complaints.append)
    with served_pages(Pages(autosave)) as links:
        page = opened(browser, links["player_0"], complaints)
        for number in range(4):
            click_choice(page, autosave.session, number)
        shown = page.inner_text("#log"), page.inner_text("#choices")
    page.wait_for_selector("#about[data-lost]")
    page.locator("#choices button").first.click()
    page.wait_for_selector("#problem:not(:empty)")
    again = game_in_folder(seating, None, tmp_path, False, complaints.append)
    assert again.session.game.actions == autosave.session.game.actions
    with served_pages(Pages(again)) as links_again:
        assert links_again == links
        page.wait_for_selector("#about:not([data-lost])")
        page.wait_for_selector("#problem:empty", state="attached")
        assert (page.inner_text("#log"), page.inner_text("#choices")) == shown
        click_choice(page, again.session, 1)
        assert len(again.session.game.actions) == len(autosave.session.game.actions) + 1
        page.close()
    assert [words for words in complaints if "ERR_CONNECTION_REFUSED" not in words] == []


def test_a_page_says_that_its_game_has_ended_when_the_server_plays_another_one(
    browser: Browser, tmp_path: Path
) -> None:
    complaints: list[str] = []
    with served(session_with(mode="solo"), tmp_path / "game.json") as links:
        page = opened(browser, links["player_0"], complaints)
        port = urlsplit(page.url).port
    page.wait_for_selector("#about[data-lost]")
    lost = page.inner_text("#about")
    another = Pages(Autosave(session_with(mode="solo"), LinksFile(tmp_path / "another.json")))
    with served_pages(another, port or 0):
        page.wait_for_selector("#problem:not(:empty)")
        assert page.inner_text("#problem") == page.inner_text("#about") != lost
        response = page.reload()
        assert response is not None
        assert response.status == 404
        page.close()


def test_an_answer_that_news_overtake_hides_nothing_of_them(browser: Browser, tmp_path: Path) -> None:
    twin, session, path = session_with(mode="solo"), session_with(mode="solo"), tmp_path / "game.json"
    play(twin, seed=1)
    *actions, last = twin.game.actions
    for action in actions:
        session.act("player_0", action)
    held: list[tuple[Route, APIResponse]] = []
    with shown(browser, session, path) as page:
        page.route("**/action", lambda route: held.append((route, route.fetch())))
        page.click(f"#choices button[data-action='{last}']")
        page.wait_for_selector(f"#about:has-text('{path}')")
        ((route, response),) = held
        route.fulfill(response=response)
        page.wait_for_selector("#hint:not([disabled])", state="attached")  # the page has read the response
        assert str(path) in page.inner_text("#about")


def test_a_full_disk_stays_announced_and_a_stopped_game_offers_no_replay(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(replay: Replay, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    session = session_with(players=2, bot=FailingBot())
    with shown(browser, session, tmp_path / "game.json") as page:
        monkeypatch.setattr(Replay, "save", no_space)
        for _ in range(2):
            click_choice(page, session, 0)
            page.wait_for_selector("#turn.to-play")
            assert page.inner_text("#problem")
        monkeypatch.undo()
        click_choice(page, session, 0)
        page.wait_for_selector("#problem:empty", state="attached")
        play(session, 1)
        page.wait_for_selector("#rematch")
        assert "out of order" in page.inner_text("#prompt")
        assert page.locator("#costly").is_hidden()


def test_hints_keys_taking_back_and_texts_of_cards(browser: Browser, tmp_path: Path) -> None:
    session = session_with(mode="solo", practice=True, hint=make_agent("greedy"))
    with shown(browser, session, tmp_path / "game.json") as page:
        assert not page.is_visible("#undo")
        page.hover("#choices button >> nth=1")
        choice = session.choices("player_0")[1]
        assert page.inner_text("#text") == choice.text
        page.keyboard.press("h")
        advised = page.wait_for_selector("#choices .advised")
        hint = session.hint("player_0")
        assert page.inner_text("#advice") == f"Hint from greedy: {hint.words} ({hint.value})"
        assert advised is not None
        assert advised.get_attribute("data-action") == str(hint.action)
        page.keyboard.press("2")
        page.wait_for_selector("#log li >> nth=1")
        assert list(session.game.actions) == [choice.action]
        page.hover("#log .card")
        assert page.inner_text("#text") == choice.text
        page.keyboard.press("u")
        page.wait_for_selector("#undo", state="hidden")
        assert list(session.game.actions) == []
        page.mouse.move(0, 0)
        page.locator("#choices button").first.focus()
        page.wait_for_selector("#text", state="visible")
        page.keyboard.press("Enter")
        page.wait_for_selector("#undo", state="visible")
        assert len(session.game.actions) == 1


def test_two_people_see_their_own_cards_and_each_others_answers(browser: Browser, tmp_path: Path) -> None:
    session = session_with(2, players=2)
    complaints: list[str] = []
    with served(session, tmp_path / "game.json") as links:
        pages = {seat: opened(browser, link, complaints) for seat, link in links.items()}
        for number in range(8):
            to_play = session.to_play or ""
            other = next(seat for seat in links if seat != to_play)
            assert pages[other].locator("#choices button").count() == 0
            secret = {choice.card for choice in session.choices(to_play)}
            told = pages[other].inner_text("body")
            if session.game.decision == "PREP":
                assert not any(str(card) in told for card in secret)
            click_choice(pages[to_play], session, number)
            pages[session.to_play or ""].wait_for_selector("#choices button:not(:disabled)")
            assert pages[to_play].locator("#choices button").count() == len(session.choices(to_play))
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
        other.wait_for_function("() => state.players.includes('Ada')")
        assert "Ada" in other.inner_text("#about")
        assert "Ada" in other.inner_text("#prompt") + other.inner_html("#table")
        own.close()
        other.close()
    assert [words for words in complaints if "409 (Conflict)" not in words] == []
    with closing(LinksFile(path)) as kept:
        assert kept.names == {"player_0": "Ada"}


def test_names_of_bots_are_text_on_the_page_and_in_the_replay(browser: Browser, tmp_path: Path) -> None:
    bot = ChanceBot()
    bot.name = name = " ".join(EVIL_NAMES)
    session, complaints = session_with(bot=bot, round_limit=1), list[str]()
    with served(session, tmp_path / "game.json") as links:
        page = opened(browser, links["player_0"], complaints)
        assert name in (page.text_content("#table") or "")
        assert page.locator("#table :is(img, script)").count() == 0
        play(session, 1)
        page.goto(f"{links['player_0']}replay")
        page.wait_for_selector("#table svg")
        page.click("#last")
        assert name in (page.text_content("#table") or "")
        assert name in (page.text_content("#moves") or "")
        assert page.evaluate("window.ran") is None
        page.close()
    assert complaints == []
