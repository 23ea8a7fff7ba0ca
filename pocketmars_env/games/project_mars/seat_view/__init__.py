"""Seat views: positions as seen from a viewpoint."""
