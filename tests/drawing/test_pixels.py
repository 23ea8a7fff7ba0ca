"""Pixels agree with the SVG picture and do not depend on hidden cards."""

import sys
from itertools import islice

import numpy as np
import pytest

from pocketmars_env import Game
from pocketmars_env.core.svg.pixels import PANELS_KEPT, panel_pixels, picture_pixels
from tests.drawing.positions import picture_of, positions
from tests.modes import MODES

pytest.importorskip("resvg_py")
pytest.importorskip("PIL")


@pytest.mark.parametrize("mode", ["two", "four", "solo_cyborg"])
def test_panel_by_panel_gives_the_pixels_of_the_whole_picture(mode: str) -> None:
    for game in islice(positions(mode, every=40), 2):
        for theme in ("light", "dark"):
            picture = picture_of(game, 0, theme)
            pixels, whole = picture_pixels(picture), panel_pixels(picture.svg())
            difference = np.abs(pixels.astype(int) - whole)
            assert difference.max() <= 24, "a shade in rounded corners"
            assert np.count_nonzero(difference.max(axis=2)) < 500


def test_pixels_have_the_form_of_a_frame() -> None:
    game = Game(**MODES["three"], seed=1)
    pixels = picture_pixels(picture_of(game))
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (1000, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50, "a picture, not a blank"
    pixels[:] = 0  # the array belongs to the caller
    assert picture_pixels(picture_of(game)).any()


def test_pixels_of_hidden_cards_are_the_same() -> None:
    rng = np.random.default_rng(0)
    game = Game(players=2, seed=4)
    worlds = [game.view(1).sample(rng) for _ in range(3)]
    pictures = [picture_pixels(picture_of(world, 1)) for world in (game, *worlds)]
    assert all(np.array_equal(pictures[0], other) for other in pictures[1:])
    assert not np.array_equal(pictures[0], picture_pixels(picture_of(game, 0)))


def test_texts_are_drawn_with_the_bundled_font() -> None:
    without = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"></svg>'
    text = '<text x="5" y="20" fill="white" font-family="Whatever, sans-serif">Pocket ★</text>'
    drawn = panel_pixels(without.replace("></svg>", f">{text}</svg>"))
    assert (drawn != panel_pixels(without)).any()


def test_panels_that_stay_are_kept() -> None:
    panel_pixels.cache_clear()
    game = Game(players=2, seed=1)
    picture_pixels(picture_of(game, 0))
    first = panel_pixels.cache_info().misses
    game.step(game.legal[0])
    picture_pixels(picture_of(game, 0))
    assert panel_pixels.cache_info().misses - first < first / 2
    assert first < PANELS_KEPT


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    panel_pixels.cache_clear()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ModuleNotFoundError, match=r"\.\[render\]"):
        picture_pixels(picture_of(Game(seed=1)))
