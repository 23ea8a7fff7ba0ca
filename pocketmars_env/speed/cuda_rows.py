"""Benchmark rows of games on a GPU; there are none without a CUDA device."""

import time
from functools import partial
from typing import Any

from pocketmars_env.core.cuda.device import available_device, has_device
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.speed.timing import Play, Row

SIZES = (4096, 65536, 262144)
STEPS_BEFORE, STEPS_PER_LAUNCH = 200, 32


def cuda_rows(spec: GameSpec) -> list[Row]:
    """The rows of a game: random play in one launch, and step by step with observations and masks."""
    if not has_device():
        return []
    kinds = {"play": play_launches, "uint8": play_steps}
    return [
        Row(f"cuda/{kind}/{name}/{size}", partial(play, spec, config, size), clock=time.perf_counter)
        for kind, play in kinds.items()
        for name, config in (spec.measured or {"default": spec.config()}).items()
        for size in SIZES
    ]


def games_of(spec: GameSpec, config: Any, size: int) -> Any:
    """Games on the device that are at different stages."""
    games = spec.games(size, seed=0, observation_dtype="uint8", **config.as_dict()).to_device()
    games.play(STEPS_BEFORE)
    return games


def play_launches(spec: GameSpec, config: Any, size: int) -> Play:
    """Rules only: 32 random actions of each game in one launch."""
    games, cuda = games_of(spec, config, size), available_device()
    while True:
        games.play(STEPS_PER_LAUNCH)
        cuda.synchronize()
        yield STEPS_PER_LAUNCH * size


def play_steps(spec: GameSpec, config: Any, size: int) -> Play:
    """Observations in uint8, masks, random actions, steps, and new games after each end."""
    games, cuda = games_of(spec, config, size), available_device()
    while True:
        games.reset(games.over)
        games.observations()
        games.masks()
        games.step(games.random_actions())
        cuda.synchronize()
        yield size
