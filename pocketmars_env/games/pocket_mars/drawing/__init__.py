"""Draws the table as a picture (SVG), as pixels, or as text for a terminal."""

from pocketmars_env.games.pocket_mars.drawing.table import table_picture, table_pixels, table_svg
from pocketmars_env.games.pocket_mars.drawing.text import table_text

__all__ = ["table_picture", "table_pixels", "table_svg", "table_text"]
