"""Kernels that move cards between the deck, the discard pile, Buildings' piles, prep modules and hands."""

from pocketmars_env.core.compiled.card_sets import NOTHING, count, only
from pocketmars_env.core.compiled.chance import shuffle
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, CARD_VALUE, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    BUILDING_VALUE,
    DA_SEAT,
    NO_CARD,
    NUM_SUITS,
    PREP_SLOTS,
)
from pocketmars_env.games.pocket_mars.rules.knowledge import forget, learn, reveal

SHUFFLES_WRAP = 100


# --- the deck -------------------------------------------------------------------------------------


@kernel
def shuffle_deck(state):
    """Shuffle the deck, or use the order in `state.stacked` if it has these cards; all seats forget them."""
    state.shuffles = (state.shuffles + 1) % SHUFFLES_WRAP
    state.under = 0
    forget(state, first_cards(state.deck, state.deck_size))
    if is_stacked_for_deck(state):
        for place in range(state.deck_size):
            state.deck[state.deck_size - 1 - place] = state.stacked[place]
        clear_stacked(state)
    else:
        shuffle(state, state.deck, int(state.deck_size))


@kernel
def is_stacked_for_deck(state):
    """Return whether the order in `state.stacked` contains exactly the cards in the deck."""
    size = state.stacked_size
    return size == state.deck_size and first_cards(state.stacked, size) == first_cards(state.deck, size)


@kernel
def first_cards(cards, number):
    """Return the first `number` cards of an array as a set."""
    found = NOTHING
    for place in range(number):
        found |= only(cards[place])
    return found


@kernel
def clear_stacked(state):
    for place in range(NUM_CARDS):
        state.stacked[place] = NO_CARD
    state.stacked_size = 0


@kernel
def put_on_deck(state, card):
    """Put a card on top of the deck."""
    state.deck[state.deck_size] = card
    state.deck_size += 1


@kernel
def take_from_deck(state):
    """Remove and return the deck's top card; with 2 to 4 players, rebuild the deck after its last card."""
    state.deck_size -= 1
    card = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = NO_CARD
    state.under = min(int(state.under), int(state.deck_size))
    if state.deck_size == 0 and not state.solo:
        rebuild_deck(state)
    return card


@kernel
def put_under_deck(state, card):
    """Put a card face down at the bottom of the deck; the seats that know the card still know it (R-LOOK)."""
    put_on_deck(state, card)
    for place in range(state.deck_size - 1, 0, -1):
        state.deck[place] = state.deck[place - 1]
    state.deck[0] = card
    state.under += 1


@kernel
def rebuild_deck(state):
    """Discard the covered cards of all piles, and shuffle the discard pile into a new deck."""
    for building in range(NUM_SUITS):
        discard_covered(state, building)
    for place in range(state.discard_size):
        put_on_deck(state, int(state.discard[place]))
        state.discard[place] = NO_CARD
    state.discard_size = 0
    shuffle_deck(state)


@kernel
def discard_covered(state, building):
    """Discard all cards of a pile except the top one."""
    size = int(state.pile_size[building])
    for place in range(size - 1):
        discard(state, int(state.pile[building, place]))
        state.face_down &= ~only(state.pile[building, place])
        state.pile[building, place] = NO_CARD
    if size > 1:
        state.pile[building, 0] = state.pile[building, size - 1]
        state.pile[building, size - 1] = NO_CARD
        state.pile_size[building] = 1


# --- the discard pile -----------------------------------------------------------------------------


@kernel
def discard(state, card):
    """Put a card face up on the discard pile."""
    state.discard[state.discard_size] = card
    state.discard_size += 1
    reveal(state, card)


@kernel
def discard_from_deck(state, number):
    """Discard up to `number` cards from the top of the deck; this does not count as drawing."""
    for _ in range(number):
        if state.deck_size > 0:
            discard(state, take_from_deck(state))


@kernel
def take_from_discard(state, card):
    """Remove a card from the discard pile; the other cards keep their order."""
    state.discard_size -= 1
    place = 0
    while state.discard[place] != card:
        place += 1
    for later in range(place, state.discard_size):
        state.discard[later] = state.discard[later + 1]
    state.discard[state.discard_size] = NO_CARD


# --- the Buildings' piles -------------------------------------------------------------------------


@kernel
def add_to_pile(state, card):
    building = CARD_SUIT[card]
    state.pile[building, state.pile_size[building]] = card
    state.pile_size[building] += 1


@kernel
def put_on_pile(state, card):
    """Put a card face up on the pile of its Building."""
    add_to_pile(state, card)
    reveal(state, card)


@kernel
def put_face_down_on_pile(state, card):
    """Put a card face down on the pile of its Building; the seats that know the card still know it."""
    add_to_pile(state, card)
    state.face_down |= only(card)


@kernel
def top_of_pile(state, building):
    """Return the top card of a non-empty pile."""
    return int(state.pile[building, state.pile_size[building] - 1])


@kernel
def take_from_pile(state, building):
    """Remove and return the top card of a pile."""
    card = top_of_pile(state, building)
    state.pile_size[building] -= 1
    state.pile[building, state.pile_size[building]] = NO_CARD
    state.face_down &= ~only(card)
    return card


@kernel
def value_in_pile(state, building, place):
    """Return the value of a card in a pile (0 if it is face down), or `BUILDING_VALUE` if `place` is -1."""
    if place < 0:
        return BUILDING_VALUE
    card = state.pile[building, place]
    if state.face_down & only(card):
        return 0
    return int(CARD_VALUE[card])


# --- prep modules and hands -----------------------------------------------------------------------


@kernel
def cards_in_slots(slots):
    """Return the set of cards in an array in which an empty slot is NO_CARD."""
    cards = NOTHING
    for slot in range(PREP_SLOTS):
        if slots[slot] != NO_CARD:
            cards |= only(slots[slot])
    return cards


@kernel
def prep_cards(state, seat):
    """Return the set of cards in a prep module."""
    return cards_in_slots(state.seats[seat].prep)


@kernel
def number_in_prep(state, seat):
    """Return the number of cards in a prep module."""
    return count(prep_cards(state, seat))


@kernel
def slot_of(state, seat, card):
    """Return the prep slot with `card`, which must be in one; for NO_CARD, the lowest empty slot."""
    return 0 if state.seats[seat].prep[0] == card else 1


@kernel
def take_from_prep(state, seat, slot):
    """Remove and return the card in a prep slot."""
    card = int(state.seats[seat].prep[slot])
    state.seats[seat].prep[slot] = NO_CARD
    return card


@kernel
def put_into_prep(state, seat, card):
    """Put a card face down into the lowest empty prep slot."""
    state.seats[seat].prep[slot_of(state, seat, NO_CARD)] = card


@kernel
def put_into_hand(state, seat, card):
    """Put a card into a seat's hand; the seat then knows the card."""
    state.seats[seat].hand |= only(card)
    learn(state, seat, card)


@kernel
def take_from_hand(state, seat, card):
    state.seats[seat].hand &= ~only(card)


@kernel
def refill_da_module(state):
    """Refill the prep module of Devious Automatics from the deck to two cards, or until the deck is empty."""
    while number_in_prep(state, DA_SEAT) < PREP_SLOTS and state.deck_size > 0:
        put_into_prep(state, DA_SEAT, take_from_deck(state))
