"""The page with two games of the same deal, in headless Chromium."""

from pathlib import Path

from playwright.sync_api import Browser, Frame

from pocketmars_agents.arena.results_file import read_results
from tests.agents.human.pages import opened
from tests.agents.playing import output_of
from tests.browser import browser, needs_chromium

__all__ = ["browser"]


@needs_chromium
def test_two_games_of_a_deal_are_shown_side_by_side(browser: Browser, tmp_path: Path) -> None:
    page_file, results, complaints = tmp_path / "games.html", tmp_path / "games.jsonl", list[str]()
    command = ("compare", "greedy", "random", "--max-games", "2", "--jobs", "1")
    output_of(*command, "--html", str(page_file), "--out", str(results))
    games = [list(result.actions) for result in read_results(results)[1]]
    difference = next(i for i, (one, other) in enumerate(zip(*games, strict=False)) if one != other)
    page = opened(browser, page_file.as_uri(), complaints, waits_for="iframe")
    panes: list[Frame] = page.frames[1:]
    for pane in panes:
        pane.wait_for_function("() => state && shown === 0")
    page.click("#difference")
    for pane in panes:
        assert pane.evaluate("shown") == difference + 1
    boards = [
        pane.evaluate("[state.moves[shown].seat, state.moves[shown].position.record.deck]") for pane in panes
    ]
    assert boards[0][0] == boards[1][0]
    page.keyboard.press("ArrowLeft")
    middles = [pane.inner_html("#middle") for pane in panes]
    assert middles[0] == middles[1]
    page.close()
    assert complaints == []
