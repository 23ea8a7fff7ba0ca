"""Seat views, which contain only what one seat may see; pictures, logs and pages are made from seat views."""
