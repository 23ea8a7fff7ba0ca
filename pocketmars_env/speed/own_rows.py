"""Benchmark rows for the interfaces of this package, on the CPU and on a GPU."""

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import count
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from pocketmars_env.core.compiled.masks import sample_actions
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.cuda.device import available_device, has_device
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.observation_dtype import kernels_of
from pocketmars_env.envs.classes import environments_of
from pocketmars_env.speed.timing import Play, Row, new_choose, play_aec

KERNEL_SIZES = (1, 64, 1024, 4096)
KERNEL_DECISIONS = 8192
"""The number of decisions per kernel call, over all games."""
KERNEL_OBSERVATIONS = {"mask": None, "observation": "float32", "uint8": "uint8"}
"""For each kind of kernel row, the dtype of the observations; None if only masks are written."""
THREADS_GAMES = 16_384
VECTOR_SIZES = (64, 256, 1024, 4096)
SB3_GAMES = 256
CUDA_SIZES = (4096, 65536, 262144)
STEPS_PER_LAUNCH = 32
KERNEL_STEPS_BEFORE, VECTOR_STEPS_BEFORE = 500, 200
"""The numbers of warm-up steps per game: the first for kernel rows, the second for the other rows that play
many games with random actions. After the warm-up, the games are at different stages."""
SB3 = ("sb3_contrib", '-c constraints.txt -e ".[train]"')


def own_rows(spec: GameSpec) -> list[Row]:
    """Return a game's benchmark rows for the interfaces of this package on the CPU."""
    rows = [
        Row(f"kernel/{kind}/{name}/{size}", partial(play_kernel, spec, config, size, dtype))
        for kind, dtype in KERNEL_OBSERVATIONS.items()
        for name, config in spec.config.measured().items()
        for size in KERNEL_SIZES
        if dtype != "uint8" or "write_counts" in spec.kernels.parts
    ]
    rows += [
        Row(
            f"games/{number}_threads/{name}",
            partial(play_games, spec, config, number),
            clock=time.perf_counter,
        )
        for number in (1, 2)
        for name, config in spec.config.measured().items()
    ]
    # The configuration hardly affects the speed of interfaces that are called from Python for each step, so
    # their rows use only the default configurations of the Gymnasium environments.
    for name, config in spec.config.measured().items():
        for mode in spec.env_modes:
            if spec.config(**mode.settings_of({})) == config:
                rows += called_rows(spec, name, config.as_dict(), mode)
    if find_spec(f"pocketmars_env.games.{spec.name}"):  # a new process registers only built-in games
        rows.append(Row("first_step", lambda: play_first_steps(spec), clock=time.perf_counter))
    return rows


def called_rows(spec: GameSpec, name: str, settings: dict[str, Any], mode: EnvMode) -> list[Row]:
    """Return a configuration's rows for `Game`, PettingZoo, Gymnasium and Stable-Baselines3."""
    env_id, classes = spec.id_of(mode.name), environments_of(spec)
    rows = [
        Row(f"game/{name}", lambda: play_game(spec, settings)),
        Row(f"raw_env/{name}", lambda: play_aec(classes["raw_env"](**settings))),
        Row(f"env/{name}", lambda: play_aec(classes["env"](**settings))),
        *([] if mode.has_opponents else [Row(f"gymnasium/{name}", lambda: play_gymnasium(env_id))]),
    ]
    rows += [Row(f"vector/{name}/{size}", partial(play_vector, env_id, size)) for size in VECTOR_SIZES]
    return [
        *rows,
        Row(f"sb3_vec_env/{name}", lambda: play_sb3(env_id), *SB3),
        Row(f"learn/{name}", lambda: play_learning(env_id), *SB3),
    ]


