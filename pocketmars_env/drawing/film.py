"""Animated GIFs."""

import io
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.svg.extra import render_extra
from pocketmars_env.drawing.shared_palette import Frame, SharedPalette

if TYPE_CHECKING:
    from PIL import Image

LEAST_SECONDS, MOST_SECONDS = 0.02, 60.0
"""Limits of a frame's duration; viewers slow down shorter frames."""


def write_gif(
    path: str | os.PathLike[str],
    frames: Iterable[Frame],
    seconds_per_frame: float | Sequence[float] = 1.0,
) -> None:
    """Write frames as an animated GIF that repeats forever. The file is written atomically.

    All frames share one palette, and each stores only the changes from the previous one. Frames
    are consumed one at a time and kept compressed.

    Args:
        path: the file, which is replaced if it exists.
        frames: at least one, each ``(H, W, 3)`` uint8, RGB, such as from `table_pixels`; all of one size.
        seconds_per_frame: the duration of frames, 0.02 .. 60: one number, or a list with one for each.

    Raises:
        ModuleNotFoundError: if the extra ``render`` is not installed; tells how to install it.
        OSError: if the file cannot be written; an existing file is unchanged.
        ValueError: if frames or durations are invalid; names the accepted values.

    """
    with render_extra():  # fails before a long game is drawn
        import PIL.Image  # noqa: F401
    film = Film(frames)
    milliseconds = [round(1000 * time) for time in check_times(seconds_per_frame, film.size)]
    first, *others = film.images()
    content = io.BytesIO()
    first.save(
        content,
        format="GIF",
        save_all=True,
        append_images=others,
        duration=milliseconds if others else milliseconds[0],
        loop=0,
    )
    write_whole(Path(path), content.getvalue())


class Film:
    """Compressed frames: those of a whole game would take hundreds of MB.

    Raises:
        ValueError: if there is no frame, or one is invalid or differs in size from the first.

    """

    def __init__(self, frames: Iterable[Frame]) -> None:
        self.palette = SharedPalette()
        self.shape: tuple[int, ...] = ()
        self._frames: list[bytes] = []
        for number, frame in enumerate(frames):
            check_frame(frame, number)
            self.shape = self.shape or frame.shape
            if frame.shape != self.shape:
                raise ValueError(
                    f"all frames must have the shape {self.shape}, number {number}: {frame.shape}"
                )
            self.palette.count(frame)
            self._frames.append(zlib.compress(frame.tobytes(), level=1))
        if not self._frames:
            raise ValueError("frames must hold at least one frame, got none")
        self.palette.choose()

    @property
    def size(self) -> int:
        """The number of frames."""
        return len(self._frames)

    def images(self) -> "Iterator[Image.Image]":
        """The frames with the colours of the palette."""
        from PIL import Image

        for packed in self._frames:
            frame = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(self.shape)
            image = Image.fromarray(self.palette.indices(frame))
            image.putpalette(self.palette.colours.tobytes())
            yield image


def check_frame(frame: object, number: int) -> None:
    if not isinstance(frame, np.ndarray):
        found = repr(frame)
    elif frame.dtype == np.uint8 and frame.ndim == 3 and frame.shape[2] == 3 and frame.size:
        return
    else:
        found = f"{frame.dtype} of shape {frame.shape}"
    raise ValueError(f"a frame must be uint8 of shape (H, W, 3), number {number} is {found}")


def check_times(seconds: float | Sequence[float], count: int) -> list[float]:
    """The duration of each of `count` frames in seconds."""
    times = list(seconds) if isinstance(seconds, Sequence) else [seconds] * count
    if len(times) != count:
        raise ValueError(f"seconds_per_frame must be one number or {count}, one a frame; got {len(times)}")
    if not all(LEAST_SECONDS <= time <= MOST_SECONDS for time in times):
        raise ValueError(f"seconds_per_frame must be in {LEAST_SECONDS}..{MOST_SECONDS:g}, got {seconds!r}")
    return times
