"""Positions from random games, their pictures, and the layout of pictures."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from pocketmars_env import Game
from pocketmars_env.core.game import Game as AnyGame
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.svg.canvas import Picture
from pocketmars_env.core.svg.themes import theme_named
from tests.modes import MODES

SVG = "{http://www.w3.org/2000/svg}"
TOLERANCE = 0.2
"""Tolerance in pixels: coordinates are written with one decimal."""
ASCENT, DESCENT = 0.76, 0.24
"""Height of "b" above the baseline and depth of the deepest characters below it, in units of the font size;
only | and ` reach higher."""


def positions(mode: str, games: int = 1, every: int = 1, seed: int = 0) -> Iterator[Game]:
    """Yield every `every`-th position and the final position of random games in a mode."""
    rng = np.random.default_rng(seed)
    for number in range(games):
        game, moves = Game(**MODES[mode], seed=seed + number), 0
        while not game.over:
            if moves % every == 0:
                yield game
            game.step(int(rng.choice(game.legal)))
            moves += 1
        yield game


def viewpoints(game: Game) -> list[int | None]:
    return [None, *range(game.seats)]


# --- pictures -------------------------------------------------------------------------------------


def picture_of(game: AnyGame, viewpoint: int | None = None, theme: str = "light") -> Picture:
    """Draw a position as seen from a viewpoint."""
    return presentation_of(game.spec).picture(seat_view_of(game, viewpoint), theme_named(theme))


@dataclass(frozen=True)
class Area:
    """A rectangle in a picture; `text` is not empty if the rectangle is the box of a text."""

    left: float
    top: float
    right: float
    bottom: float
    text: str = ""

    def overlaps(self, other: "Area") -> bool:
        return (
            min(self.right, other.right) - max(self.left, other.left) > TOLERANCE
            and min(self.bottom, other.bottom) - max(self.top, other.top) > TOLERANCE
        )

    def holds(self, other: "Area") -> bool:
        return (
            other.left >= self.left - TOLERANCE
            and other.right <= self.right + TOLERANCE
            and other.top >= self.top - TOLERANCE
            and other.bottom <= self.bottom + TOLERANCE
        )


def number(element: ET.Element, name: str) -> float:
    return float(element.attrib[name])


def area_of_rect(element: ET.Element) -> Area:
    x, y = number(element, "x"), number(element, "y")
    return Area(x, y, x + number(element, "width"), y + number(element, "height"))


def area_of_text(element: ET.Element) -> Area:
    """Return the box of a text, from its position, width and font size."""
    x, y, size = number(element, "x"), number(element, "y"), number(element, "font-size")
    width = number(element, "textLength")
    left = x - {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
    return Area(left, y - ASCENT * size, left + width, y + DESCENT * size, element.text or "")


def parsed(svg: str) -> ET.Element:
    """Parse a picture and make coordinates that are relative to a panel relative to the picture."""
    root = ET.fromstring(svg)
    for panel in root.findall(f"{SVG}g"):
        by = re.fullmatch(r"translate\((\d+) (\d+)\)", panel.attrib.pop("transform"))
        assert by is not None, "panels lie on whole pixels"
        for element in panel.iter():
            for name, offset in zip(("x", "y"), by.groups(), strict=True):
                if name in element.attrib:
                    element.set(name, str(float(element.attrib[name]) + float(offset)))
    return root


def outer_panels(svg: str) -> list[ET.Element]:
    """Return the outer panels: heading, status, five Buildings, supply, seats, and cards in focus."""
    return parsed(svg).findall(f"{SVG}g")


def texts(panel: ET.Element) -> list[str]:
    """The texts of a panel, in the order of drawing."""
    return [element.text or "" for element in panel.iter(f"{SVG}text")]


def check_layout(svg: str) -> int:
    """Check that texts and panels do not overlap others of their kind or leave their parent panel.

    Lines must not cross texts either.

    Returns:
        The number of texts.

    """
    root = parsed(svg)
    background = root.find(f"{SVG}rect")
    assert background is not None
    check_panel(root, area_of_rect(background))
    areas = [area_of_text(element) for element in root.iter(f"{SVG}text")]
    rules = [area_of_rect(rect) for rect in root.iter(f"{SVG}rect") if number(rect, "height") <= 1]
    for first, second in combinations(areas, 2):
        assert not first.overlaps(second), f"{first} overlaps {second}"
    for rule, area in product(rules, areas):
        assert not rule.overlaps(area), f"a line runs through {area}"
    return len(areas)


def check_panel(panel: ET.Element, area: Area) -> None:
    """Check that the contents of a panel lie within `area` and that its child panels do not overlap."""
    children = []
    for element in panel:
        if element.tag == f"{SVG}text":
            found = area_of_text(element)
            assert area.holds(found), f"{found} leaves {area}"
        elif element.tag == f"{SVG}rect":
            assert area.holds(area_of_rect(element)), f"{element.attrib} leaves {area}"
        elif element.tag == f"{SVG}g":
            outline = element.find(f"{SVG}rect")
            assert outline is not None
            child = area_of_rect(outline)
            check_panel(element, child)
            assert area.holds(child), f"{child} leaves {area}"
            children.append(child)
    for first, second in combinations(children, 2):
        assert not first.overlaps(second), f"{first} overlaps {second}"
