"""The page of a replay in a browser: headless Chromium, if it is installed."""

import re
import subprocess
from pathlib import Path

from pocketmars_env import Game
from pocketmars_env.replays import Replay
from pocketmars_env.replays.moves import moves_of
from pocketmars_env.replays.page import replay_page
from tests.browser import CHROMIUM, OPTIONS, needs_chromium
from tests.fixed_play import play_on

TO_DUMP = ("--headless", "--enable-logging=stderr", "--virtual-time-budget=4000", "--dump-dom")
REPLAY = Replay.of(play_on(Game(seed=3), 3, 20))

pytestmark = needs_chromium


def browsed(page: str, folder: Path, does: str = "", place: int = 0) -> tuple[str, str]:
    """Return the page's document after its scripts have run, and the messages on the browser's console.

    Args:
        page: the HTML of the page.
        folder: the folder to which the page is written.
        does: JavaScript that runs one second after the page was loaded.
        place: the number of the position in the page's address.

    """
    path = folder / "page.html"
    path.write_text(f"{page}<script>setTimeout(() => {{ {does} }}, 1000)</script>", encoding="utf-8")
    options = (*OPTIONS, *TO_DUMP, f"--user-data-dir={folder}/profile")
    command = [str(CHROMIUM), *options, f"{path.as_uri()}#{place}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def shown(document: str) -> tuple[str, str]:
    """Return the last move and the number of the position, as the page shows them."""
    (now,) = re.findall(r'<p id="now"[^>]*>([^<]*)</p>', document)
    (place,) = re.findall(r'<span id="place">(\d+) of 20</span>', document)
    return now, place


def test_a_page_shows_the_position_of_its_address(tmp_path: Path) -> None:
    document, complaints = browsed(replay_page(REPLAY), tmp_path, place=20)
    moves = [str(move) for move in moves_of(REPLAY)]
    assert (shown(document), complaints) == ((moves[-1], "20"), "")
    assert document.count('id="move-') == 20
    assert re.search(r'<li id="move-20" aria-current="step">', document)
    assert "as player_1 sees it</option>" in document
    (title,) = re.findall(r"<svg[^>]*><title>([^<]*)</title><g", document)
    assert title.startswith(f"player_{REPLAY.final().to_play}: ")


def test_buttons_keys_and_the_slider_move_the_place_and_the_list_picks_the_view(tmp_path: Path) -> None:
    press = "const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));"
    does = f"""{press}
        find("last").click(); find("back").click(); press("ArrowLeft"); press("Home");
        find("slider").value = 5; find("slider").dispatchEvent(new Event("input"));
        press("ArrowRight"); find("next").click(); find("move-9").click(); press("ArrowLeft");
        find("view").value = 2; find("view").dispatchEvent(new Event("change"));
        find("theme").click();"""
    document, complaints = browsed(replay_page(REPLAY), tmp_path, does)
    heard = [str(move) for move in moves_of(REPLAY, 1)]
    assert (shown(document), complaints) == ((heard[7], "8"), "")
    assert "as player_1 sees it</text>" in document
    assert 'data-theme="dark"' in document


def test_play_stops_at_the_end(tmp_path: Path) -> None:
    document, complaints = browsed(replay_page(REPLAY, 0), tmp_path, 'show(18); find("play").click()')
    assert (shown(document)[1], complaints) == ("20", "")
    assert re.search(r'<button id="play"[^>]*>Play</button>', document)
    assert re.search(r'<label id="view-label" hidden="">', document)
