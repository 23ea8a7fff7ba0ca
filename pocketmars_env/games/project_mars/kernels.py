"""The kernels and entry points of Project Mars, and `batch`, the entry points that all games have."""
# ruff: noqa: F401  # `KERNELS` contains all names imported here

from pathlib import Path

from pocketmars_env.core.compiled.per_game import GameKernels, compiled_for
from pocketmars_env.games.project_mars.observation.layout import OBSERVATION_SIZE
from pocketmars_env.games.project_mars.observation.writing import write_counts, write_observation
from pocketmars_env.games.project_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.project_mars.rules.constants import NO_SEAT
from pocketmars_env.games.project_mars.rules.constants import SEATS as MAX_SEATS
from pocketmars_env.games.project_mars.rules.determinize import determinize
from pocketmars_env.games.project_mars.rules.knowledge import seen_action, with_private_knowledge
from pocketmars_env.games.project_mars.rules.scoring import score, termination, winners
from pocketmars_env.games.project_mars.rules.state import STATE, is_automaton, number_of_seats
from pocketmars_env.games.project_mars.rules.turns import is_turn_over, new_game, step
from pocketmars_env.games.project_mars.snapshots.entry_points import (
    clear_tables,
    list_legal_at,
    set_up_at,
    write_derived,
)

KERNELS = GameKernels("project_mars", Path(__file__).parent, globals())
batch = compiled_for("pocketmars_env.core.compiled.batch", KERNELS)
