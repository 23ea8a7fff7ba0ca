"""SVG pictures: drawing, text widths, color themes and rasterization."""
