"""The game's kernels for code shared by all games (`core/compiled/game_kernels.py`), and the entry points."""

from pathlib import Path

from pocketmars_env.core.compiled.per_game import GameKernels, compiled_for
from pocketmars_env.games.project_mars.observation_layout import OBSERVATION_SIZE
from pocketmars_env.games.project_mars.rules import scoring, turns
from pocketmars_env.games.project_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.project_mars.rules.constants import NO_SEAT, SEATS
from pocketmars_env.games.project_mars.rules.determinize import determinize
from pocketmars_env.games.project_mars.rules.knowledge import seen_action, with_private_knowledge
from pocketmars_env.games.project_mars.rules.observation import write_counts, write_observation
from pocketmars_env.games.project_mars.rules.state import is_automaton, number_of_seats

KERNELS = GameKernels(
    "project_mars",
    Path(__file__).parent,
    {
        "NUM_ACTIONS": NUM_ACTIONS,
        "MAX_SEATS": SEATS,
        "OBSERVATION_SIZE": OBSERVATION_SIZE,
        "NO_SEAT": NO_SEAT,
        "new_game": turns.new_game,
        "step": turns.step,
        "score": scoring.score,
        "winners": scoring.winners,
        "number_of_seats": number_of_seats,
        "write_observation": write_observation,
        "write_counts": write_counts,
        "determinize": determinize,
        "is_turn_over": turns.is_turn_over,
        "seen_action": seen_action,
        "with_private_knowledge": with_private_knowledge,
        "is_automaton": is_automaton,
    },
)

batch = compiled_for("pocketmars_env.core.compiled.batch", KERNELS)
