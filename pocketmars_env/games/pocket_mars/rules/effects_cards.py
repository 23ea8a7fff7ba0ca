"""Kernels for the ops that concern cards; `effects_colonists.py` explains how the kernels are named.

A SLOT argument encodes a prep slot of another seat, and a SEAT argument encodes another seat (see
`actions.py`).
"""

from pocketmars_env.core.compiled.card_sets import NOTHING, has, lowest, only
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.actions import OTHERS, decode_slot, encode_slot
from pocketmars_env.games.pocket_mars.rules.cards import SUIT_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, NO_CARD, NUM_SUITS, PREP_SLOTS
from pocketmars_env.games.pocket_mars.rules.knowledge import (
    card_leaves_hand_face_down,
    learn,
    one_of_two_is_put_down,
)
from pocketmars_env.games.pocket_mars.rules.moving_cards import (
    discard,
    number_in_prep,
    prep_cards,
    put_face_down_on_pile,
    put_into_hand,
    put_into_prep,
    put_under_deck,
    slot_of,
    take_from_discard,
    take_from_hand,
    take_from_pile,
    take_from_prep,
    top_of_pile,
)
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats, relative_seat, seat_at

# --- the suit in hand -----------------------------------------------------------------------------


@kernel
def choices_discard_suit(state, seat, here):
    """Return the cards of suit `here` in the hand; the card being played has already left it (R-ICON)."""
    return state.seats[seat].hand & SUIT_CARDS[here]


@kernel
def do_discard_from_hand(state, seat, card):
    take_from_hand(state, seat, card)
    discard(state, card)


# --- drawing --------------------------------------------------------------------------------------


@kernel
def can_draw(state):
    """Return whether the deck or, in the solo game, the prep module of Devious Automatics (DA) has a card."""
    return state.deck_size > 0 or (state.solo and number_in_prep(state, DA_SEAT) > 0)


@kernel
def receive_drawn(state, seat, card):
    """Put a drawn card into the hand, or set it aside if `state.draw_aside` is 1; decrement `to_draw`."""
    if state.draw_aside:
        state.drawn |= only(card)
        learn(state, seat, card)
    else:
        put_into_hand(state, seat, card)
    state.to_draw -= 1
    if state.to_draw == 0:
        state.draw_aside = 0


@kernel
def do_draw_from_da(state, seat, argument):
    receive_drawn(state, seat, take_from_prep(state, DA_SEAT, slot_in(argument)))


@kernel
def do_keep(state, seat, kept):
    """Put one drawn card into the hand and the other, if any, face down on its Building's pile (R-KEEP)."""
    put = state.drawn & ~only(kept)
    state.drawn = NOTHING
    put_into_hand(state, seat, kept)
    if put != NOTHING:
        put_face_down_on_pile(state, lowest(put))
        one_of_two_is_put_down(state, seat, kept, lowest(put))


# --- taking and turning ---------------------------------------------------------------------------


@kernel
def do_take_from_discard(state, seat, card):
    take_from_discard(state, card)
    put_into_hand(state, seat, card)


@kernel
def choices_take_top(state, closed):
    """Return the Buildings with a card on their pile, except the Building `closed` (-1: none; R-SELF)."""
    choices = NOTHING
    for building in range(NUM_SUITS):
        if state.pile_size[building] > 0 and building != closed:
            choices |= only(building)
    return choices


@kernel
def do_take_top(state, seat, building):
    put_into_hand(state, seat, take_from_pile(state, building))


@kernel
def choices_turn_down(state, closed):
    """Return the Buildings whose top card is face up, except the Building `closed` (-1: none; R-SELF)."""
    choices = choices_take_top(state, closed)
    for building in range(NUM_SUITS):
        if has(choices, building) and has(state.face_down, top_of_pile(state, building)):
            choices &= ~only(building)
    return choices


