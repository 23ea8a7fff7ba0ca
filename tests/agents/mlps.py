"""Networks with zeros or random weights."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.network.mlp import Activations, Mlp, compact, evaluate_all, new_activations
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC


def blank_mlp(
    spec: GameSpec, layers: int = 1, width: int = 1, flags: int = 0, opponent_win_split: int = 0
) -> Mlp:
    """Return a network of the given sizes for a game; all numbers in its arrays are 0."""
    return Mlp(
        columns=np.zeros(flags, dtype=np.int64),
        cuts=np.zeros(flags, dtype=np.float32),
        first=np.zeros((spec.observation_size + flags, width), dtype=np.float32),
        others=np.zeros((layers - 1, width, width), dtype=np.float32),
        biases=np.zeros((layers, width), dtype=np.float32),
        logits=np.zeros((spec.num_actions, width), dtype=np.float32),
        logit_biases=np.zeros(spec.num_actions, dtype=np.float32),
        value=np.zeros(width, dtype=np.float32),
        value_bias=np.zeros(1, dtype=np.float32),
        opponent_win_split=np.zeros((opponent_win_split, width), dtype=np.float32),
        opponent_win_split_biases=np.zeros(opponent_win_split, dtype=np.float32),
    )


def random_mlp(
    layers: int, width: int, flags: int = 5, opponent_win_split: int = 0, spec: GameSpec = SPEC
) -> Mlp:
    rng = np.random.default_rng(layers * 1000 + width)
    blank = blank_mlp(spec, layers, width, flags, opponent_win_split)._asdict()
    weights = {
        name: rng.normal(scale=0.3, size=array.shape).astype(np.float32) for name, array in blank.items()
    }
    columns = np.sort(rng.integers(0, spec.observation_size, size=flags))
    return Mlp(**weights | {"columns": columns, "cuts": rng.random(flags, dtype=np.float32)})


def outputs_of(
    mlp: Mlp, observations: NDArray[np.float32], masks: NDArray[np.int8], room: Activations | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the compiled network's logits (-7 for illegal actions) and values."""
    logits, values = np.full(masks.shape, -7, np.float32), np.full(len(masks), -7, np.float32)
    room = new_activations(mlp, SPEC.max_seats) if room is None else room
    evaluate_all(observations, masks, compact(mlp), room, logits, values)
    return logits, values
