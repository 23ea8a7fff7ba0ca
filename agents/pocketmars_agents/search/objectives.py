"""Search objectives, and the value of a point for each objective."""

WIN, SCORE = 0, 1
"""Objectives: WIN maximizes the win probability, and SCORE the lead over the mean score of all seats."""
MARGIN_WORTH = 0.005
"""Value of one point of the final margin, as a fraction of a win.

The margin breaks ties between equal results: for example, it makes a narrow loss better than a clear one.
"""
POINT_WORTH = 0.25
"""For the objective SCORE, the value of one point above the mean score: approximately the win probability
that one point adds in an even game."""
