"""Seat views: positions as seen from a viewpoint. Pictures and texts are made from seat views."""
