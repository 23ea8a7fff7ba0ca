"""The interpreter of the card language.

The interpreter runs the lines of a program (a card half or a Building ability) in order, and pauses at each
decision and each draw. `can_op` and `do_op` call the kernels for the individual ops.
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import NOTHING
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules import effects_cards as cards
from pocketmars_env.games.pocket_mars.rules import effects_colonists as colonists
from pocketmars_env.games.pocket_mars.rules.cards import (
    FIRST_ABILITY,
    FIRST_BOTTOM,
    PROGRAM_AMOUNT,
    PROGRAM_BUILDING,
    PROGRAM_OP,
)
from pocketmars_env.games.pocket_mars.rules.colonists import can_upgrade, gain, launch, settle, upgrade, use
from pocketmars_env.games.pocket_mars.rules.constants import (
    LAST_CONDITION,
    LAST_PRICE,
    LAST_REQUIREMENT,
    NO_DECISION,
    NO_PROGRAM,
    NO_SEAT,
    Decision,
    Op,
    Stage,
)

DECISION_OF_OP = np.full(len(Op), NO_DECISION, dtype=np.int64)
"""``(number of ops,)`` int64: each op's first decision, or NO_DECISION.

Ops that draw cards have NO_DECISION because `turns.py` asks for DRAW decisions.
"""
for _op, _decision in {
    Op.DISCARD_SUIT: Decision.DISCARD_SUIT,
    Op.RECALL: Decision.RECALL,
    Op.DOWNGRADE_OWN: Decision.SHIFT,
    Op.SETTLE_UP_TO: Decision.SETTLE_MORE,
    Op.SETTLE_ANYWHERE: Decision.SETTLE_WHERE,
    Op.SHIFT_ANY: Decision.SHIFT,
    Op.SWAP_COLONISTS: Decision.SWAP,
    Op.KEEP_ONE: Decision.KEEP,
    Op.TAKE_FROM_DISCARD: Decision.TAKE_DISCARD,
    Op.TAKE_TOP: Decision.TAKE_TOP,
    Op.TURN_DOWN: Decision.TURN_DOWN,
    Op.PUT_UNDER: Decision.PUT_UNDER,
    Op.PUT_ANY_UNDER: Decision.PUT_UNDER,
    Op.SWAP_HAND_AND_PREP: Decision.SWAP_HAND,
    Op.SWAP_PREPS: Decision.SWAP_PREP,
    Op.LOOK: Decision.LOOK,
}.items():
    DECISION_OF_OP[_op] = _decision


@kernel
def ask(state, seat, decision):
    """Set the current decision and the seat to play; `advance` then lists the legal actions."""
    state.to_play = seat
    state.decision = decision


@kernel
def clear_decision(state):
    state.to_play = NO_SEAT
    state.decision = NO_DECISION


@kernel
def start_program(state, program, seat):
    """Start a program at its first line, with `seat` as the actor."""
    state.program = program
    state.line = 0
    state.actor = seat


@kernel
def end_program(state):
    state.program = NO_PROGRAM
    state.actor = NO_SEAT
    state.line, state.left = 0, 0


@kernel
def current_op(state):
    """Return the op that asked for the current decision; a program must be running."""
    return PROGRAM_OP[state.program, state.line - 1]


@kernel
def closed_building(program):
    """Return the Building on whose pile a bottom action's card lies, which is barred (R-SELF); -1 if none."""
    if FIRST_BOTTOM <= program < FIRST_ABILITY:
        return int(PROGRAM_BUILDING[program])
    return -1


@kernel
def can_program(state, program, line, seat):
    """Return whether a line from `line` to the first unmet requirement, except a price, changes something."""
    here = PROGRAM_BUILDING[program]
    while PROGRAM_OP[program, line] != Op.END:
        op = PROGRAM_OP[program, line]
        can = can_op(state, op, PROGRAM_AMOUNT[program, line], seat, here, closed_building(program))
        if op > LAST_PRICE and can:
            return True
        if op <= LAST_REQUIREMENT and not can:
            return False
        line += 1
    return False


