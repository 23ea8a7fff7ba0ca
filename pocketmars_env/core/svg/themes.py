"""Light and dark color themes for pictures."""

from dataclasses import dataclass

from pocketmars_env.core.settings import check_choice


@dataclass(frozen=True)
class Theme:
    """The colors of a picture, as CSS colors; games define further colors, such as those of seats.

    Attributes:
        background: the background of the picture.
        panel: the fill color of panels.
        paper: the background of cards and of empty fields.
        line: the color of borders.
        ink: the color of text.
        faint: the color of less important text.
        highlight: the color that highlights the seat to play, its decision, and cards that are being
            resolved.

    """

    background: str
    panel: str
    paper: str
    line: str
    ink: str
    faint: str
    highlight: str


THEMES = {
    "light": Theme("#e9e6df", "#fbfaf7", "#ffffff", "#b9b4a8", "#1a1a1a", "#55534e", "#b3261e"),
    "dark": Theme("#14171b", "#20252b", "#2c333b", "#4a535e", "#f2f1ec", "#b4bac2", "#ffb4a9"),
}


def theme_named(name: str) -> Theme:
    """Return the theme with the given name."""
    check_choice("theme", name, tuple(THEMES))
    return THEMES[name]
