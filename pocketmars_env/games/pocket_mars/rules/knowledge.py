"""Who knows which card's place (rules, "Knowledge"), and what a seat sees of an answer.

`seat.knows` holds every card whose exact place the seat knows. A card that moves between places
that others can tell apart keeps who knows it; these kernels are called where that is not so.
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import only
from pocketmars_env.core.compiled.chance import mixed
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.actions import CARD, DECISIONS, NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, NUM_CARDS, SUIT_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats

IS_HIDDEN = np.array([row.is_hidden for row in DECISIONS])
"""Others see at most the suit of the card that is chosen."""


@kernel
def reveal(state, card):
    """Everybody sees the card: it is face up, or comes from a public place."""
    for seat in range(number_of_seats(state)):
        state.seats[seat].knows |= only(card)


@kernel
def forget(state, cards):
    """Nobody knows the places of these cards any more: they have been shuffled."""
    for seat in range(number_of_seats(state)):
        state.seats[seat].knows &= ~cards


@kernel
def learn(state, seat, card):
    """The seat sees the card. Devious Automatics looks at nothing."""
    if not (state.solo and seat == DA_SEAT):
        state.seats[seat].knows |= only(card)


@kernel
def lose_track(state, owner, cards):
    """Everybody but `owner` forgets the places of these cards."""
    for seat in range(number_of_seats(state)):
        if seat != owner:
            state.seats[seat].knows &= ~cards


@kernel
def card_leaves_hand_face_down(state, owner, card, hand):
    """Others can tell which card of `hand` it was only if no other one there has its suit."""
    alike = hand & SUIT_CARDS[CARD_SUIT[card]]
    if alike != only(card):
        lose_track(state, owner, alike)


@kernel
def one_of_two_is_put_down(state, owner, kept, put):
    """Of two drawn cards of one suit, only their owner can tell which was kept."""
    if CARD_SUIT[kept] == CARD_SUIT[put]:
        lose_track(state, owner, only(kept) | only(put))


# --- information sets -----------------------------------------------------------------------------


@kernel
def seen_action(state, action, seat):
    """What a seat sees of an action: the action, or only the suit of its card."""
    is_card = CARD <= action < CARD + NUM_CARDS
    if is_card and IS_HIDDEN[state.decision] and state.asked_seat != seat:
        return NUM_ACTIONS + CARD_SUIT[action - CARD]
    return action


@kernel
def with_private_knowledge(key, state, seat):
    """A key of what only this seat sees: its hand and the cards it has drawn to keep one of them."""
    return mixed(mixed(key, np.uint64(state.seats[seat].hand)), np.uint64(state.drawn))
