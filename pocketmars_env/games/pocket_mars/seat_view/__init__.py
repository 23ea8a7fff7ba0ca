"""Seat view: the part of a position that one seat may see; pictures, logs and pages are made from it."""
