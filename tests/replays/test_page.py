"""The page of a replay is complete, loads nothing from outside and contains no hidden cards."""

import base64
import html
import json
import re
import zlib
from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER
from pocketmars_env.replays import Replay, ReplayError
from pocketmars_env.replays.moves import moves_of
from pocketmars_env.replays.page import VARIABLES, replay_page
from tests.drawing.positions import picture_of
from tests.fixed_play import play_on
from tests.modes import MODES

TWO = Replay.of(play_on(Game(seed=8), 8, 90), ["Ada", "<b>&"], "a title with </script>")


def data_of(page: str) -> Any:
    """Return the data that the page's script unpacks."""
    (packed,) = re.findall(r'<script id="data" type="text/plain">([^<]*)</script>', page)
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def pictures(data: Any, view: int = 0) -> list[str]:
    """Return the SVG elements of every picture of a view."""
    return [
        "".join(data["panels"][number] for number in frame[2:]) for frame in data["views"][view]["frames"]
    ]


def in_colours(elements: str, theme: str) -> str:
    for name, colour in vars(THEMES[theme]).items():
        elements = elements.replace(getattr(VARIABLES, name), colour)
    return elements


@pytest.mark.parametrize("mode", MODES)
def test_a_page_shows_every_position_and_move_of_every_view(mode: str) -> None:
    replay = Replay.of(play_on(Game(**MODES[mode], seed=2), 2, 40))
    data = data_of(replay_page(replay))
    for view, viewpoint in enumerate([None, *range(replay.config.seats)]):
        shown = pictures(data, view)
        assert len(shown) == len(replay.actions) + 1
        assert [words for _, _, words in data["views"][view]["moves"]] == [
            "\n".join([move.words, *move.notes]) for move in moves_of(replay, viewpoint)
        ]
        expected = picture_of(replay.final(), viewpoint, "dark").svg()
        assert in_colours(shown[-1], "dark") in expected


@pytest.mark.slow
def test_the_page_of_a_long_game_is_small() -> None:
    longest = Replay.of(play_on(Game(players=4, seed=1), 1))
    assert len(longest.actions) > 300
    assert len(replay_page(longest)) < 1_000_000


def test_a_page_needs_nothing_from_outside() -> None:
    for page in (replay_page(TWO), replay_page(TWO, 1)):
        assert not re.search(r"https?:|//[a-z]|@import|url\(|\bsrc=|\bhref=", page.split('id="data"')[0])
        assert "default-src 'none'" in page
        assert not re.search("https?:", json.dumps(data_of(page)))


def test_texts_of_others_are_no_part_of_the_page() -> None:
    page = replay_page(TWO)
    assert html.escape(TWO.title) in page
    assert TWO.title not in page
    assert data_of(page)["title"] == TWO.title
    assert page.count("</script>") == 2


@pytest.mark.parametrize("viewpoint", [0, 1])
def test_the_page_of_a_seat_holds_no_card_that_the_seat_does_not_know(viewpoint: int) -> None:
    data = data_of(replay_page(TWO, viewpoint))
    assert set(data) == {"title", "seats", "width", "views", "panels"}
    assert [view["name"] for view in data["views"]] == [f"as player_{viewpoint} sees it"]
    assert len(data["panels"]) == len(
        {number for frame in data["views"][0]["frames"] for number in frame[2:]}
    )
    for game, picture in zip(TWO.games(), pictures(data), strict=True):
        known = game.snapshot()["seats"][viewpoint]["knows"]
        named = {number for name, number in CARD_NUMBER.items() if f">{name}<" in picture}
        assert named <= set(known)
        assert in_colours(picture, "light") in picture_of(game, viewpoint).svg()


def test_an_open_page_of_a_seat_holds_both_views() -> None:
    views = data_of(replay_page(TWO, 1, is_open=True))["views"]
    assert [view["name"] for view in views] == ["as player_1 sees it", "all cards"]
    assert [view["name"] for view in data_of(replay_page(TWO))["views"]] == [
        "all cards", "as player_0 sees it", "as player_1 sees it",
    ]  # fmt: skip


@pytest.mark.parametrize("viewpoint", [-1, 2, True])
def test_a_seat_that_is_not_there_is_refused(viewpoint: int) -> None:
    with pytest.raises(ReplayError, match="seat"):
        replay_page(TWO, viewpoint)
