"""Positions between the phases that follow an action.

`Game.step` advances to the next decision. Several phases may come before that decision, such as system
failure and android activation in the solo game. The game log reports the phases one by one, so the kernels in
this module run them one at a time.
"""

import functools

import numpy as np

from pocketmars_env.core.compiled.compiling import entry_point
from pocketmars_env.core.compiled.legal_actions import (
    clear_legal_actions,
    count_legal_actions,
    nth_legal_action,
)
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.precompile import compile_all
from pocketmars_env.games.pocket_mars.config import TITLE
from pocketmars_env.games.pocket_mars.kernels import KERNELS, batch
from pocketmars_env.games.pocket_mars.rules import turns
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS, block_of
from pocketmars_env.games.pocket_mars.rules.apply_action import apply_action
from pocketmars_env.games.pocket_mars.rules.constants import NO_DECISION, Decision, Stage
from pocketmars_env.games.pocket_mars.rules.interpreter import can_program
from pocketmars_env.games.pocket_mars.rules.legality import list_legal_actions


def phases_of(before: States, action: int) -> list[tuple[Stage, States]]:
    """Return the phases that `Game.step` would run for a legal action, each with the position after it.

    The first phase, `Stage.TURN`, is the action with everything up to the next phase or decision.
    `Stage.DA_UPGRADES` can occur twice in a row.
    """
    ensure_compiled()
    states, phase, phases = copy_states(before), Stage.TURN, list[tuple[Stage, States]]()
    apply_at(states, action)
    while go_to_phase_at(states):
        phases.append((phase, copy_states(states)))
        phase = Stage(int(states["stage"][0]))
        carry_out_at(states)
    states["stacked"], states["stacked_size"] = -1, 0
    phases.append((phase, states))
    return phases


def idle_tops(states: States) -> set[int]:
    """Return the legal PLAY_HAND actions at TURN whose card has a top action that would change nothing."""
    ensure_compiled()
    tops = [action for action in legal_actions(states) if block_of(action)[0].name == "PLAY_HAND"]
    return {action for action in tops if not has_effect_at(copy_states(states), action)}


def legal_actions(states: States) -> list[int]:
    """Return the legal actions of the position in a ``(1,)`` `STATE` array."""
    actions = np.empty(NUM_ACTIONS, dtype=np.int64)
    legal: list[int] = actions[: batch.legal_at(states, 0, actions)].tolist()
    return legal


@functools.cache
def ensure_compiled() -> None:
    """Compile this module's kernels and print messages to stderr, unless the kernels are cached."""
    compile_all(KERNELS, globals().values(), TITLE, "phases", seconds=3)


@entry_point
def has_effect_at(states: States, action: int) -> bool:
    """Apply an action that starts a program; return whether the program would change something."""
    state = states[0]
    apply_action(state, action)
    return bool(can_program(state, state.program, state.line, state.actor))


@entry_point
def apply_at(states: States, action: int) -> None:
    """Apply an action without advancing to the next decision."""
    apply_action(states[0], action)


@entry_point
def carry_out_at(states: States) -> None:
    """Run the next of the phases that follow the turn."""
    turns.proceed_after_turn(states[0])


@entry_point
def go_to_phase_at(states: States) -> bool:
    """Advance like `turns.advance`, but stop before the next phase; return whether a phase follows."""
    state = states[0]
    while not state.over:
        if state.decision == NO_DECISION:
            if state.stage > Stage.END_TURN and turns.is_nothing_pending(state):
                return True
            turns.proceed_to_phase(state)
        if state.decision != NO_DECISION:
            list_legal_actions(state)
            if state.decision == Decision.TURN or count_legal_actions(state) != 1:
                return False
            apply_action(state, nth_legal_action(state, 0))
    clear_legal_actions(state)
    return False
