"""SVG drawing for all games: panels, rectangles, symbols, and text of known width."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pocketmars_env.core.svg.font import FONT_FAMILY, lines_of, width_of
from pocketmars_env.core.svg.markup import element
from pocketmars_env.core.svg.themes import Theme

Anchor = Literal["start", "middle", "end"]
Rename = Callable[[str], str]
"""A function that replaces the names of seats in a text with the names of players."""

SYMBOL_SIZE = 24
"""Side length of the square that contains the path of a symbol, in the units of the path."""

LINE_HEIGHT = 1.2
"""Line height in units of the font size."""

WIDTH = 1000
"""Width of a game's picture in pixels."""


class Box(NamedTuple):
    """A rectangle in a picture, in pixels; (`x`, `y`) is its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The x coordinate of the center."""
        return self.x + self.width / 2

    def inset(self, margin: float) -> "Box":
        """Return the box, made smaller by `margin` pixels on each side."""
        return Box(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def columns(self, count: int, gap: float) -> list["Box"]:
        """Divide the box into `count` columns of equal whole-pixel width, with gaps of about `gap` pixels."""
        width = int((self.width - (count - 1) * gap) / count)
        step = (self.width - width) / max(1, count - 1)
        return [Box(round(self.x + i * step), self.y, width, self.height) for i in range(count)]


def number(value: float) -> str:
    """Format a coordinate or length, rounded to one decimal; the decimal is left out if it is 0."""
    return f"{value:.1f}".removesuffix(".0")


def moved_to(box: Box) -> str:
    """Return a space and the SVG attribute that moves a group to the upper left corner of `box`."""
    return f' transform="translate({number(box.x)} {number(box.y)})"'


class Line(NamedTuple):
    """A line of text in a picture, with its width in pixels, and the other attributes of the SVG element."""

    text: str
    width: float
    attributes: dict[str, str]

    def svg(self, rename: Rename) -> str:
        """Return the SVG element; a line that `rename` changes has the width that the viewer gives it."""
        text, fixed = rename(self.text), {}
        if text == self.text:
            fixed = {"textLength": f"{self.width:.2f}", "lengthAdjust": "spacingAndGlyphs"}
        return element("text", text, **self.attributes, **fixed)


class Panel(NamedTuple):
    """A top-level panel of a picture: its rectangle, in whole pixels, and its SVG elements and text lines."""

    box: Box
    parts: tuple[str | Line, ...]

    def svg(self, rename: Rename = str) -> str:
        """Return the SVG elements, with names replaced by `rename` in all lines of text."""
        return "".join(part.svg(rename) if isinstance(part, Line) else part for part in self.parts)

    def at_origin(self) -> str:
        """Return the elements, moved to (0, 0) so that equal panels in different places give equal text."""
        return self.svg().replace(moved_to(self.box), moved_to(Box(0, 0, 0, 0)), 1)


@dataclass(frozen=True)
class Picture:
    """A finished picture; its top-level panels do not overlap, and its title is for screen readers."""

    width: int
    height: int
    background: str
    panels: tuple[Panel, ...]
    title: str

    def svg(self) -> str:
        """Return the picture as an SVG document."""
        elements = "".join(panel.svg() for panel in self.panels)
        return document(Box(0, 0, self.width, self.height), self.background, elements, self.title)


def document(area: Box, background: str, elements: str, title: str = "") -> str:
    """Return an SVG document that shows the rectangle `area` of a drawing."""
    x, y, width, height = (number(value) for value in area)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="{x} {y} {width} {height}" role="img"'
        f" font-family=\"'{FONT_FAMILY}', 'DejaVu Sans', Verdana, sans-serif\">"
        f'{element("title", title)}<rect x="{x}" y="{y}" width="{width}" height="{height}"'
        f' fill="{background}"/>{elements}</svg>'
    )


