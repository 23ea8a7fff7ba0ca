"""Baselines: common algorithms on three tasks, usually with several seeds per algorithm and task.

Each algorithm is one short script. Every run writes its results to a small JSON file. For example, this
command trains MaskablePPO on the task `solo` with three seeds:

    python -m training.baselines run maskable_ppo solo 1 2 3
"""
