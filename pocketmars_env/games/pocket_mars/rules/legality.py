"""Kernels that list the legal actions of a decision.

The legal actions are computed once per decision and stored as a set of action numbers; see
`core/compiled/legal_actions.py`.
"""

from pocketmars_env.core.compiled.card_sets import NOTHING, only
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.core.compiled.legal_actions import allow, clear_legal_actions
from pocketmars_env.games.pocket_mars.rules import effects_cards as cards
from pocketmars_env.games.pocket_mars.rules import effects_colonists as colonists
from pocketmars_env.games.pocket_mars.rules.actions import (
    ACCEPT,
    DISCARD_FOR_ENERGY,
    FIRST_ACTION,
    LAUNCH,
    PASS,
    PLAY_HAND,
    PLAY_OTHER,
    PLAY_PREP,
)
from pocketmars_env.games.pocket_mars.rules.automaton import choices_da_upgrade
from pocketmars_env.games.pocket_mars.rules.cards import PROGRAM_BUILDING
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, Decision, Op
from pocketmars_env.games.pocket_mars.rules.interpreter import closed_building, current_op
from pocketmars_env.games.pocket_mars.rules.moving_cards import (
    cards_in_slots,
    first_cards,
    number_in_prep,
    prep_cards,
)


@hot_kernel
def list_legal_actions(state):
    """Write the legal actions of the current decision into `state.legal_actions`."""
    seat, decision = int(state.to_play), int(state.decision)
    clear_legal_actions(state)
    if decision == Decision.TURN:
        allow_turn_actions(state, seat)
    else:
        allow(state, FIRST_ACTION[decision], choices(state, seat, decision))
        if may_pass(state, decision):
            allow(state, PASS, only(0))


@hot_kernel
def allow_turn_actions(state, seat):
    """Add the legal main actions of a turn (rulebook, "In your turn") to `state.legal_actions`."""
    hand, prep = state.seats[seat].hand, prep_cards(state, seat)
    allow(state, PLAY_HAND, hand)
    allow(state, PLAY_PREP, prep)
    allow(state, PLAY_OTHER, cards.choices_swap_other(state, seat))
    if can_launch_action(state, seat):
        allow(state, LAUNCH, only(0))
    allow(state, DISCARD_FOR_ENERGY, hand | prep)


@kernel
def can_launch_action(state, seat):
    """Return whether LAUNCH is legal; in the solo game, it requires a card in the opponent's prep module."""
    if state.solo and number_in_prep(state, DA_SEAT) == 0:
        return False
    return colonists.can_launch(state, seat)


@hot_kernel
def may_pass(state, decision):
    """Return whether PASS is legal; it is at yes/no decisions and for the op PUT_UNDER ("up to n cards")."""
    if decision == Decision.PUT_UNDER:
        return current_op(state) == Op.PUT_UNDER
    return FIRST_ACTION[decision] == ACCEPT


@hot_kernel
def choices(state, seat, decision):
    """Return the legal arguments in the decision's first action block; the decision must not be TURN."""
    if decision == Decision.FILL or decision == Decision.DISCARD:
        return state.seats[seat].hand
    elif decision == Decision.PREP:
        return state.seats[seat].hand & ~cards_in_slots(state.seats[seat].pending)
    elif FIRST_ACTION[decision] == ACCEPT:
        return only(0)
    elif decision == Decision.SETTLE_WHERE or decision == Decision.DA_SETTLE:
        return colonists.choices_settle_anywhere(state, seat)
    elif decision == Decision.SHIFT:
        return choices_shift(state, seat)
    elif decision == Decision.SWAP:
        return colonists.choices_swap_colonists(state, seat)
    elif decision == Decision.RECALL:
        return colonists.choices_recall(state, seat)
    elif decision == Decision.DA_UPGRADE:
        return choices_da_upgrade(state)
    return card_choices(state, seat, decision)


@kernel
def choices_shift(state, seat):
    """Return the legal SHIFT arguments; for the bottom of Greenhouse 6, only downgrades of own colonists."""
    if current_op(state) == Op.DOWNGRADE_OWN:
        return colonists.choices_downgrade_own(state, seat)
    return colonists.choices_shift_any(state, seat)


@hot_kernel
def card_choices(state, seat, decision):
    """Return the set of legal arguments at a decision that `choices` does not handle itself."""
    if decision == Decision.DRAFT:
        return state.seats[seat].packet
    elif decision == Decision.DISCARD_DA or decision == Decision.DRAW:
        return cards.slots_of_seat(state, seat, DA_SEAT)
    elif decision == Decision.KEEP:
        return state.drawn
    elif decision == Decision.TAKE_DISCARD:
        return first_cards(state.discard, state.discard_size)
    elif decision == Decision.DISCARD_SUIT:
        return cards.choices_discard_suit(state, seat, PROGRAM_BUILDING[state.program])
    elif decision == Decision.PUT_UNDER:
        return choices_put_under(state, seat)
    elif decision == Decision.TAKE_TOP:
        return cards.choices_take_top(state, closed_building(int(state.program)))
    elif decision == Decision.TURN_DOWN:
        return cards.choices_turn_down(state, closed_building(int(state.program)))
    elif decision == Decision.SWAP_HAND:
        return state.seats[seat].hand
    elif decision == Decision.SWAP_PREP:
        return prep_cards(state, seat)
    elif decision == Decision.SWAP_OTHER:
        return cards.choices_swap_other(state, seat)
    elif decision == Decision.LOOK:
        return cards.choices_look(state, seat)
    return NOTHING


@kernel
def choices_put_under(state, seat):
    """Return the cards that may be put under the deck: the hand and, for PUT_ANY_UNDER, the prep module."""
    if current_op(state) == Op.PUT_ANY_UNDER:
        return cards.choices_put_any_under(state, seat)
    return cards.choices_put_under(state, seat)
