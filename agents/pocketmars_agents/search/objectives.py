"""Objectives of a search, and the value of points in the final result."""

WIN, SCORE = 0, 1
"""Objectives: the win probability, or the lead in points."""
MARGIN_WORTH = 0.005
"""Value of a point of the final margin, in wins; it breaks ties, even between lost positions."""
POINT_WORTH = 0.25
"""Value of a point of the final margin for the objective SCORE; it is about equal to the win probability that
a point adds in an even game."""
