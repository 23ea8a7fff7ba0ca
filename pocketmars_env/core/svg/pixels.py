"""Rasterization of pictures with the bundled font, independent of the fonts installed on the machine."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.errors import how_to_install
from pocketmars_env.core.svg.canvas import Box, Picture, document
from pocketmars_env.core.svg.font import FONT_FAMILY, FONT_FILES

Pixels = NDArray[np.uint8]

BORDER = 2
"""Margin around a panel for its outline, in pixels; less than half the gap between panels."""

PANELS_KEPT = 256
"""The maximum number of cached panels; a full cache takes about 30 MB."""


def picture_pixels(picture: Picture) -> Pixels:
    """Rasterize a picture as a new array, ``(height, width, 3)`` uint8, RGB.

    Each panel is cached independently of its location, because most panels look the same in many positions of
    a game. Pixels in rounded corners can differ from those of a picture that is rasterized as a whole.
    """
    background = bytes.fromhex(picture.background.removeprefix("#"))
    image = np.tile(np.frombuffer(background, dtype=np.uint8), (picture.height, picture.width, 1))
    for panel in picture.panels:
        left, top = int(panel.box.x) - BORDER, int(panel.box.y) - BORDER
        width, height = ceil(panel.box.width) + 2 * BORDER, ceil(panel.box.height) + 2 * BORDER
        area = Box(-BORDER, -BORDER, width, height)
        pixels = panel_pixels(document(area, picture.background, panel.at_origin()))
        image[top : top + height, left : left + width] = pixels
    return image


@lru_cache(maxsize=PANELS_KEPT)
def panel_pixels(svg: str) -> Pixels:
    """Rasterize an SVG document as a read-only array, ``(height, width, 3)`` uint8, RGB."""
    with render_extra():
        import resvg_py
        from PIL import Image
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[str(path) for path in FONT_FILES],
        font_family=FONT_FAMILY,
        sans_serif_family=FONT_FAMILY,
    )
    with Image.open(io.BytesIO(png)) as image:
        pixels = np.array(image.convert("RGB"))
    pixels.flags.writeable = False
    return pixels


@contextmanager
def render_extra() -> Iterator[None]:
    """Context manager for imports from the extra ``render``, which all picture formats except SVG need."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra(error.name) from error


def missing_extra(module: str | None) -> ModuleNotFoundError:
    """Return the error for a missing module of the extra ``render``; its message says how to install it."""
    return ModuleNotFoundError(f"{module} is missing; {how_to_install('render')}", name=module)
