"""The game flow: new games, steps, stages and turns."""

from pocketmars_env.core.compiled.apart import compiled_apart
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel, shorthand
from pocketmars_env.core.compiled.legal_actions import (
    clear_legal_actions,
    count_legal_actions,
    nth_legal_action,
)
from pocketmars_env.games.project_mars.rules.apply_action import apply_action
from pocketmars_env.games.project_mars.rules.constants import NO_CARD, NO_DECISION, Decision, Stage
from pocketmars_env.games.project_mars.rules.effects import ask, clear_effect, continue_sinkhole
from pocketmars_env.games.project_mars.rules.legality import list_legal_actions
from pocketmars_env.games.project_mars.rules.plays import resolve_placed
from pocketmars_env.games.project_mars.rules.setup import (
    continue_keeping,
    continue_mulligans,
    deal,
    end_round,
    set_up,
)
from pocketmars_env.games.project_mars.rules.state import STATE


@shorthand
def new_game(state, seed):
    """Start a game with the state's settings; `seed` (uint64) determines all random events."""
    deal(state, seed)
    set_up(state)
    advance(state)


@shorthand
def step(state, action):
    """Carry out a legal action, and advance to the next decision or the end of the game."""
    apply_action(state, action)
    advance(state)


@compiled_apart(STATE)
def advance(state):
    """Advance to the next decision with several legal actions (R-FORCED), or to the end of the game."""
    while not state.over:
        if state.decision == NO_DECISION:
            proceed(state)
        if state.decision != NO_DECISION:
            list_legal_actions(state)
            if count_legal_actions(state) != 1:
                return
            apply_action(state, nth_legal_action(state, 0))
    clear_legal_actions(state)


@hot_kernel
def proceed(state):
    """Run the next part of the current stage."""
    if state.stage == Stage.PLACED:
        resolve_placed(state)
    elif state.stage == Stage.SINKHOLE:
        continue_sinkhole(state)
    elif state.stage == Stage.END_TURN:
        end_turn(state)
    elif state.stage == Stage.TURN:
        begin_turn(state)
    elif state.stage == Stage.MULLIGAN:
        continue_mulligans(state)
    else:
        continue_keeping(state)


@hot_kernel
def begin_turn(state):
    """Ask for the turn's action, or end the round if both seats have passed."""
    if state.seats[0].passed and state.seats[1].passed:
        end_round(state)
    else:
        ask(state, int(state.turn_seat), Decision.TURN)


@hot_kernel
def end_turn(state):
    """Put a used UTILITY card into the junkyard, and give the turn to the other seat unless it has passed."""
    clear_effect(state)
    seat = int(state.turn_seat)
    side = state.seats[seat]
    if side.utility != NO_CARD:
        side.junkyard[side.utility] += 1
        side.utility = NO_CARD
    if not state.seats[1 - seat].passed:
        state.turn_seat = 1 - seat
    state.stage = Stage.TURN


@kernel
def is_turn_over(state):
    """Return whether the last turn is over: the game is over, or the decision is MULLIGAN, KEEP or TURN."""
    return state.over or state.decision <= Decision.TURN
