"""Recorded games as a d3rlpy dataset.

    pocketmars record greedy --games 1000 --observation-dtype uint8 --out datasets
    >>> from training.baselines.d3rlpy_dataset import d3rlpy_dataset
    >>> dataset = d3rlpy_dataset("datasets/pocketmars/2-players-greedy-v0")

d3rlpy does not support action masks, so its algorithms cannot tell illegal actions from legal ones. When a
policy plays, mask its outputs, as `baselines/offline.py` does.
"""

import warnings
from pathlib import Path

import minari
import numpy as np
from d3rlpy.constants import ActionSpace
from d3rlpy.dataset import Episode, InfiniteBuffer, ReplayBuffer


class DroppedMasks(UserWarning):
    """Warning that a dataset's action masks are dropped, because d3rlpy does not support them."""


def d3rlpy_dataset(folder: Path | str) -> ReplayBuffer:
    """Convert a Minari dataset written by ``pocketmars record`` to a d3rlpy dataset.

    Observations keep their dtype; the observation after the last decision is dropped. For an episode of T
    decisions, the actions are ``(T, 1)`` int64, and the rewards are ``(T, 1)`` float32.

    Warns:
        DroppedMasks: on every call.

    """
    warnings.warn(
        "d3rlpy does not support action masks: mask illegal actions when the policy plays",
        DroppedMasks,
        stacklevel=2,
    )
    recorded = minari.MinariDataset(Path(folder) / "data")
    episodes = [
        Episode(
            observations=np.asarray(episode.observations)[:-1],
            actions=np.asarray(episode.actions, dtype=np.int64)[:, None],
            rewards=np.asarray(episode.rewards, dtype=np.float32)[:, None],
            terminated=True,  # even for games that end at the round limit, because their rewards are final
        )
        for episode in recorded.iterate_episodes()
    ]
    return ReplayBuffer(
        InfiniteBuffer(),
        episodes=episodes,
        action_space=ActionSpace.DISCRETE,
        action_size=int(recorded.action_space.n),
    )
