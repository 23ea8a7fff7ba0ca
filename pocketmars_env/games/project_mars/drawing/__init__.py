"""Draws the battlefield as SVG and as text."""
