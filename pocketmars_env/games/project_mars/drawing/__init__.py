"""Drawings of a position, as SVG pictures and as text."""
