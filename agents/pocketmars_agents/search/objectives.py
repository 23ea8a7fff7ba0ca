"""What a search aims at, and how much the points of the final result are worth."""

WIN, SCORE = 0, 1
"""Objectives: the chance to win, or as many points above the others' as possible."""
MARGIN_WORTH = 0.005
"""A point of the final margin, in games won: among lost positions the better one is preferred."""
POINT_WORTH = 0.25
"""A point of the final margin for the objective SCORE. A point weighs about as much as what it adds to the
chance to win in an even game."""
