"""Trainings of agents, with Stable-Baselines3 and RLlib."""

from pocketmars_training.games import BUILT_IN
from pocketmars_training.run.training_spec import add_training

for training in BUILT_IN:
    add_training(training)
