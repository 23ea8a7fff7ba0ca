"""The position at the end of a round, before the fields are cleared.

`Game.step` clears the fields as soon as a round ends, so no position of a game shows the final fields.
"""

import functools

from pocketmars_env.core.compiled.compiling import entry_point
from pocketmars_env.core.compiled.legal_actions import nth_legal_action
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.precompile import compile_all
from pocketmars_env.games.project_mars.config import TITLE
from pocketmars_env.games.project_mars.kernels import KERNELS
from pocketmars_env.games.project_mars.rules import turns
from pocketmars_env.games.project_mars.rules.apply_action import apply_action
from pocketmars_env.games.project_mars.rules.constants import NO_DECISION, Stage
from pocketmars_env.games.project_mars.rules.legality import list_legal_actions


def finished_rounds(states: States) -> int:
    """Return the number of finished rounds in the position in a ``(1,)`` `STATE` array."""
    state = states[0]
    return int(state["round_number"]) - 1 + int(state["over"])


def end_of_round(states: States, action: int) -> States:
    """Return the position after an action that ends the round, before it is scored, without a decision."""
    ensure_compiled()
    states = copy_states(states)
    play_to_end_of_round(states, action)
    return states


@functools.cache
def ensure_compiled() -> None:
    """Compile this module's kernel and print messages to stderr, unless the kernel is cached."""
    compile_all(KERNELS, [play_to_end_of_round], TITLE, "end of a round", seconds=3)


@entry_point
def play_to_end_of_round(states: States, action: int) -> None:
    """Apply an action that ends the round, and advance like `turns.advance` until both seats have passed."""
    state = states[0]
    apply_action(state, action)
    while state.stage != Stage.TURN or not (state.seats[0].passed and state.seats[1].passed):
        if state.decision == NO_DECISION:
            turns.proceed(state)
        if state.decision != NO_DECISION:
            list_legal_actions(state)
            apply_action(state, nth_legal_action(state, 0))
