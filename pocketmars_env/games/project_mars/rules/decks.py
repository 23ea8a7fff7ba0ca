"""Chooses the decks of a game according to the mode."""

import numpy as np

from pocketmars_env.core.compiled.chance import mixed, random_number
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.project_mars.rules.cards import (
    NUM_FIELD_TYPES,
    NUM_TYPES,
    STARTER_COUNTS,
    STARTERS,
)
from pocketmars_env.games.project_mars.rules.constants import (
    DECK_SIZE,
    MAX_UTILITIES,
    NO_CARD,
    SEATS,
    Mode,
)
from pocketmars_env.games.project_mars.rules.moving_cards import put_on_deck

NUM_STARTERS = len(STARTERS)
POOL_COPIES, POOL_UTILITIES = 3, 2
"""Numbers of copies of each OFFENSE or GUARDIAN type, and of each UTILITY type, in the pools from which
random decks are drawn."""
DECK_STREAM = 1
"""Label of the random stream used to choose decks. This stream is separate from the game's stream, so
choosing decks does not affect other random events."""


@kernel
def choose_decks(state, seed):
    """Choose the deck lists of both seats, except constructed deck lists, which are already in the state."""
    stream = mixed(seed, np.uint64(DECK_STREAM))
    if state.mode == Mode.RANDOM:
        for seat in range(SEATS):
            choose_random_deck(state.seats[seat].decklist, stream, seat * DECK_SIZE)
    elif state.mode != Mode.CONSTRUCTED:
        for seat in range(SEATS):
            draw = 0 if state.mode == Mode.SAME else seat
            starter = int(state.seats[seat].starter)
            if starter < 0:
                starter = random_number(stream, draw, NUM_STARTERS)
            for card in range(NUM_TYPES):
                state.seats[seat].decklist[card] = STARTER_COUNTS[starter, card]


@kernel
def choose_random_deck(decklist, stream, draw):
    """Draw a random deck list, using the random numbers of `stream` from index `draw` on."""
    for card in range(NUM_TYPES):
        decklist[card] = 0
    fields = DECK_SIZE - MAX_UTILITIES
    take_from_pool(decklist, 0, NUM_FIELD_TYPES, POOL_COPIES, fields, stream, draw)
    take_from_pool(decklist, NUM_FIELD_TYPES, NUM_TYPES, POOL_UTILITIES, MAX_UTILITIES, stream, draw + fields)


@kernel
def take_from_pool(decklist, first, end, copies, number, stream, draw):
    """Draw random cards from a pool with `copies` of each type in ``range(first, end)`` into a deck list."""
    pool = (end - first) * copies
    for k in range(number):
        place = random_number(stream, draw + k, pool - k)
        card = first
        while place >= copies - decklist[card]:
            place -= copies - decklist[card]
            card += 1
        decklist[card] += 1


@kernel
def fill_deck(seat):
    """Fill a seat's deck with the cards in its deck list, from bottom to top in ascending order of type."""
    seat.deck_size = 0
    for place in range(DECK_SIZE):
        seat.deck[place] = NO_CARD
    for card in range(NUM_TYPES):
        seat.in_deck[card] = 0
        for _ in range(seat.decklist[card]):
            put_on_deck(seat, card)
