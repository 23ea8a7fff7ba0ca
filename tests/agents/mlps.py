"""Networks with random weights."""

import numpy as np

from pocketmars_agents.network.mlp import Mlp, blank_mlp
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
