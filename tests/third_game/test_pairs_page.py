"""The web page of a third-party game that brings no board."""

from pathlib import Path

from playwright.sync_api import Browser

from tests.agents.human.pages import is_over, on_board, opened, ready
from tests.agents.human.serving import served
from tests.browser import browser, needs_chromium
from tests.third_game.test_pairs_play import against_random

__all__ = ["browser"]


@needs_chromium
def test_its_page_needs_no_board_of_its_own(browser: Browser, tmp_path: Path) -> None:
    session, complaints = against_random(), list[str]()
    with served(session, tmp_path / "game.json") as links:
        page = opened(browser, links["player_0"], complaints, waits_for="#middle dd")
        for _ in range(200):
            ready(page)
            if is_over(page):
                break
            on_board(page).first.click()
        assert page.evaluate("current().scores") == session.game.scores
        assert session.game.over
        page.close()
    assert complaints == []
