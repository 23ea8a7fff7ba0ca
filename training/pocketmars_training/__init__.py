"""Scripts that train agents with PyTorch, Stable-Baselines3, RLlib and other libraries."""

from pocketmars_training.common.training_spec import add_training
from pocketmars_training.games import BUILT_IN

for _training in BUILT_IN:
    add_training(_training)
