"""The site builds without warnings, its links have targets, and its pages load nothing from other sites."""

import functools
import http.server
import inspect
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import Browser

from docs import hooks
from pocketmars_env import Game
from pocketmars_env.core import games
from pocketmars_env.envs import aec
from tests.browser import browser, needs_chromium, violations

__all__ = ["browser"]

pytestmark = pytest.mark.slow  # builds the site

ROOT = Path(__file__).parents[2]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
EVERY, COLORS_OF_EVERY = 3, 12
"""Axe checks one page in `EVERY`, and in two of `COLORS_OF_EVERY` of them the contrast of the colors.

All pages have the same layout and the same style sheets.
"""
LOADED = {"src", "srcset", "poster", "data"}
"""Attributes whose URL a browser loads automatically; for `link` elements, this depends on `rel`."""
FETCHED_RELATIONS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "manifest", "modulepreload"}


class Html(HTMLParser):
    """The links, loaded URLs and anchors of an HTML page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.images_without_text = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.anchors.add(values["id"])
        self.images_without_text += tag == "img" and "alt" not in values
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and set(values.get("rel", "").split()) & FETCHED_RELATIONS:
            self.loads.append(values["href"])
        self.loads += [values[name] for name in LOADED & set(values)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as CI does, beside a list of versions as mike writes it, and return its folder."""
    folder = tmp_path_factory.mktemp("sites") / "latest"
    (folder.parent / "versions.json").write_text('[{"version": "latest", "title": "latest", "aliases": []}]')
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Html]:
    """All pages of the site except the 404 page, whose links are absolute, and the pages for playing."""
    return {
        page: Html(page.read_text(encoding="utf-8"))
        for page in site.rglob("*.html")
        if page.name != "404.html" and page.relative_to(site).parts[0] != "play"
    }


def test_every_page_is_there(site: Path, pages: dict[Path, Html]) -> None:
    names = {*hooks.WHOLE_PAGES.values()}
    names |= {f"notebooks/{notebook.stem}.md" for notebook in hooks.NOTEBOOKS}
    names |= {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    places = {name.removesuffix("index.md").removesuffix(".md") for name in names}
    assert {page.parent.relative_to(site).as_posix() for page in pages} == {place or "." for place in places}


def test_links_lead_to_pages_and_places_in_them(site: Path, pages: dict[Path, Html]) -> None:
    lost = []
    for page, html in pages.items():
        for link in html.links:
            if re.match(r"\w+:", link):
                continue
            path, anchor = urldefrag(unquote(link))
            target = (page.parent / path).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() or (anchor and anchor not in pages[target].anchors):
                lost.append((page.relative_to(site).as_posix(), link))
    assert lost == []


def test_images_have_a_text(pages: dict[Path, Html]) -> None:
    assert [page for page, html in pages.items() if html.images_without_text] == []


def test_what_pages_load_is_there(site: Path, pages: dict[Path, Html]) -> None:
    for page, html in pages.items():
        own = [
            urldefrag(unquote(load))[0].partition("?")[0]
            for load in html.loads
            if not re.match(r"\w+:", load)
        ]
        assert [load for load in own if not (page.parent / load).resolve().is_relative_to(site)] == []
        assert [load for load in own if not (page.parent / load).exists()] == []


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Html]) -> None:
    assert {load for html in pages.values() for load in html.loads if re.match(r"(\w+:)?//", load)} == set()
    styles = "".join(style.read_text(encoding="utf-8") for style in site.rglob("*.css"))
    assert re.findall(r"url\(['\"]?(?:\w+:)?//", styles) == []


INCLUDED = {
    "rulings": "R-FORCED",
    "cards": "Habitation g",
    "actions": "DISCARD_FOR_ENERGY",
    "observations": "hand_suits",
    "performance": "decisions/s",
    "api/games": "from_snapshot",
    "api/environments": "PocketMarsVecEnv",
}
"""For each page, a text that the page includes from a README, the code or a docstring."""


def test_what_stands_elsewhere_is_put_in(site: Path, pages: dict[Path, Html]) -> None:
    assert [page for page in pages if "include:" in page.read_text(encoding="utf-8")] == []
    for page, name in INCLUDED.items():
        assert name in (site / page / "index.html").read_text(encoding="utf-8"), page


REFERENCE = {
    "pocketmars_env.Game": ("api/games", Game),
    "pocketmars_env.core.games.Games": ("api/games", games.Games),
    "pocketmars_env.envs.aec.raw_env": ("api/environments", aec.raw_env),
}


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_describes_all_methods(name: str, site: Path, pages: dict[Path, Html]) -> None:
    page, kind = REFERENCE[name]
    own = [base for base in kind.__mro__ if base.__module__.startswith("pocketmars_env.")]
    methods = {method for base in own for method, value in vars(base).items() if inspect.isroutine(value)}
    public = {f"{name}.{method}" for method in methods if not method.startswith("_")}
    assert public <= pages[site / page / "index.html"].anchors


@pytest.mark.parametrize("notebook", hooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_all_its_plots(notebook: Path, site: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    plots = [data for data in outputs if any(kind.startswith("image/") for kind in data)]
    page = (site / "notebooks" / notebook.stem / "index.html").read_text(encoding="utf-8")
    assert page.count("<img ") == len(plots) > 0


BROKEN_IMAGES = """async () => {
    const images = [...document.images];
    await Promise.allSettled(images.map((image) => image.decode()));
    return images.filter((image) => !image.naturalWidth).map((image) => image.src.slice(0, 100));
}"""


@needs_chromium
def test_all_images_load_and_the_console_has_no_errors(
    site: Path, pages: dict[Path, Html], browser: Browser
) -> None:
    faults: list[str] = []
    with served(site.parent) as address:
        shown = browser.new_page()
        shown.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        shown.on("pageerror", lambda error: faults.append(str(error)))
        for path in sorted(pages):
            shown.goto(f"{address}/{path.parent.relative_to(site.parent).as_posix()}/")
            faults += shown.evaluate(BROKEN_IMAGES)
            assert faults == [], path
        shown.close()


@needs_chromium
def test_axe_finds_no_fault(site: Path, pages: dict[Path, Html], browser: Browser) -> None:
    found = {}
    with served(site) as address:
        shown = {scheme: browser.new_page(color_scheme=scheme) for scheme in SCHEMES}
        for number, path in enumerate(sorted(pages)[::EVERY]):
            scheme = SCHEMES[number % 2]
            shown[scheme].goto(f"{address}/{path.parent.relative_to(site).as_posix()}/")
            has_contrast = number % COLORS_OF_EVERY < 2
            found[path.relative_to(site), scheme] = violations(shown[scheme], has_contrast)
    assert {page: faults for page, faults in found.items() if faults} == {}


@needs_chromium
def test_a_site_of_several_versions_lets_readers_choose(site: Path, tmp_path: Path, browser: Browser) -> None:
    names = ("0.3", "0.2")
    versions = [{"version": name, "title": name, "aliases": list[str]()} for name in names]
    (tmp_path / "versions.json").write_text(json.dumps(versions), encoding="utf-8")  # as mike writes it
    for name in names:
        (tmp_path / name).symlink_to(site)
    with served(tmp_path) as address:
        page = browser.new_page()
        page.goto(f"{address}/0.2/rules/")
        page.locator(".md-version__current").focus()
        page.get_by_role("link", name="0.3").click()
        page.wait_for_url("**/0.3/**")
        page.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder locally and yield the address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Print nothing."""
