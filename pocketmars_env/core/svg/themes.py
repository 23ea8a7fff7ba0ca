"""Colours of pictures, light and dark."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """The colours of everything that is neither a suit's nor a seat's.

    Attributes:
        background: behind the panels.
        panel: of a panel.
        paper: of a card's face, and of empty fields.
        line: of borders.
        ink: of texts.
        faint: of less important texts.
        highlight: around what is asked.

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
    """A theme by its name.

    Raises:
        ValueError: names the themes that there are.

    """
    if name not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(map(repr, THEMES))}, got {name!r}")
    return THEMES[name]
