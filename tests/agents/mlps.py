"""Networks with random weights."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.network.mlp import Activations, Mlp, blank_mlp, compact, evaluate_all, new_activations
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC


def random_mlp(
    layers: int, width: int, flags: int = 5, opponent_win_split: int = 0, spec: GameSpec = SPEC
) -> Mlp:
    rng = np.random.default_rng(layers * 1000 + width)
    blank = blank_mlp(spec, layers, width, flags, opponent_win_split)._asdict()
    weights = {
        name: rng.normal(scale=0.3, size=array.shape).astype(np.float32) for name, array in blank.items()
    }
    columns = rng.integers(0, spec.observation_size, size=flags)
    return Mlp(**weights | {"columns": columns, "cuts": rng.random(flags, dtype=np.float32)})


def outputs_of(
    mlp: Mlp, observations: NDArray[np.float32], masks: NDArray[np.int8], room: Activations | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the compiled network's logits (-7 for illegal actions) and values."""
    logits, values = np.full(masks.shape, -7, np.float32), np.full(len(masks), -7, np.float32)
    room = new_activations(mlp, SPEC.max_seats) if room is None else room
    evaluate_all(observations, masks, compact(mlp), room, logits, values)
    return logits, values
