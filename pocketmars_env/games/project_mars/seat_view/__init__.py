"""Seat views: positions as one seat sees them, or with all cards outside the decks shown."""
