"""Project Mars for bots: the evaluation of positions, and what the commands need to know."""
