"""The game's kernels and entry points, and `batch`, the entry points that all games have.

The kernels have the names that `core/compiled/game_kernels.py` declares.
"""
# ruff: noqa: F401  # `KERNELS` takes the imported names from `globals()`

from pathlib import Path

from pocketmars_env.core.compiled.per_game import GameKernels, compiled_for
from pocketmars_env.games.pocket_mars.observation.layout import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.observation.writing import write_counts, write_observation
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS, NO_SEAT
from pocketmars_env.games.pocket_mars.rules.determinize import determinize
from pocketmars_env.games.pocket_mars.rules.knowledge import seen_action, with_private_knowledge
from pocketmars_env.games.pocket_mars.rules.scoring import score, termination, winners
from pocketmars_env.games.pocket_mars.rules.state import STATE, is_automaton, number_of_seats
from pocketmars_env.games.pocket_mars.rules.turns import is_turn_over, new_game, step
from pocketmars_env.games.pocket_mars.snapshots.entry_points import advance_at, clear_tables, set_up_at

KERNELS = GameKernels("pocket_mars", Path(__file__).parent, globals())
batch = compiled_for("pocketmars_env.core.compiled.batch", KERNELS)
