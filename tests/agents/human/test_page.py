"""The page in headless Chromium, if it is installed: playing on the board, by mouse, keyboard and touch."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.agents.human.pages import GAMES, READY, is_over, on_board, ready, shown
from tests.browser import browser, needs_chromium, violations
from tests.fixed_play import fixed_numbers

pytestmark = needs_chromium
__all__ = ["browser"]

WIDTHS = (1440, 1024, 390)
DESKTOPS = ((1280, 720), (1280, 800), (1440, 900))
OUTSIDE = """() => [...document.querySelectorAll('#board .next, #bar button')].filter((place) => {
  const { left, top, right, bottom } = place.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).map((place) => place.dataset.target ?? place.textContent)"""
"""The places and buttons for the decision that a person would have to scroll to."""
CLASHES = """() => {
  const box = (node) => node.getBoundingClientRect();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const rows = ['others', 'middle', 'turn', 'own'].map(find), clashes = [];
  rows.forEach((row, i) => {
    if (i && box(row).top < box(rows[i - 1]).bottom) clashes.push(`${rows[i - 1].id} overlaps ${row.id}`);
    if (box(row).bottom > innerHeight) clashes.push(`${row.id} ends below the window`);
  });
  for (const part of all('#others > *, #middle > *, #own > *, #middle h2, #others h2')) {
    const outer = box(part.parentElement), { top, bottom, height, width } = box(part);
    const isInside = top >= outer.top - 1 && bottom <= outer.bottom + 1 && height && width;
    if (!isInside) clashes.push(`${part.className} ${part.textContent}`);
  }
  for (const part of all('.building, .supply, #middle h2, .card.large')) {
    if (part.scrollHeight > part.clientHeight + 1) clashes.push(`cut: ${part.textContent}`);
  }
  const lines = new Set(all('#own .card.large').map((card) => Math.round(box(card).top)));
  return lines.size > 1 ? [...clashes, 'cards on several lines'] : clashes;
}"""
"""The parts of the board that overlap, are cut or lie outside of the window."""


def click(page: Page, number: int, has_touch: bool = False) -> None:
    """Click or tap one of the places for the next step of an action, as a person does who sees them."""
    places = on_board(page)
    place = places.nth(number % places.count())
    (place.tap if has_touch else place.click)()


def clashes(page: Page) -> dict[tuple[int, int], list[str]]:
    """Return the clashes on the board for the sizes of windows that have any."""
    found = {}
    for width, height in DESKTOPS:
        page.set_viewport_size({"width": width, "height": height})
        found[width, height] = page.evaluate(CLASHES)
    return {size: parts for size, parts in found.items() if parts}


@pytest.mark.slow
@pytest.mark.parametrize(("width", "has_touch"), [(1440, False), (1024, False), (390, True)])
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_played_on_the_board_without_scrolling(
    browser: Browser, tmp_path: Path, game: str, width: int, has_touch: bool
) -> None:
    with shown(browser, game, tmp_path, width=width, has_touch=has_touch) as (page, pages):
        for number in fixed_numbers(width):
            if is_over(page):
                break
            assert page.evaluate("scrollY") == 0
            if width == 1440:
                assert page.evaluate(OUTSIDE) == []
                assert clashes(page) == {}
            click(page, number, has_touch)
            ready(page)
        assert page.evaluate("current().scores") == pages.session.game.scores
        assert page.inner_text("#prompt").startswith("Game over: ")
        points = page.inner_text("#points")
        for seat in pages.session.scores:
            assert all(f"{number}\n{words}" in points for words, number in seat.parts if words != "rounds")
        log = page.inner_text("#log").casefold()
        names = pages.session.player_names("player_0")
        events = [names.in_words(one).words for one in pages.session.log("player_0") if not one.seat]
        assert all(words.casefold() in log for words in events)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["solo", "project_mars"])
def test_whole_games_are_played_with_the_keyboard(browser: Browser, tmp_path: Path, game: str) -> None:
    with shown(browser, game, tmp_path) as (page, pages):
        for number in fixed_numbers(1):
            if is_over(page):
                break
            places = on_board(page)
            places.nth(number % places.count()).focus()
            page.keyboard.press("Enter")
            ready(page)
        assert page.evaluate("current().scores") == pages.session.game.scores


@pytest.mark.parametrize("game", GAMES)
def test_the_tab_key_reaches_what_can_be_clicked(browser: Browser, tmp_path: Path, game: str) -> None:
    with shown(browser, game, tmp_path) as (page, _):
        page.locator("#theme").focus()
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.dataset.target"))
        expected = page.evaluate(
            "[...document.querySelectorAll('#board .next')].map(place => place.dataset.target)"
        )
        assert set(expected) <= reached


def test_a_card_and_then_its_destination_are_clicked(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "project_mars", tmp_path) as (page, pages):
        while pages.session.game.decision != "TURN":
            page.locator("#bar button").last.click()
            ready(page)
        path, action = page.evaluate("[...paths].find(([, path]) => path.length === 2).reverse()")
        page.click(f'#board [data-target="{path[0]}"] >> nth=0')
        assert page.locator(".picked").count() > 0
        page.keyboard.press("Escape")
        assert page.locator(".picked").count() == 0
        moves = len(pages.session.game.actions)
        page.click(f'#board [data-target="{path[0]}"] >> nth=0')
        page.click(f'#board [data-target="{path[1]}"] >> nth=0')
        ready(page)
        assert pages.session.game.actions[moves] == action


def test_a_card_is_dragged_to_its_destination(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "solo", tmp_path) as (page, pages):
        page.drag_and_drop("#own .hand .card.next >> nth=0", "#own .prep .gap >> nth=0")
        ready(page)
        assert len(pages.session.game.actions) == 1
        page.drag_and_drop("#own .hand .card.next >> nth=0", "#middle .building >> nth=0")
        ready(page)
        assert len(pages.session.game.actions) == 1  # this is no destination


def test_a_choice_says_what_it_does(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "solo", tmp_path) as (page, pages):
        while pages.session.game.decision != "TURN":
            click(page, 0)
            ready(page)
        page.wait_for_function("() => Object.keys(effects).length")
        page.hover('#board [data-target="earth:0"]')
        assert "on Earth 6 → 5, on the Ship 1 → 2" in page.inner_text("#effect")
        page.click("#list summary")
        choices = page.locator("#choices button")
        assert choices.count() == len(pages.session.game.legal)
        page.keyboard.press("1")
        ready(page)
        assert len(pages.session.game.actions) == 3


def test_undo_and_hints_have_keys(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "solo", tmp_path) as (page, pages):
        page.keyboard.press("h")
        page.wait_for_selector("#board .next.advised")
        hint = pages.session.hint("player_0")
        assert hint.by in page.inner_text("#effect")
        assert page.evaluate("advised") == hint.action
        click(page, 1)
        ready(page)
        page.keyboard.press("u")
        page.wait_for_selector("#undo", state="hidden")
        assert pages.session.game.actions == ()


def test_one_looks_back_at_earlier_positions(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "three", tmp_path) as (page, pages):
        first = page.inner_html("#middle")
        for number in range(8):
            click(page, number)
            ready(page)
        last = page.inner_html("#middle")
        page.click("#first")
        assert page.inner_html("#middle") == first != last
        assert page.locator("#board .next, #bar button").count() == 0
        moves = len(pages.session.game.actions)
        assert page.locator("#log li").count() == moves
        for _ in range(moves):
            page.keyboard.press("ArrowRight")
        ready(page)
        page.mouse.move(0, 0)
        assert page.evaluate("shown") == moves
        assert page.locator("#board .next").count() > 0


@pytest.mark.slow
def test_an_analysis_marks_mistakes_and_one_plays_on_from_there(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "solo", tmp_path) as (page, pages):
        for number in fixed_numbers(2):
            if is_over(page):
                break
            click(page, number)
            ready(page)
        page.click("#analyse")
        count = len(pages.session.game.actions)
        page.wait_for_function("count => judgements.has(state.moves[count])", arg=count, timeout=200_000)
        assert page.locator("#curve polyline").count() == 1
        costly = page.locator("#log .costly")
        assert costly.count() == page.locator("#curve circle").count() > 0
        move = int(costly.first.locator("button").get_attribute("data-move") or 0)
        page.evaluate("move => look(move - 1)", move)
        assert page.inner_text("#judgement").startswith(f"Next, move {move}: ")
        page.click("#judgement button")
        ready(page)
        assert len(pages.session.game.actions) == move - 1


def test_the_last_field_is_shown_until_the_person_goes_on(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, "project_mars", tmp_path) as (page, pages):
        session = pages.session
        while not session.over:
            if session.game.decision == "TURN" and page.evaluate(
                "current().record.seats[0].card.every(card => card < 0)"
            ):
                click(page, 0)
            else:
                page.locator("#bar button").or_(on_board(page)).last.click()
            page.wait_for_function(READY)
            if page.locator("#bar button:has-text('Continue')").count():
                end = session.round_end("player_0")
                assert end is not None
                for side in end.seat_view.sides:
                    assert str(side.tpr) in page.inner_text("#middle")
            ready(page)
        assert page.evaluate("current().last !== undefined")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "theme"), [("solo", "light"), ("three", "dark"), ("project_mars", "dark")])
def test_axe_finds_no_fault(browser: Browser, tmp_path: Path, game: str, theme: str) -> None:
    with shown(browser, game, tmp_path) as (page, _):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 844})
            assert violations(page) == []
        page.locator("#list summary").click()
        page.locator("#places summary").click()
        assert violations(page) == []
        for opener, closer in (("#open-new", "#cancel"), ("#open-rules", "#close-rules")):
            page.locator(opener).click()
            page.wait_for_selector("dialog[open]")
            assert violations(page) == []
            page.locator(closer).click()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wider_than_the_window(browser: Browser, tmp_path: Path, game: str, width: int) -> None:
    with shown(browser, game, tmp_path, width=width) as (page, _):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
