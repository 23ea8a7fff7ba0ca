"""Baselines: common algorithms on three tasks, with several seeds each.

Each algorithm is one script that reads from top to bottom. Every run writes a small JSON file. For example:

    python -m pocketmars_training.baselines run maskable_ppo solo 1 2 3
"""
