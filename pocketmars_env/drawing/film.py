"""Writes animated GIFs."""

import io
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.svg.extra import render_extra
from pocketmars_env.core.svg.pixels import Pixels
from pocketmars_env.drawing.shared_palette import codes_of, nearest_in, palette_of

LEAST_SECONDS, MOST_SECONDS = 0.02, 60.0
"""Limits of a frame's duration in seconds; many viewers slow down frames shorter than the lower limit."""


def write_gif(
    path: str | os.PathLike[str],
    frames: Iterable[Pixels],
    seconds_per_frame: float | Sequence[float] = 1.0,
) -> None:
    """Atomically write frames as an animated GIF that repeats forever.

    All frames share one palette, and every frame after the first stores only the changes from the previous
    frame. Frames are read one at a time and compressed in memory.

    Args:
        path: the file, which is replaced if it exists; missing parent folders are created.
        frames: at least one RGB frame ``(H, W, 3)`` uint8, for example from `picture_pixels`; all frames must
            have the same size.
        seconds_per_frame: the duration of each frame in seconds, from 0.02 to 60: one number for all frames,
            or a list with one number for each frame. The file stores durations in hundredths of a second.

    """
    with render_extra():  # if a library is missing, fail before drawing a long game's frames
        import PIL.Image
    packed, shape, counts = compressed(frames)
    times = (
        seconds_per_frame if isinstance(seconds_per_frame, Sequence) else [seconds_per_frame] * len(packed)
    )
    milliseconds = [round(1000 * time) for time in times]
    codes = np.array(sorted(counts))
    palette = palette_of(codes, np.array([counts[code] for code in codes.tolist()]))
    nearest = nearest_in(palette, codes)

    def image(content: bytes) -> PIL.Image.Image:
        frame = np.frombuffer(zlib.decompress(content), dtype=np.uint8).reshape(shape)
        picture = PIL.Image.fromarray(nearest[np.searchsorted(codes, codes_of(frame))])
        picture.putpalette(palette.tobytes())
        return picture

    output = io.BytesIO()
    image(packed[0]).save(
        output,
        format="GIF",
        save_all=True,
        append_images=map(image, packed[1:]),
        duration=milliseconds if len(packed) > 1 else milliseconds[0],
        loop=0,
    )
    write_whole(Path(path), output.getvalue())


def compressed(frames: Iterable[Pixels]) -> tuple[list[bytes], tuple[int, ...], Counter[int]]:
    """Compress frames, and count the pixels of each color.

    Without compression, the frames of a whole game would take hundreds of MB of memory.
    """
    packed, shape, counts = list[bytes](), tuple[int, ...](), Counter[int]()
    for frame in frames:
        shape = frame.shape
        codes, pixel_counts = np.unique(codes_of(frame), return_counts=True)
        counts.update(dict(zip(codes.tolist(), pixel_counts.tolist())))
        packed.append(zlib.compress(frame.tobytes(), level=1))
    return packed, shape, counts
