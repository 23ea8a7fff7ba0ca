"""What the seats know about cards (see "Knowledge" in `rules/README.md`), and what they see of an action.

`seat.knows` holds every card whose exact place the seat knows. A card that moves stays known to the same
seats if they can tell which card moved; the kernels in this module handle all other cases.
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import only
from pocketmars_env.core.compiled.chance import mixed_word
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.actions import CARD, DECISIONS, NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, NUM_CARDS, SUIT_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats

IS_HIDDEN = np.array([row.is_hidden for row in DECISIONS])
"""``(number of decision types,)`` bool: whether other seats see at most the suit of the chosen card."""


@kernel
def reveal(state, card):
    """Make a card known to all seats, because it is face up."""
    for seat in range(number_of_seats(state)):
        state.seats[seat].knows |= only(card)


@kernel
def forget(state, cards):
    """Make cards unknown to all seats, because they have been shuffled."""
    for seat in range(number_of_seats(state)):
        state.seats[seat].knows &= ~cards


@kernel
def learn(state, seat, card):
    """Make a card known to the seat, but not to Devious Automatics (DA), which never looks at cards."""
    if not (state.solo and seat == DA_SEAT):
        state.seats[seat].knows |= only(card)


@kernel
def lose_track(state, owner, cards):
    """Make cards unknown to all seats except `owner`."""
    for seat in range(number_of_seats(state)):
        if seat != owner:
            state.seats[seat].knows &= ~cards


@kernel
def card_leaves_hand_face_down(state, owner, card, hand):
    """Make a hand's cards of the suit of `card` unknown to other seats when `card` leaves the hand face down.

    Nothing changes if `card` is the only one of its suit in `hand`, the hand before `card` leaves it.
    """
    alike = hand & SUIT_CARDS[CARD_SUIT[card]]
    if alike != only(card):
        lose_track(state, owner, alike)


@kernel
def one_of_two_is_put_down(state, owner, kept, put):
    """Make both drawn cards unknown to the other seats if the cards have the same suit (R-KEEP)."""
    if CARD_SUIT[kept] == CARD_SUIT[put]:
        lose_track(state, owner, only(kept) | only(put))


# --- information sets -----------------------------------------------------------------------------


@kernel
def seen_action(state, action, seat):
    """Return the action that is about to be played or, if its card is hidden, ``NUM_ACTIONS`` + its suit."""
    is_card = CARD <= action < CARD + NUM_CARDS
    if is_card and IS_HIDDEN[state.decision] and state.to_play != seat:
        return NUM_ACTIONS + CARD_SUIT[action - CARD]
    return action


@kernel
def with_private_knowledge(key, state, seat):
    """Return a hash of `key`, and of the hand and the drawn cards of `seat`, which must be to play."""
    return mixed_word(mixed_word(key, np.uint64(state.seats[seat].hand)), np.uint64(state.drawn))
