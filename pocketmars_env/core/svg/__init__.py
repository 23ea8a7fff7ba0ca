"""SVG pictures: drawing, text widths, colour themes and rasterization."""
