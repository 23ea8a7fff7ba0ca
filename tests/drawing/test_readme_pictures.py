"""The README's pictures are up to date; `DRAW_ANEW` names the command that redraws them."""

from pathlib import Path

import numpy as np
import pytest

from tests.drawing.page_pictures import PICTURES
from tests.drawing.ppo_curve import PICTURE
from tests.drawing.readme_pictures import FILM, FOLDER, film_frames, svg_files

README = Path(__file__).parents[2] / "README.md"
GALLERY = Path(__file__).parents[2] / "docs" / "gallery.md"
DRAW_ANEW = "run python -m tests.drawing.readme_pictures"
MOST_BYTES = 1_500_000
NEAR = 16
"""The maximum accepted difference of a colour value (0..255) in the GIF."""


def test_the_still_pictures_are_current() -> None:
    for path, svg in svg_files().items():
        assert path.read_text(encoding="utf-8") == svg, DRAW_ANEW


@pytest.mark.slow
def test_the_film_is_current_and_small() -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    assert FILM.stat().st_size <= MOST_BYTES
    with image.open(FILM) as film:
        number = -1
        for number, frame in enumerate(film_frames()):
            assert number < film.n_frames, DRAW_ANEW
            film.seek(number)
            shown = np.asarray(film.convert("RGB")).astype(int)
            assert shown.shape == frame.shape, DRAW_ANEW
            assert np.abs(shown - frame).max() <= NEAR, DRAW_ANEW
        assert number + 1 == film.n_frames, DRAW_ANEW


def test_readme_and_gallery_show_them_all_and_nothing_else_is_kept() -> None:
    text = README.read_text(encoding="utf-8") + GALLERY.read_text(encoding="utf-8")
    for path in FOLDER.iterdir():
        assert f"images/{path.name}" in text
    assert {*svg_files(), *PICTURES.values(), FILM, PICTURE} == set(FOLDER.iterdir())