@kernel
def do_turn_down(state, building):
    state.face_down |= only(top_of_pile(state, building))


# --- putting under the deck -----------------------------------------------------------------------


@kernel
def choices_put_under(state, seat):
    return state.seats[seat].hand


@kernel
def choices_put_any_under(state, seat):
    return state.seats[seat].hand | prep_cards(state, seat)


@kernel
def do_put_under(state, seat, card):
    hand = state.seats[seat].hand
    if has(hand, card):
        card_leaves_hand_face_down(state, seat, card, hand)
        take_from_hand(state, seat, card)
    else:
        take_from_prep(state, seat, slot_of(state, seat, card))
    put_under_deck(state, card)


# --- hand and prep modules ------------------------------------------------------------------------


@kernel
def do_fill(state, seat, card):
    """Put a card from the hand face down into the lowest empty prep slot."""
    card_leaves_hand_face_down(state, seat, card, state.seats[seat].hand)
    take_from_hand(state, seat, card)
    put_into_prep(state, seat, card)


@kernel
def can_swap_hand_and_prep(state, seat):
    return state.seats[seat].hand != NOTHING and number_in_prep(state, seat) > 0


@kernel
def do_swap_hand_and_prep(state, seat, card):
    """Swap `state.picked` in the hand with `card` in the prep module (R-SLOTS)."""
    slot = slot_of(state, seat, card)
    card_leaves_hand_face_down(state, seat, int(state.picked), state.seats[seat].hand)
    take_from_hand(state, seat, int(state.picked))
    put_into_hand(state, seat, card)
    state.seats[seat].prep[slot] = state.picked
    state.picked = NO_CARD


@kernel
def can_swap_preps(state, seat):
    return number_in_prep(state, seat) > 0 and choices_swap_other(state, seat) != NOTHING


@kernel
def choices_swap_other(state, seat):
    """Return all cards in other seats' prep modules as SLOT arguments."""
    choices = NOTHING
    for other in range(number_of_seats(state)):
        if other != seat:
            choices |= slots_of_seat(state, seat, other)
    return choices


@kernel
def do_swap_preps(state, seat, argument):
    """Swap `state.picked` in the seat's prep module with a card in another seat's prep module."""
    other, slot = owner_in(state, seat, argument), slot_in(argument)
    given, own_slot = int(state.picked), slot_of(state, seat, int(state.picked))
    taken = int(state.seats[other].prep[slot])
    state.seats[seat].prep[own_slot] = taken
    state.seats[other].prep[slot] = given
    learn(state, seat, taken)
    learn(state, other, given)
    state.picked = NO_CARD


@kernel
def choices_look(state, seat):
    """Return the other seats whose prep module has a card that `seat` does not know, as SEAT arguments."""
    choices = NOTHING
    for distance in range(1, min(OTHERS + 1, number_of_seats(state))):
        other = seat_at(state, seat, distance)
        if prep_cards(state, other) & ~state.seats[seat].knows:
            choices |= only(distance - 1)
    return choices


@kernel
def do_look(state, seat, argument):
    state.seats[seat].knows |= prep_cards(state, seat_at(state, seat, argument + 1))


# --- SLOT arguments ---------------------------------------------------------------------------------


@kernel
def slots_of_seat(state, seat, other):
    """Return the cards in the prep module of `other` as SLOT arguments relative to `seat`."""
    choices = NOTHING
    distance = relative_seat(state, seat, other)
    for slot in range(PREP_SLOTS):
        if state.seats[other].prep[slot] != NO_CARD:
            choices |= only(encode_slot(distance, slot))
    return choices


@kernel
def owner_in(state, seat, argument):
    """Return the owner of the prep slot that a SLOT argument relative to `seat` refers to."""
    return seat_at(state, seat, decode_slot(argument)[0])


@kernel
def slot_in(argument):
    """Return the prep slot (0 or 1) of a SLOT argument."""
    return decode_slot(argument)[1]
