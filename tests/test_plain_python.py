"""The engine plays the same games compiled and as plain Python."""

import hashlib

import numpy as np

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, GameConfig
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.games.pocket_mars.kernels import KERNELS, batch
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states
from tests.core.processes import run
from tests.fixed_play import play_fixed
from tests.modes import MODES

SEED = 2**64 - 1
ANSWERS = 60
"""Number of actions of the game; it is small because plain Python is slow."""
BATCH = 2
play_all = compiled_for("pocketmars_env.core.compiled.random_play", KERNELS).play_all


def fingerprints() -> dict[str, str]:
    """Return one SHA-256 hash per mode, over all that the engine computes in a game and a batch."""
    found = {}
    for mode in MODES:
        digest = hashlib.sha256()
        for played, game in enumerate(play_fixed(Game(**MODES[mode], seed=SEED), SEED, ANSWERS)):
            digest.update(all_of(game, played))
        digest.update(all_of_batch(GameConfig(**MODES[mode])))
        found[mode] = digest.hexdigest()
    return found


def all_of(game: Game, number: int) -> bytes:
    """Return a position as bytes: state, legal actions, results, and a seat's data and determinization."""
    seat = number % game.config.seats
    world = game.view(seat).sample(np.random.default_rng(number))
    parts = [
        game.to_bytes(),
        bytes(f"{game.legal} {game.scores} {game.winners}", "ascii"),
        game.observe(seat).tobytes(),
        game.mask(seat).tobytes(),
        game.view(seat).states.tobytes(),
        world.to_bytes(),
    ]
    return b"".join(parts)


def all_of_batch(config: GameConfig) -> bytes:
    """Return the results of the batch entry points as bytes: first for single steps, then for random play."""
    states, which = blank_states(BATCH, config), np.ones(BATCH, dtype=np.bool_)
    actions, seats = np.zeros(BATCH, dtype=np.int64), np.full(BATCH, -1, dtype=np.int64)
    observations = np.zeros((BATCH, OBSERVATION_SIZE), dtype=np.float32)
    masks = np.zeros((BATCH, NUM_ACTIONS), dtype=np.int8)
    scores, winners = np.zeros((BATCH, MAX_SEATS), dtype=np.int64), np.zeros(BATCH, dtype=np.int64)
    words, seed, games = np.zeros(BATCH, dtype=np.uint64), np.uint64(3), np.arange(BATCH)
    parts = []
    batch.new_games(states, np.arange(BATCH, dtype=np.uint64), which)
    for call in range(8):
        batch.choose_all(states, seed, call * BATCH, words, actions)
        illegal = batch.first_illegal(states, games, actions)
        batch.step_some(states, games, actions)
        batch.mask_all(states, masks)
        parts += [bytes(str(illegal), "ascii"), masks.tobytes()]
        batch.observe_all(states, seats, observations, masks)
        parts += [actions.tobytes(), states.tobytes(), observations.tobytes(), masks.tobytes()]
    # with 2 to 4 players, more steps would take too long in plain Python
    play_all(states, seed, 30 if config.is_solo else 4, words, masks, observations)
    batch.scores_all(states, scores, winners)
    return b"".join([*parts, states.tobytes(), scores.tobytes(), winners.tobytes()])


PROGRAM = """
import json
from tests.test_plain_python import fingerprints
print(json.dumps(fingerprints()))
"""


def test_plain_python_gives_the_same_games() -> None:
    """Warnings are errors there, because without compilation, NumPy warns about integer overflow."""
    found = run(PROGRAM, None, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert found == fingerprints()
