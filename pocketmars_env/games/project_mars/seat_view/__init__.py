"""Seat views: a position as one seat sees it, or with every card except those in the decks visible."""
