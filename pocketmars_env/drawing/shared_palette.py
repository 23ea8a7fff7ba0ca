"""One palette for all frames of an animation, exact for the most frequent colors.

A picture of a game has a few dozen fill colors, and about a thousand shades at the edges of letters. If there
are more than `SIZE` colors, only the `TAKEN_EXACTLY` most frequent colors are exact, and all other colors are
approximated.
"""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.svg.pixels import Pixels

SIZE = 255
"""The maximum number of colors in the palette; a GIF needs one more entry to mark unchanged pixels."""
TAKEN_EXACTLY = 64
AT_ONCE = 4096
"""The maximum number of colors compared with the palette at once, to limit memory use."""


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