class Canvas:
    """A drawing surface that collects the elements of a picture."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._panels: list[Panel] = []
        self._parts: list[str | Line] = []
        self._depth = 0
        self._origin = (0.0, 0.0)
        """The upper left corner of the current top-level panel."""

    @contextmanager
    def panel(
        self,
        box: Box,
        fill: str,
        line: str = "none",
        width: float = 1,
        radius: float = 6,
        is_dashed: bool = False,
        about: str = "",
    ) -> Iterator[None]:
        """Draw a panel: a rounded rectangle and everything that is drawn in the ``with`` block.

        All drawing must happen inside a panel. `line` and `width` are the color and the width of the
        outline. Browsers show `about` as the panel's tooltip.
        """
        if self._depth == 0:
            self._origin = box.x, box.y
        self._depth += 1
        self._parts.append(f"<g{'' if self._depth > 1 else moved_to(box)}>")
        if about:
            self._parts.append(element("title", about))
        self.rectangle(box, fill, line, width, radius, is_dashed)
        yield
        self._parts.append("</g>")
        self._depth -= 1
        if self._depth == 0:
            self._panels.append(Panel(box, tuple(self._parts)))
            self._parts.clear()

    def rectangle(
        self,
        box: Box,
        fill: str,
        line: str = "none",
        width: float = 1,
        radius: float = 0,
        is_dashed: bool = False,
    ) -> None:
        """Draw a rectangle with corners of radius `radius`; `line` and `width` are as in `panel`."""
        x, y = self._from_origin(box.x, box.y)
        dashes = ' stroke-dasharray="3 3"' if is_dashed else ""
        self._parts.append(
            f'<rect x="{x}" y="{y}" width="{number(box.width)}"'
            f' height="{number(box.height)}" rx="{number(radius)}" fill="{fill}" stroke="{line}"'
            f' stroke-width="{number(width)}"{dashes}/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: str | None = None,
        anchor: Anchor = "start",
        is_bold: bool = False,
    ) -> float:
        """Draw a line of text with its baseline at `y`, and return its width; `x` is where `anchor` says.

        A viewer with another font stretches or compresses the text to the width in the SVG.
        """
        width = width_of(text, size, is_bold)
        left, base = self._from_origin(x, y)
        attributes = {"x": left, "y": base, "font-size": number(size)}
        if is_bold:
            attributes["font-weight"] = "bold"
        if anchor != "start":
            attributes["text-anchor"] = anchor
        self._parts.append(Line(text, width, {**attributes, "fill": fill or self.theme.ink}))
        return width

    def heading(self, box: Box, game: str, title: str, viewpoint: str) -> None:
        """Draw the name of a game, the title of a position, and the viewpoint in one line."""
        with self.panel(box, "none"):
            width = self.text(box.x + 2, box.y + 16, game, 17, is_bold=True)
            self.text(box.x + width + 18, box.y + 16, title, 13)
            self.text(box.right - 2, box.y + 16, viewpoint, 13, self.theme.faint, "end")

    def paragraph(
        self, x: float, y: float, text: str, size: float, most: float, fill: str | None = None
    ) -> float:
        """Draw text in one or more lines, and return the baseline of the line that would follow.

        The first line has its baseline at `y`. Lines are broken between words. A line is wider than
        `most` only if it consists of a single word that is too wide.
        """
        for line in lines_of(text, size, most):
            self.text(x, y, line, size, fill)
            y += LINE_HEIGHT * size
        return y

    def symbol(self, x: float, y: float, size: float, path: str, fill: str, line: str = "") -> None:
        """Draw a symbol, an SVG path scaled to `size` pixels, with its upper left corner at (`x`, `y`)."""
        scale = size / SYMBOL_SIZE
        stroke = f' stroke="{line}" stroke-width="{1 / scale:.2f}"' if line else ""
        left, top = self._from_origin(x, y)
        self._parts.append(
            f'<path transform="translate({left} {top}) scale({scale:.3f})" d="{path}" fill="{fill}"{stroke}/>'
        )

    def _from_origin(self, x: float, y: float) -> tuple[str, str]:
        """Return coordinates relative to the current top-level panel, formatted by `number`."""
        return number(x - self._origin[0]), number(y - self._origin[1])

    def picture(self, width: int, height: int, title: str) -> Picture:
        """Return the finished picture; `title` is the text for screen readers."""
        return Picture(width, height, self.theme.background, tuple(self._panels), title)
