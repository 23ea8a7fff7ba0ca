"""The page of a replay in a browser: headless Chromium, if it is installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pocketmars_env import Game
from pocketmars_env.replays import Replay
from pocketmars_env.replays.analysis import Analysis, JudgedMove
from pocketmars_env.replays.moves import moves_of
from pocketmars_env.replays.page import replay_page
from tests.browser import browser, needs_chromium
from tests.fixed_play import play_on
from tests.names import EVIL_NAMES

REPLAY = Replay.of(play_on(Game(seed=3), 3, 20))

pytestmark = needs_chromium
__all__ = ["browser"]


@contextmanager
def opened(browser: Browser, text: str, folder: Path, place: int = 0) -> Iterator[Page]:
    """Open a replay page at a position; check that the browser's console stays empty."""
    path, complaints = folder / "page.html", list[str]()
    path.write_text(text, encoding="utf-8")
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.goto(f"{path.as_uri()}#{place}")
    page.wait_for_selector("#table svg")
    yield page
    page.close()
    assert complaints == []


def shown(page: Page) -> tuple[str, str]:
    """Return the last move and the number of the position, as the page shows them."""
    now, place = page.text_content("#now"), page.text_content("#place")
    assert now is not None
    assert place is not None
    return now, place.removesuffix(" of 20")


def test_a_page_shows_the_position_of_its_address(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, replay_page(REPLAY), tmp_path, place=20) as page:
        moves = [str(move) for move in moves_of(REPLAY)]
        assert shown(page) == (moves[-1], "20")
        assert page.locator('[id^="move-"]').count() == 20
        assert page.get_attribute("#move-20", "aria-current") == "step"
        assert "as player_1 sees it" in page.locator("#view option").all_text_contents()
        title = page.text_content("#table svg > title")
        assert title is not None
        assert title.startswith(f"player_{REPLAY.final().to_play}: ")


def test_buttons_keys_and_the_slider_move_the_place_and_the_list_picks_the_view(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, replay_page(REPLAY), tmp_path) as page:
        page.click("#last")
        page.click("#back")
        page.keyboard.press("ArrowLeft")
        assert shown(page)[1] == "18"
        page.keyboard.press("Home")
        page.fill("#slider", "5")
        page.keyboard.press("ArrowRight")
        page.click("#next")
        assert shown(page)[1] == "7"
        page.click("#move-9")
        page.keyboard.press("ArrowLeft")
        page.select_option("#view", "2")
        page.click("#theme")
        heard = [str(move) for move in moves_of(REPLAY, 1)]
        assert shown(page) == (heard[7], "8")
        assert "as player_1 sees it" in (page.text_content("#table svg") or "")
        assert page.get_attribute("html", "data-theme") == "dark"


def test_play_stops_at_the_end(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, replay_page(REPLAY, 0), tmp_path, place=18) as page:
        page.click("#play")
        page.wait_for_selector("#place:text-is('20 of 20')")
        assert page.text_content("#play") == "Play"
        assert page.is_hidden("#view-label")


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_names_are_text_wherever_the_page_shows_them(name: str, browser: Browser, tmp_path: Path) -> None:
    replay = replace(REPLAY, names=(name, name), title=name)
    seat, action = REPLAY.start().to_play or 0, REPLAY.actions[0]
    analysis = Analysis(name, name, (JudgedMove(1, seat, action, action, 0.2, 0.8),))
    text = replay_page(replay, analysis=analysis, rename=lambda text: text.replace("player_0", name))
    with opened(browser, text, tmp_path, place=20) as page:
        for place in range(20, 0, -1):
            page.click(f"#move-{place}")
        assert page.evaluate("window.ran") is None
        assert page.locator("img, script:not(#data):not(:last-child)").count() == 0
        assert name in (page.text_content("#table svg") or "")
        for part in ("h1", "title", "#moves", "#analysis h2", "#analysis figcaption", ".curve desc"):
            assert name in (page.locator(part).first.text_content() or "")


def test_the_page_allows_no_script_but_its_own(browser: Browser, tmp_path: Path) -> None:
    text = replay_page(REPLAY).replace("<header>", "<header><script>window.ran = 1</script>", 1)
    ran = []
    with pytest.raises(AssertionError, match="inline script"), opened(browser, text, tmp_path) as page:
        ran.append(page.evaluate("window.ran"))
    assert ran == [None]
