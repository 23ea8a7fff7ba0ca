"""SVG pictures with boxes, symbols and text of measured width."""
