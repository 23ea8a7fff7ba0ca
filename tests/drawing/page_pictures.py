"""Take pictures of the web page for the gallery: ``python -m tests.drawing.page_pictures``."""

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.agents.human.pages import ready, shown
from tests.browser import CHROMIUM, OPTIONS
from tests.core.processes import ROOT

FOLDER = ROOT / "docs" / "images"
COLOURS = 128
MOVES = {"solo": 15, "project_mars": 11}
"""The number of recommended moves before the picture is taken, for each game."""
PICTURES = {game: FOLDER / f"page-{game.replace('_', '-')}.png" for game in MOVES}


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        for game, moves in MOVES.items():
            with shown(browser, game, Path(tempfile.mkdtemp())) as (page, _):
                for _ in range(moves):
                    page.evaluate("source.hint().then(({ action }) => source.act(action))")
                    ready(page)
                page.wait_for_function("() => Object.keys(effects).length")
                page.locator("#board .next").first.hover()
                page.evaluate("find('about').remove()")  # it names a temporary file
                image = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
                image.save(PICTURES[game], optimize=True)


if __name__ == "__main__":
    main()
