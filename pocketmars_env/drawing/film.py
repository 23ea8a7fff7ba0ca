"""Writes animated GIFs, with one palette for all frames that is exact for the most frequent colors.

A picture of a game has a few dozen fill colors, and about a thousand shades at the edges of letters. If there
are more than `SIZE` colors, only the `TAKEN_EXACTLY` most frequent colors are exact, and all other colors are
approximated.
"""

import io
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.svg.pixels import Pixels, render_extra

LEAST_SECONDS, MOST_SECONDS = 0.02, 60.0
"""Limits of a frame's duration in seconds; many viewers slow down frames shorter than the lower limit."""
SIZE = 255
"""The maximum number of colors in the palette; a GIF needs one more entry to mark unchanged pixels."""
TAKEN_EXACTLY = 64
AT_ONCE = 4096
"""The maximum number of colors compared with the palette at once, to limit memory use."""


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
    """Compress frames, which could take hundreds of MB otherwise, and count the pixels of each color."""
    packed, shape, counts = list[bytes](), tuple[int, ...](), Counter[int]()
    for frame in frames:
        shape = frame.shape
        codes, pixel_counts = np.unique(codes_of(frame), return_counts=True)
        counts.update(dict(zip(codes.tolist(), pixel_counts.tolist())))
        packed.append(zlib.compress(frame.tobytes(), level=1))
    return packed, shape, counts


def palette_of(codes: NDArray[np.int64], counts: NDArray[np.int64]) -> Pixels:
    """Return a palette ``(n, 3)`` uint8 of at most `SIZE` colors.

    Args:
        codes: ``(m,)``: the codes of all colors in the frames, ascending; see `codes_of`.
        counts: ``(m,)``: the number of pixels of each color.

    """
    from PIL import Image  # in the extra `render`

    by_frequency = rgb_of(codes[np.argsort(-counts, kind="stable")])
    if len(by_frequency) <= SIZE:
        return by_frequency
    exact, others = by_frequency[:TAKEN_EXACTLY], by_frequency[TAKEN_EXACTLY:]
    most = SIZE - TAKEN_EXACTLY
    colours = Image.fromarray(others[None]).quantize(most, Image.Quantize.MAXCOVERAGE).getpalette()
    return np.concatenate([exact, np.array(colours, dtype=np.uint8).reshape(-1, 3)[:most]])


def nearest_in(palette: Pixels, codes: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return ``(m,)`` uint8: for each of the m codes, the index of the nearest color in the palette."""
    parts = [codes[start : start + AT_ONCE] for start in range(0, len(codes), AT_ONCE)]
    differences = (rgb_of(part).astype(np.int32)[:, None] - palette for part in parts)
    nearest = [(difference**2).sum(axis=2).argmin(axis=1) for difference in differences]
    return np.concatenate(nearest).astype(np.uint8)


def codes_of(frame: Pixels) -> NDArray[np.int32]:
    """Return the codes ``(...)`` int32 of RGB colors ``(..., 3)``; a code is the number 0xRRGGBB."""
    red, green, blue = (frame[..., channel].astype(np.int32) for channel in range(3))
    return (red << 16) | (green << 8) | blue


def rgb_of(codes: NDArray[np.integer]) -> Pixels:
    """Return the RGB colors, ``(n, 3)`` uint8, that the codes ``(n,)`` stand for."""
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1).astype(np.uint8)
