"""The rows that measure this package."""

import importlib
from functools import partial

import gymnasium
import numpy as np

from pocketmars_env import pocketmars_v1 as aec
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.game import Game
from pocketmars_env.games.pocket_mars.ids import SOLO_ID
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states
from pocketmars_env.speed.peer_rows import play_open_spiel
from pocketmars_env.speed.playing import Play, Row, new_choose, play_aec, play_choices, play_gymnasium

BATCH_SIZES = (1, 16, 64, 256, 1024)
MODES = {"2p": GameConfig(2), "3p": GameConfig(3), "4p": GameConfig(4), "solo": GameConfig(mode="solo")}
FACE_MODES = ("2p", "solo")
"""The modes in which what is called from Python is measured: there the rules hardly count."""
STEPS_BEFORE = 500
"""Decisions before the measuring, so that the games of a batch stand at all points of their course."""


def own_rows() -> list[Row]:
    """All rows of this package."""
    rows = [
        Row(f"kernel/{what}/{mode}/{size}", partial(play_kernel, config, size, what == "observation"))
        for what in ("mask", "observation")
        for mode, config in MODES.items()
        for size in BATCH_SIZES
    ]
    faces = {"game": play_game, "raw_env": play_raw_env, "env": play_env}
    rows += [
        Row(f"{face}/{mode}", partial(faces[face], MODES[mode])) for face in faces for mode in FACE_MODES
    ]
    in_open_spiel = [
        Row(f"open_spiel/pocket_mars/{what}/{mode}",
            partial(play_adapter, MODES[mode], what == "observation"),
            module="pyspiel", package="open_spiel")
        for what in ("mask", "observation")
        for mode in FACE_MODES
    ]  # fmt: skip
    return [*rows, Row("solo-v1", play_solo), Row("choice", play_choice), *in_open_spiel]


def play_kernel(config: GameConfig, size: int, is_observed: bool) -> Play:
    """`size` games in one compiled call: rules and masks, and observations if `is_observed`."""
    states = blank_states(size, config)
    batch.new_games(states, np.arange(size, dtype=np.uint64), np.ones(size, dtype=np.bool_))
    words = np.zeros(size, dtype=np.uint64)
    masks = np.zeros((size, NUM_ACTIONS), dtype=np.int8)
    observations = np.zeros((size if is_observed else 0, OBSERVATION_SIZE), dtype=np.float32)
    seed = 0

    def play(count: int) -> int:
        nonlocal seed
        seed += 1
        steps = -(-count // size)
        batch.play_all(states, np.uint64(seed), steps, words, masks, observations)
        return steps * size

    play(STEPS_BEFORE * size)
    return play


def play_game(config: GameConfig) -> Play:
    """`Game`: legal and step, a new game at the end."""
    choose = new_choose()
    settings = config.as_dict()
    game = Game(**settings, seed=0)
    seed = 0

    def play(count: int) -> int:
        nonlocal game, seed
        for _ in range(count):
            game.step(choose(game.legal()))
            if game.over:
                seed += 1
                game = Game(**settings, seed=seed)
        return count

    return play


def play_raw_env(config: GameConfig) -> Play:
    return play_aec(aec.raw_env(**config.as_dict()))


def play_env(config: GameConfig) -> Play:
    return play_aec(aec.env(**config.as_dict()))


def play_solo() -> Play:
    return play_gymnasium(gymnasium.make(SOLO_ID))


def play_adapter(config: GameConfig, is_observed: bool) -> Play:
    """The game in OpenSpiel, in the loop of its own games."""
    adapter = importlib.import_module("pocketmars_env.adapters.open_spiel")
    return play_open_spiel(f"{adapter.NAME}(mode={config.mode},players={config.players})", is_observed)


def play_choice() -> Play:
    return play_choices(Game(seed=0).mask())