@kernel
def run_program(state):
    """Run the next line of the current program (R-TOP, R-COST)."""
    program, line, seat = int(state.program), int(state.line), int(state.actor)
    op, amount = PROGRAM_OP[program, line], PROGRAM_AMOUNT[program, line]
    if op == Op.END:
        end_program(state)
        return
    state.line += 1
    here = PROGRAM_BUILDING[program]
    if not can_op(state, op, amount, seat, here, closed_building(program)):
        if op <= LAST_REQUIREMENT:  # the remaining lines depend on this op
            end_program(state)
    elif LAST_CONDITION < op <= LAST_PRICE and not can_program(state, program, line + 1, seat):
        end_program(state)  # no later line can change anything: the price is not paid
    elif DECISION_OF_OP[op] != NO_DECISION:
        state.left = amount
        ask(state, seat, DECISION_OF_OP[op])
    else:
        do_op(state, op, amount, seat, here)


@kernel
def can_op(state, op, amount, seat, here, closed):
    """Return whether a condition holds, a price can be paid, or a move or effect would change something."""
    if op == Op.LAUNCH or op == Op.SETTLE_FROM_EARTH:
        return colonists.can_launch(state, seat)
    elif op == Op.GAIN:
        return colonists.can_gain(state, seat)
    elif op == Op.IF_SUIT_IN_HAND or op == Op.DISCARD_SUIT:
        return cards.choices_discard_suit(state, seat, here) != NOTHING
    elif op == Op.IF_NONE_HERE:
        return colonists.is_none_here(state, seat, here)
    elif op == Op.IF_SHIP_EMPTY:
        return colonists.is_ship_empty(state, seat)
    elif op == Op.IF_SHIP_HOLDS:
        return colonists.holds_ship(state, seat, amount)
    elif op == Op.USE:
        return colonists.can_use(state, seat, amount)
    elif op == Op.SETTLE_HERE or op == Op.SETTLE_UP_TO or op == Op.SETTLE_ANYWHERE:
        return colonists.can_settle(state, seat)
    elif op == Op.UPGRADE_HERE:
        return can_upgrade(state, seat, here)
    elif op == Op.SHIFT_ANY:
        return colonists.choices_shift_any(state, seat) != NOTHING
    elif op == Op.DOWNGRADE_OWN:
        return colonists.choices_downgrade_own(state, seat) != NOTHING
    elif op == Op.SWAP_COLONISTS:
        return colonists.choices_swap_colonists(state, seat) != NOTHING
    elif op == Op.RECALL:
        return colonists.choices_recall(state, seat) != NOTHING
    elif op == Op.DRAW or op == Op.DRAW_ASIDE:
        return cards.can_draw(state)
    elif op == Op.KEEP_ONE:
        return state.drawn != NOTHING
    elif op == Op.TAKE_FROM_DISCARD:
        return state.discard_size > 0
    elif op == Op.TAKE_TOP:
        return cards.choices_take_top(state, closed) != NOTHING
    elif op == Op.TURN_DOWN:
        return cards.choices_turn_down(state, closed) != NOTHING
    elif op == Op.PUT_UNDER:
        return cards.choices_put_under(state, seat) != NOTHING
    elif op == Op.PUT_ANY_UNDER:
        return cards.choices_put_any_under(state, seat) != NOTHING
    elif op == Op.SWAP_HAND_AND_PREP:
        return cards.can_swap_hand_and_prep(state, seat)
    elif op == Op.SWAP_PREPS:
        return cards.can_swap_preps(state, seat)
    elif op == Op.LOOK:
        return cards.choices_look(state, seat) != NOTHING
    return op == Op.ACT_AGAIN


@kernel
def do_op(state, op, amount, seat, here):
    """Carry out an op that needs no decision; conditions do nothing here, because `can_op` checks them."""
    if op == Op.LAUNCH:
        launch(state.seats[seat], amount)
    elif op == Op.GAIN:
        gain(state.seats[seat], amount)
    elif op == Op.USE:
        use(state.seats[seat], amount)
    elif op == Op.SETTLE_HERE:
        settle(state.seats[seat], here)
    elif op == Op.SETTLE_FROM_EARTH:
        colonists.do_settle_from_earth(state, seat, here)
    elif op == Op.UPGRADE_HERE:
        upgrade(state.seats[seat], here)
    elif op == Op.DRAW or op == Op.DRAW_ASIDE:
        state.to_draw = amount
        state.draw_aside = 1 if op == Op.DRAW_ASIDE else 0
    elif op == Op.ACT_AGAIN:
        end_program(state)
        state.stage = Stage.TURN
