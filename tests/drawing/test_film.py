"""A GIF is small, shows each frame for its duration, and is written completely or not at all."""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pocketmars_env.core.svg.pixels import picture_pixels
from pocketmars_env.drawing.film import write_gif
from tests.drawing.positions import picture_of, positions

Frame = NDArray[np.uint8]
Image = pytest.importorskip("PIL.Image")
NEAR = 16
"""The maximum accepted difference of a colour value (0..255)."""


def blank(shade: int, shape: tuple[int, ...] = (4, 6, 3), dtype: Any = np.uint8) -> Frame:
    return np.full(shape, shade, dtype=dtype)


def read(path: Path) -> list[tuple[Frame, int]]:
    """Return the frames of a GIF with their durations in milliseconds."""
    with Image.open(path) as film:
        found = []
        for number in range(film.n_frames):
            film.seek(number)
            found.append((np.array(film.convert("RGB")), film.info["duration"]))
        return found


def test_a_film_shows_the_frames_of_a_game(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    games = islice(positions("solo_standard", every=3), 6)
    frames = [picture_pixels(picture_of(game)) for game in games]
    path = tmp_path / "game.gif"
    write_gif(path, iter(frames), 0.5)
    shown = read(path)
    assert len(shown) == len(frames)
    for (frame, milliseconds), drawn in zip(shown, frames, strict=True):
        assert milliseconds == 500
        difference = np.abs(frame.astype(int) - drawn)
        assert difference.max() <= NEAR
        assert np.mean(difference == 0) > 0.9
    assert path.stat().st_size < 40_000 * len(frames)


def test_frames_of_many_colours_are_near_the_true_ones(tmp_path: Path) -> None:
    red, green = np.meshgrid(np.linspace(0, 255, 300), np.linspace(0, 255, 200))
    frames = [np.stack([red, green, np.full_like(red, blue)], axis=2).astype(np.uint8) for blue in (0, 9)]
    write_gif(tmp_path / "ramp.gif", frames)
    for (frame, _), drawn in zip(read(tmp_path / "ramp.gif"), frames, strict=True):
        assert np.abs(frame.astype(int) - drawn).mean() < NEAR


def test_each_frame_may_have_its_own_time(tmp_path: Path) -> None:
    write_gif(tmp_path / "film.gif", [blank(0), blank(90), blank(200)], [0.2, 1, 3.5])
    shown = read(tmp_path / "film.gif")
    assert [milliseconds for _, milliseconds in shown] == [200, 1000, 3500]
    assert [int(frame[0, 0, 0]) for frame, _ in shown] == [0, 90, 200]


def test_a_film_repeats_for_ever_and_may_be_a_single_frame(tmp_path: Path) -> None:
    write_gif(tmp_path / "one.gif", [blank(7)], 2)
    write_gif(tmp_path / "two.gif", [blank(7), blank(8)], 2)
    assert len(read(tmp_path / "one.gif")) == 1
    with Image.open(tmp_path / "two.gif") as film:
        assert film.info["loop"] == 0


def test_the_same_frames_give_the_same_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frames = [rng.integers(0, 256, (20, 30, 3), dtype=np.uint8) for _ in range(3)]
    for name in ("a.gif", "b.gif"):
        write_gif(tmp_path / name, frames)
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_frames_are_taken_one_by_one(tmp_path: Path) -> None:
    def failing() -> Iterator[Frame]:
        yield blank(0)
        raise RuntimeError("the game broke off")

    with pytest.raises(RuntimeError, match="broke off"):
        write_gif(tmp_path / "film.gif", failing())
    assert not list(tmp_path.iterdir())


def test_without_the_extra_the_error_comes_before_any_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = [blank(0), blank(1)]
    drawn = iter(frames)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(ModuleNotFoundError, match=r"\.\[render\]"):
        write_gif(tmp_path / "film.gif", drawn)
    assert next(drawn) is frames[0]
