"""Seat views: what is visible from a viewpoint. Pictures, logs and pages are made from seat views."""