def play_kernel(spec: GameSpec, config: Any, size: int, dtype: str | None) -> Play:
    """Play `size` games in compiled calls that write masks and, unless `dtype` is None, observations."""
    states = spec.codec.blank(size, config)
    spec.batch.new_games(states, np.arange(size, dtype=np.uint64), np.ones(size, dtype=np.bool_))
    words = np.zeros(size, dtype=np.uint64)
    masks = np.zeros((size, spec.num_actions), dtype=np.int8)
    observations = np.zeros((size if dtype else 0, spec.observation_size), dtype=dtype or "float32")
    kernels = kernels_of(spec, observations.dtype)
    play_all = compiled_for("pocketmars_env.core.compiled.random_play", kernels).play_all
    play_all(states, np.uint64(0), KERNEL_STEPS_BEFORE, words, masks, observations)
    for seed in count(1):
        play_all(states, np.uint64(seed), KERNEL_DECISIONS // size, words, masks, observations)
        yield KERNEL_DECISIONS


def play_games(spec: GameSpec, config: Any, num_threads: int) -> Play:
    """Play a `Games` batch with random legal actions; observe every position, and restart finished games."""
    games = Games(THREADS_GAMES, spec, seed=0, num_threads=num_threads, **config.as_dict())
    arrays = games.observe()
    for step in count():
        games.observe(out=arrays)
        running = ~games.over
        games.step(games.random_actions(), running)
        games.reset(games.over)
        if step >= VECTOR_STEPS_BEFORE:
            yield int(running.sum())


def play_game(spec: GameSpec, settings: dict[str, Any]) -> Play:
    """Play one `Game` after another with random legal actions."""
    choose = new_choose()
    for seed in count():
        game = Game(spec, **settings, seed=seed)
        while not game.over:
            game.step(choose(game.legal))
            yield 1


def play_gymnasium(env_id: str) -> Play:
    """Play a Gymnasium environment without opponents; choose random actions from ``info["action_mask"]``."""
    env, choose = gymnasium.make(env_id), new_choose()
    for seed in count():
        _, info = env.reset(seed=seed)
        is_over = False
        while not is_over:
            _, _, terminated, truncated, info = env.step(choose(info["action_mask"].nonzero()[0]))
            is_over = terminated or truncated
            yield 1


def play_vector(env_id: str, size: int) -> Play:
    """Play a Gymnasium vector environment with random legal actions; opponents' decisions are not counted."""
    envs = gymnasium.make_vec(
        env_id, size, vectorization_mode="vector_entry_point", autoreset_mode=AutoresetMode.SAME_STEP
    )
    rng = np.random.default_rng(0)
    masks = envs.reset(seed=0)[1]["action_mask"]
    for step in count():
        masks = envs.step(sample_actions(masks, rng))[4]["action_mask"]
        if step >= VECTOR_STEPS_BEFORE:
            yield size


def sb3_vec_env(env_id: str) -> Any:
    """Create the Stable-Baselines3 vector environment for a Gymnasium environment id."""
    from pocketmars_env.adapters.sb3 import PocketMarsVecEnv  # not in the base installation

    return PocketMarsVecEnv(env_id, SB3_GAMES, seed=0)


def play_sb3(env_id: str) -> Play:
    """Play the Stable-Baselines3 environment at random, with masks from ``env_method`` as in sb3-contrib."""
    env, rng = sb3_vec_env(env_id), np.random.default_rng(0)
    env.reset()
    for step in count():
        env.step(sample_actions(np.stack(env.env_method("action_masks")), rng))
        if step >= VECTOR_STEPS_BEFORE:
            yield SB3_GAMES


def play_learning(env_id: str) -> Play:
    """Run ``MaskablePPO.learn`` on one core: 8-step rollouts, 10 epochs, two hidden layers of 256 units."""
    import torch  # not in the base installation, like sb3-contrib
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    model = MaskablePPO("MlpPolicy", sb3_vec_env(env_id), n_steps=8, batch_size=8 * SB3_GAMES, n_epochs=10,
                        device="cpu", seed=0, policy_kwargs={"net_arch": [256, 256]})  # fmt: skip
    while True:
        before = model.num_timesteps
        model.learn(1, reset_num_timesteps=False)  # one rollout and its update
        yield model.num_timesteps - before


def play_first_steps(spec: GameSpec) -> Play:
    """Repeatedly start a new process that plays the first action of a game in `env()`."""
    program = (
        "from pocketmars_env.core.game_spec import game_named; "
        "from pocketmars_env.envs.classes import environments_of; "
        f"env = environments_of(game_named({spec.name!r}))['env'](); env.reset(seed=1); "
        "env.step(int(env.last()[0]['action_mask'].argmax()))"
    )
    while True:
        subprocess.run([sys.executable, "-c", program], check=True)
        yield 1


# --- on a GPU -----------------------------------------------------------------------------------------


def cuda_rows(spec: GameSpec) -> list[Row]:
    """Return a game's benchmark rows for a GPU, or an empty list if there is no GPU.

    ``play`` rows measure kernel launches that play 32 random steps in each game, ``mask`` rows measure single
    steps with masks, and ``uint8`` rows measure single steps with masks and observations.
    """
    if not has_device():
        return []
    kinds: dict[str, Callable[..., Play]] = {
        "play": play_launches,
        "mask": partial(play_steps, observe=False),
        "uint8": partial(play_steps, observe=True),
    }
    return [
        Row(f"cuda/{kind}/{name}/{size}", partial(play, spec, config, size), clock=time.perf_counter)
        for kind, play in kinds.items()
        for name, config in spec.config.measured().items()
        for size in CUDA_SIZES
    ]


def games_of(spec: GameSpec, config: Any, size: int) -> Any:
    """Create games on the GPU, and play them until they are at different stages."""
    games = Games(size, spec, seed=0, observation_dtype="uint8", **config.as_dict()).to_device()
    games.play(VECTOR_STEPS_BEFORE)
    return games


def play_launches(spec: GameSpec, config: Any, size: int) -> Play:
    """Play 32 random legal actions in each game per launch, without observations."""
    games, cuda = games_of(spec, config, size), available_device()
    while True:
        games.play(STEPS_PER_LAUNCH)
        cuda.synchronize()
        yield STEPS_PER_LAUNCH * size


def play_steps(spec: GameSpec, config: Any, size: int, observe: bool) -> Play:
    """Play single random steps; write masks and, if `observe`, uint8 observations; restart finished games."""
    games, cuda = games_of(spec, config, size), available_device()
    masks, observations = games.masks(), games.observations()
    while True:
        games.reset(games.over)
        games.masks(out=masks)
        if observe:
            games.observations(out=observations)
        games.step(games.random_actions())
        cuda.synchronize()
        yield size
