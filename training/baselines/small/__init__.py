"""Algorithms for two-player zero-sum games on small games, measured by their exact NashConv.

Each algorithm is one generator in one file; `ppo.py` is the shortest and the template for another one. For
example, this command trains PPO on the small game `skirmish` with five seeds:

    python -m training.baselines.small run ppo skirmish 1 2 3 4 5
"""
