"""Kernels that carry out the action chosen at a decision."""

from pocketmars_env.core.compiled.card_sets import NOTHING
from pocketmars_env.core.compiled.compiling import hot_kernel
from pocketmars_env.games.pocket_mars.rules import effects_cards as cards
from pocketmars_env.games.pocket_mars.rules import effects_colonists as colonists
from pocketmars_env.games.pocket_mars.rules.actions import FIRST_ACTION, PASS
from pocketmars_env.games.pocket_mars.rules.cards import (
    CARD_SUIT,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    PROGRAM_BUILDING,
)
from pocketmars_env.games.pocket_mars.rules.colonists import settle
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, NO_CARD, Decision
from pocketmars_env.games.pocket_mars.rules.interpreter import ask, clear_decision, start_program
from pocketmars_env.games.pocket_mars.rules.moving_cards import discard, take_from_prep
from pocketmars_env.games.pocket_mars.rules.plays import take_action
from pocketmars_env.games.pocket_mars.rules.setup import choose_in_setup


@hot_kernel
def apply_action(state, action):
    """Clear the current decision and carry out `action`, which must be legal at this decision."""
    seat, decision = int(state.to_play), int(state.decision)
    clear_decision(state)
    if decision == Decision.TURN:
        take_action(state, seat, action)
    elif action == PASS:
        state.left = 0
    else:
        choose(state, seat, decision, action - FIRST_ACTION[decision])


@hot_kernel
def choose(state, seat, decision, argument):
    """Carry out an action other than PASS at a decision other than TURN, given its index in its block."""
    if decision == Decision.FILL:
        cards.do_fill(state, seat, argument)
    elif decision == Decision.PREP or decision == Decision.DRAFT:
        choose_in_setup(state, seat, argument)
    elif decision == Decision.ABILITY:
        start_program(state, FIRST_ABILITY + CARD_SUIT[state.played], seat)
    elif decision == Decision.BOTTOM:
        start_program(state, FIRST_BOTTOM + int(state.played), seat)
    elif decision == Decision.SETTLE:
        settle(state.seats[seat], CARD_SUIT[state.played])
    elif decision == Decision.SETTLE_MORE:
        settle_more(state, seat)
    elif decision == Decision.SETTLE_WHERE or decision == Decision.DA_SETTLE:
        settle(state.seats[seat], argument)
    elif decision == Decision.SHIFT or decision == Decision.DA_UPGRADE:
        colonists.do_shift(state, seat, argument)
    elif decision == Decision.SWAP:
        colonists.do_swap_colonists(state, seat, argument)
    elif decision == Decision.RECALL:
        colonists.do_recall(state, seat, argument)
    else:
        choose_card(state, seat, decision, argument)


@hot_kernel
def choose_card(state, seat, decision, argument):
    """Carry out the seat's choice at a decision that `choose` does not handle itself."""
    if decision == Decision.DISCARD or decision == Decision.DISCARD_SUIT:
        cards.do_discard_from_hand(state, seat, argument)
    elif decision == Decision.DRAW:
        cards.do_draw_from_da(state, seat, argument)
    elif decision == Decision.DISCARD_DA:
        discard(state, take_from_prep(state, DA_SEAT, cards.slot_in(argument)))
    elif decision == Decision.KEEP:
        cards.do_keep(state, seat, argument)
    elif decision == Decision.PUT_UNDER:
        put_under(state, seat, argument)
    elif decision == Decision.TAKE_DISCARD:
        cards.do_take_from_discard(state, seat, argument)
    elif decision == Decision.TAKE_TOP:
        cards.do_take_top(state, seat, argument)
    elif decision == Decision.TURN_DOWN:
        cards.do_turn_down(state, argument)
    elif decision == Decision.LOOK:
        cards.do_look(state, seat, argument)
    elif decision == Decision.SWAP_HAND:
        state.picked = argument
        ask(state, seat, Decision.SWAP_PREP)
    elif decision == Decision.SWAP_PREP:
        choose_own_prep(state, seat, argument)
    else:
        cards.do_swap_preps(state, seat, argument)


@hot_kernel
def choose_own_prep(state, seat, card):
    """Carry out SWAP_PREP: complete a swap with the hand, or ask for a card in another prep module."""
    if state.picked != NO_CARD:
        cards.do_swap_hand_and_prep(state, seat, card)
    else:
        state.picked = card
        ask(state, seat, Decision.SWAP_OTHER)


@hot_kernel
def settle_more(state, seat):
    """Settle one colonist in the running program's Building. If the seat may settle more, ask again."""
    settle(state.seats[seat], PROGRAM_BUILDING[state.program])
    state.left -= 1
    if state.left > 0 and colonists.can_settle(state, seat):
        ask(state, seat, Decision.SETTLE_MORE)


@hot_kernel
def put_under(state, seat, card):
    """Put a card under the deck, and ask again if more cards may be put there."""
    cards.do_put_under(state, seat, card)
    state.left -= 1
    if state.left > 0 and cards.choices_put_under(state, seat) != NOTHING:
        ask(state, seat, Decision.PUT_UNDER)
