"""Pages of games in a browser, and people who play on them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page

from pocketmars_agents.cli.seating import new_games, seating_of
from pocketmars_agents.play.saved_games import game_in_folder
from pocketmars_agents.play.web.server import Pages
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from tests.agents.human.serving import served_pages

MOST_MILLISECONDS = 20_000
READY = """() => find('bar').textContent === 'Continue' ||
  !isBusy && !running && state && (current().over || state.failure || paths.size)"""
"""A JavaScript function: whether the page waits for the person, or the game is over."""

GAMES: dict[str, tuple[GameSpec, list[str]]] = {
    "solo": (SPEC, []),
    "three": (SPEC, ["random", "random"]),
    "project_mars": (PROJECT_MARS, ["random"]),
}


def opened(
    browser: Browser,
    link: str,
    complaints: list[str],
    width: int = 1440,
    waits_for: str = "#board [data-target]",
    **options: Any,
) -> Page:
    """Open a link without animations; errors and requests to other hosts are added to `complaints`."""
    heights = {1440: 900, 1024: 768, 390: 844}
    size = {"width": width, "height": heights[width]}
    page = browser.new_page(viewport=size, reduced_motion="reduce", **options)  # type: ignore[arg-type]
    page.set_default_timeout(MOST_MILLISECONDS)
    page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if urlsplit(request.url).netloc == urlsplit(link).netloc
            or request.url.startswith(("data:", "blob:"))
            else complaints.append(f"asks for {request.url}")
        ),
    )
    page.goto(link)
    page.wait_for_selector(waits_for)
    return page


@contextmanager
def shown(browser: Browser, game: str, folder: Path, **options: Any) -> Iterator[tuple[Page, Pages]]:
    """Serve a game with one person and open its page; check that the page has no complaint."""
    spec, bots = GAMES[game]
    pages = Pages(game_in_folder(seating_of(spec, {}, bots), 5, folder, True, print), new_games(spec, {}))
    complaints: list[str] = []
    with served_pages(pages) as links:
        page = opened(browser, links["player_0"], complaints, **options)
        ready(page)
        yield page, pages
        page.close()
    assert [words for words in complaints if "409 (Conflict)" not in words] == []


def ready(page: Page) -> None:
    """Wait until the person is to play or the game is over; go on where the page shows the end of a round."""
    page.wait_for_function(READY)
    while page.evaluate("find('bar').textContent === 'Continue'"):
        page.locator("#bar button").click()
        page.wait_for_function(READY)


def on_board(page: Page) -> Locator:
    """Return the places and buttons of the board that a person may click now."""
    return page.locator("#board .next:visible, #bar button:visible:not(:has-text('Cancel'))")


def is_over(page: Page) -> bool:
    return bool(page.evaluate("current().over"))
