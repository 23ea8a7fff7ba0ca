"""Objectives of a search, and the value of a point."""

WIN, SCORE = 0, 1
"""Objectives: the win probability, or the lead over the mean score of all seats."""
MARGIN_WORTH = 0.005
"""Value of a point of the final margin, in wins; it breaks ties, for example between two losses."""
POINT_WORTH = 0.25
"""Value of a point above the mean score for the objective SCORE, about equal to the win probability that a
point adds in an even game."""
