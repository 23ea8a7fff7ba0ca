"""A headless Chromium for tests, if it is installed, and accessibility checks with axe."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: the extra dev")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


def violations(page: "Page", has_contrast: bool = True) -> list[str]:
    """Return the violations that axe reports: the rule and the first three elements of each.

    If `has_contrast` is False, the contrast of colors is not checked, which takes long on a long page.
    """
    from axe_playwright_python.sync_playwright import Axe

    # Without `resultTypes`, axe also describes all elements without violations, which takes most of the time.
    options = {"rules": {"color-contrast": {"enabled": has_contrast}}, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {[node['html'][:80] for node in one['nodes'][:3]]}" for one in found]
