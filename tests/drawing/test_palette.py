"""Texts have enough contrast, and colours can be told apart."""

from itertools import combinations

import pytest

from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.games.pocket_mars.drawing.palette import ON_COLOUR, SEAT_COLOURS, SUIT_COLOURS
from pocketmars_env.games.pocket_mars.drawing.symbols import SEAT_SHAPES, SUIT_SYMBOLS
from pocketmars_env.games.pocket_mars.rules.constants import Building


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Contrast ratio (WCAG 2.2), 1..21; text needs at least 4.5."""
    dark, light = sorted([luminance(first), luminance(second)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_texts_stand_out(name: str) -> None:
    theme = THEMES[name]
    for ink in (theme.ink, theme.faint, theme.highlight):
        for ground in (theme.background, theme.panel, theme.paper):
            assert contrast(ink, ground) >= 4.5, (ink, ground)


def test_inks_on_suits_and_colonists_stand_out() -> None:
    for colour in SUIT_COLOURS.values():
        assert contrast(ON_COLOUR, colour) >= 5.5
    for seat in SEAT_COLOURS:
        assert contrast(seat.ink, seat.fill) >= 4.5


# Simulation of protanopia and deuteranopia in linear RGB: Viénot, Brettel and Mollon (1999).
PROTAN = ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1))
DEUTAN = ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1))


def seen_as(colour: str, matrix: tuple[tuple[float, ...], ...]) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    mixed = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in matrix]
    return [max(0.0, value) ** (1 / 2.4) for value in mixed]


@pytest.mark.parametrize("matrix", [PROTAN, DEUTAN])
@pytest.mark.parametrize("colours", [[*SUIT_COLOURS.values()], [seat.fill for seat in SEAT_COLOURS]])
def test_colours_differ_for_the_colour_blind(
    matrix: tuple[tuple[float, ...], ...], colours: list[str]
) -> None:
    for first, second in combinations(colours, 2):
        pairs = zip(seen_as(first, matrix), seen_as(second, matrix), strict=True)
        assert sum((a - b) ** 2 for a, b in pairs) ** 0.5 > 0.12, (first, second)


def test_colour_is_never_the_only_sign() -> None:
    assert set(SUIT_SYMBOLS) == set(SUIT_COLOURS) == set(Building)
    assert len(set(SUIT_SYMBOLS.values())) == len(Building)
    assert len(set(SEAT_SHAPES)) == len(SEAT_COLOURS) == 4
