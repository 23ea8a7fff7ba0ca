"""Records games of bots as data sets: for offline reinforcement learning, and for analysis."""
