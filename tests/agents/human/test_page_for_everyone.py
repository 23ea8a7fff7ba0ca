"""The page for people who use a keyboard, a phone or a screen reader."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pocketmars_agents.cli.seating import new_games, seating_of
from pocketmars_agents.play.lessons import LEFT
from pocketmars_agents.play.saved_games import game_in_folder
from pocketmars_agents.play.web.server import Pages
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from tests.agents.human.serving import served_pages
from tests.agents.human.test_page import opened
from tests.browser import browser, needs_chromium, violations

pytestmark = needs_chromium
__all__ = ["browser"]

GAMES = {
    "solo": (SPEC, []),
    "three": (SPEC, ["random", "random"]),
    "project_mars": (PROJECT_MARS, ["random"]),
}
WIDTHS = (1440, 1024, 390)
PICTURES = "[...document.querySelectorAll('#table svg')]"
IS_DRAWN_FOR = f"width => innerWidth === width && ({PICTURES}.length > 1) === (width <= 700)"
"""Narrow windows show one picture per panel, wider ones a single picture of the table."""
EDGES = f"{PICTURES}.map(one => one.getBoundingClientRect()).map(({{ left, right }}) => [left, right])"


@pytest.fixture
def page(request: Any, browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Pages]]:
    """The browser page of a game with one person, and the `Pages` that the server serves."""
    spec: GameSpec
    spec, bots = GAMES[request.param]
    pages = Pages(game_in_folder(seating_of(spec, {}, bots), 5, tmp_path, True, print), new_games(spec, {}))
    complaints: list[str] = []
    with served_pages(pages) as links:
        shown = opened(browser, links["player_0"], complaints)
        yield shown, pages
        shown.close()
    assert [words for words in complaints if "409 (Conflict)" not in words] == []


@contextmanager
def turn(page: Page, pages: Pages) -> Iterator[None]:
    """Wait after the block until its action has been played and the person is to play or the game is over."""
    version = pages.session.version
    yield
    page.wait_for_function("version => state.version > version && (state.to_play || state.over)", arg=version)


@pytest.mark.parametrize("page", GAMES, indirect=True)
def test_the_keyboard_alone_plays_and_keeps_its_focus(page: tuple[Page, Pages]) -> None:
    shown, pages = page
    shown.locator("#choices button").first.focus()
    for _ in range(12):
        with turn(shown, pages):
            shown.keyboard.press("Enter")
        if pages.session.over:
            break
        shown.wait_for_function("find('choices').contains(document.activeElement)")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "has_mouse"), [(1440, True), (1024, False), (390, True)])
@pytest.mark.parametrize("page", ["solo", "project_mars"], indirect=True)
def test_whole_games_are_played(page: tuple[Page, Pages], width: int, has_mouse: bool) -> None:
    shown, pages = page
    shown.set_viewport_size({"width": width, "height": 800})
    shown.locator("#choices button").first.focus()
    for number in range(1_000):
        if shown.evaluate("is_paused()"):
            shown.locator("#choices button").click()
        count = shown.locator("#choices button").count()
        with turn(shown, pages):
            if has_mouse:
                shown.locator("#choices button").nth(number % count).click()
            else:
                for _ in range(number % count):
                    shown.keyboard.press("Tab")
                shown.keyboard.press("Enter")
        if shown.evaluate("state.over"):
            break
    shown.wait_for_selector("#end table")
    totals = [int(text) for text in shown.locator("#end .total").all_inner_texts()]
    assert totals == pages.session.game.scores


@pytest.mark.parametrize("page", ["solo"], indirect=True)
def test_a_click_on_a_card_shows_its_choices_and_a_second_one_chooses(page: tuple[Page, Pages]) -> None:
    shown, pages = page
    choice = pages.session.choices("player_0")[0]
    place = shown.locator(f'#table [data-target="{choice.targets[0]}"]').first
    place.click()
    pointed = shown.locator("#choices .pointed")
    assert pointed.count() == 1
    assert not pages.session.game.actions
    assert shown.evaluate("document.activeElement.dataset.action") == str(choice.action)
    with turn(shown, pages):
        place.click()
    assert list(pages.session.game.actions)[:1] == [choice.action]


@pytest.mark.parametrize("page", ["project_mars"], indirect=True)
def test_a_card_and_then_its_slot_are_clicked(page: tuple[Page, Pages]) -> None:
    shown, pages = page
    while pages.session.game.decision != "TURN":
        with turn(shown, pages):
            shown.locator("#choices button").last.click()
    choice = next(one for one in pages.session.choices("player_0") if len(one.targets) == 2)
    card, slot = choice.targets
    shown.locator(f'#table [data-target="{card}"]').first.click()
    shown.locator(f'#table [data-target="{slot}"]').first.click()
    assert shown.locator("#choices .pointed").get_attribute("data-action") == str(choice.action)


@pytest.mark.parametrize("page", ["project_mars"], indirect=True)
def test_the_last_field_is_shown_until_the_person_goes_on(page: tuple[Page, Pages]) -> None:
    shown, pages = page
    session, table, choices = pages.session, shown.locator("#table"), shown.locator("#choices button")

    def sees_the_last_field() -> None:
        end = session.round_end("player_0")
        assert end is not None
        assert all(f"TPR {side.tpr}" in table.inner_text() for side in end.seat_view.sides)
        assert any(side.tpr for side in end.seat_view.sides)

    while not session.over:
        if shown.evaluate("is_paused()"):
            shown.reload()
            shown.wait_for_selector("#choices button")
            sees_the_last_field()
            assert choices.count() == 1
            shown.keyboard.press("1")
            assert choices.count() == len(session.choices("player_0"))
            assert table.inner_text().count("TPR 0") == 2
        is_empty = session.view("player_0").describe().count("TPR 0") == 2
        with turn(shown, pages):  # play only one card in a round
            choices.nth(0 if session.game.decision == "TURN" and is_empty else -1).click()
    sees_the_last_field()


@pytest.mark.parametrize("page", ["solo"], indirect=True)
def test_what_happened_since_the_last_move_is_below_the_question(page: tuple[Page, Pages]) -> None:
    shown, pages = page
    while pages.session.game.decision != "TURN":
        with turn(shown, pages):
            shown.locator("#choices button").first.click()
    with turn(shown, pages):
        shown.locator("#choices button").last.click()
    _, before = pages.session.since_last_action("player_0")
    assert shown.locator("#since li").count() == len(pages.session.log("player_0")) - before > 0
    assert shown.locator("#since").bounding_box()["y"] < shown.locator("#choices").bounding_box()["y"]  # type: ignore[index]
    assert shown.locator("#table .changed").count() > 0


@pytest.mark.parametrize("page", GAMES, indirect=True)
def test_nothing_is_cropped_in_any_window(page: tuple[Page, Pages]) -> None:
    shown, _ = page
    for width in WIDTHS:
        shown.set_viewport_size({"width": width, "height": 800})
        shown.wait_for_function(IS_DRAWN_FOR, arg=width)
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        edges = shown.evaluate(EDGES)
        assert edges
        assert all(left >= 0 and right <= width for left, right in edges)


@pytest.mark.slow
@pytest.mark.parametrize("page", GAMES, indirect=True)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault(page: tuple[Page, Pages], theme: str) -> None:
    shown, _ = page
    shown.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    for width in (1440, 390):
        shown.set_viewport_size({"width": width, "height": 800})
        assert violations(shown) == []
    shown.locator("#places summary").click()
    shown.locator("#open-new").click()
    shown.wait_for_selector("#new[open] select")
    assert violations(shown) == []
    shown.locator("#cancel").click()
    shown.locator("#open-rules").click()
    shown.wait_for_selector("#rules[open] h1, #rules[open] h2, #rules[open] p")
    assert violations(shown) == []


@pytest.mark.parametrize("page", ["solo"], indirect=True)
def test_a_new_game_is_set_up_on_the_page(page: tuple[Page, Pages]) -> None:
    shown, pages = page
    first = pages.session
    shown.locator("#open-new").click()
    shown.wait_for_selector("#new[open] select")
    shown.select_option("#setting-level", label="cyborg")
    shown.fill("#setting-handicap", "30")
    shown.locator("#start").click()
    shown.wait_for_selector("#refused:not(:empty)")
    assert pages.session is first
    shown.fill("#setting-handicap", "2")
    shown.locator("#start").click()
    shown.wait_for_selector("#new", state="hidden")
    assert pages.session.config.as_dict().items() >= {"level": "cyborg", "handicap": 2}.items()
    shown.wait_for_function("find('choices').contains(document.activeElement)")


@pytest.mark.parametrize("page", ["solo", "project_mars"], indirect=True)
def test_the_guided_game_explains_its_decisions(page: tuple[Page, Pages]) -> None:
    shown, pages = page
    guide = pages.session.presentation.guide()
    count = len(guide.lessons)
    shown.locator("#open-rules").click()
    shown.locator("#guided").click()
    for number, lesson in enumerate(guide.lessons, start=1):
        shown.wait_for_selector(f"#lesson p:has-text('Decision {number} of {count}')")
        assert shown.locator("#lesson p").last.inner_text() == lesson.text.splitlines()[-1]
        action = int(shown.locator("#choices .advised").get_attribute("data-action") or -1)
        assert pages.session.spec.action_name(action) == lesson.action
        with turn(shown, pages):
            shown.locator("#choices .advised").click()
    assert shown.locator("#lesson p").all_inner_texts() == guide.farewell.splitlines()
    shown.locator("#undo").click()
    shown.wait_for_selector(f"#lesson p:has-text('Decision {count} of {count}')")


@pytest.mark.parametrize("page", ["solo"], indirect=True)
def test_the_guided_game_says_when_one_leaves_it(page: tuple[Page, Pages]) -> None:
    shown, _ = page
    shown.locator("#open-rules").click()
    shown.locator("#guided").click()
    shown.wait_for_selector("#choices .advised")
    shown.locator("#choices button:not(.advised)").first.click()
    shown.wait_for_selector(f"#lesson p:has-text('{LEFT}')")
