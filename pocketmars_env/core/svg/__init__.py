"""SVG pictures: boxes, texts of measured width, symbols."""
