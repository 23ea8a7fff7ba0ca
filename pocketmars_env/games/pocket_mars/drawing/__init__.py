"""Draws the table as a picture or as text for a terminal."""
