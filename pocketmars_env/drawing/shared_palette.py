"""One palette for all frames of an animation, exact for the most frequent colours.

A picture of the table has a few dozen flat colours, and a thousand shades at the edges of letters.
The palette contains the most frequent colours, and approximates the rest.
"""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.svg.extra import render_extra

Frame = NDArray[np.uint8]

ALL_COLOURS = 1 << 24
SIZE = 255
"""Colours of the palette; the 256th of a GIF marks unchanged pixels."""
TAKEN_EXACTLY = 64
AT_ONCE = 4096
"""The number of colours compared with the palette at once, to limit memory."""


class SharedPalette:
    """Counts the colours of frames, chooses a palette of at most `SIZE` colours, and maps frames to it."""

    def __init__(self) -> None:
        self._counts = np.zeros(ALL_COLOURS, dtype=np.int64)
        self.colours = np.empty((0, 3), dtype=np.uint8)
        self._nearest = np.empty(0, dtype=np.uint8)

    def count(self, frame: Frame) -> None:
        """Count the colours of a frame ``(H, W, 3)``."""
        codes, counts = np.unique(codes_of(frame), return_counts=True)
        self._counts[codes] += counts

    def choose(self) -> None:
        """Choose the palette; `colours` is ``(n, 3)`` uint8, n at most `SIZE`."""
        found = np.flatnonzero(self._counts)
        by_frequency = rgb_of(found[np.argsort(-self._counts[found], kind="stable")])
        exact, others = by_frequency[:TAKEN_EXACTLY], by_frequency[TAKEN_EXACTLY:]
        self.colours = np.concatenate([exact, representatives(others, SIZE - len(exact))])
        self._nearest = np.zeros(ALL_COLOURS, dtype=np.uint8)
        for start in range(0, len(found), AT_ONCE):
            codes = found[start : start + AT_ONCE]
            differences = rgb_of(codes).astype(np.int32)[:, None] - self.colours
            self._nearest[codes] = (differences**2).sum(axis=2).argmin(axis=1)

    def indices(self, frame: Frame) -> NDArray[np.uint8]:
        """A counted frame as ``(H, W)`` indices of the nearest colours in the palette."""
        return self._nearest[codes_of(frame)]


def codes_of(frame: Frame) -> NDArray[np.int32]:
    """Colours ``(..., 3)`` as integers below `ALL_COLOURS`."""
    red, green, blue = (frame[..., channel].astype(np.int32) for channel in range(3))
    return (red << 16) | (green << 8) | blue


def rgb_of(codes: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Integers ``(n,)`` as colours ``(n, 3)``."""
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1).astype(np.uint8)


def representatives(colours: NDArray[np.uint8], most: int) -> NDArray[np.uint8]:
    """At most `most` colours ``(n, 3)``, chosen so that every given colour is near one of them."""
    if len(colours) <= most:
        return colours
    with render_extra():
        from PIL import Image
    chosen = Image.fromarray(colours[None]).quantize(most, Image.Quantize.MAXCOVERAGE)
    return np.array(chosen.getpalette(), dtype=np.uint8).reshape(-1, 3)[:most]
