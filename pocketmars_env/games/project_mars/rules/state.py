"""The state of a game: one fixed-size NumPy record.

A copy of the bytes is a copy of the game. A batch of games is an array of records. Unordered zones, such as
the hand, are stored as the number of cards of each type, because copies of a type in a zone differ only in
whether they are revealed. The deck is stored in order, and a seat's field as one entry per slot. In
fields for a card, seat, slot or decision, -1 means "none".
"""

import numpy as np

from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.states import States, blank_records
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, ROUNDS, SEATS, SLOTS

LEGAL_ACTION_WORDS = 4
"""Number of int64 words in the set of legal actions; see `core/compiled/legal_actions.py`."""
MOST_REVEALS = 2
"""Maximum number of random reveals in one step; Drone reveals up to two cards."""

SEAT = np.dtype(
    [
        # cards by type
        ("decklist", np.int8, (NUM_TYPES,)),
        ("hand", np.int8, (NUM_TYPES,)),  # including the revealed cards
        ("revealed", np.int8, (NUM_TYPES,)),  # the revealed cards in hand
        ("back_hand", np.int8, (NUM_TYPES,)),  # including the revealed cards
        ("back_revealed", np.int8, (NUM_TYPES,)),
        ("aside", np.int8, (NUM_TYPES,)),  # set aside (traded, or given for Research Station)
        ("junkyard", np.int8, (NUM_TYPES,)),
        ("in_deck", np.int8, (NUM_TYPES,)),  # the cards of `deck`, without their order
        # the deck, from bottom to top
        ("deck", np.int8, (DECK_SIZE,)),
        ("deck_size", np.int8),
        # the field
        ("card", np.int8, (SLOTS,)),  # the type in each slot, or NO_CARD
        ("owner", np.int8, (SLOTS,)),  # the owner of that card, which may be a trap of the enemy
        ("bonus", np.int8, (SLOTS,)),
        ("zeroed", np.int8, (SLOTS,)),
        ("disabled", np.int8, (SLOTS,)),
        # the round
        ("utility", np.int8),  # the UTILITY card whose effect is being carried out
        ("utility_used", np.int8),
        ("passed", np.int8),
        ("wins", np.int8),  # rounds won
        ("results", np.int8, (ROUNDS,)),  # TPR of finished rounds
        ("starter", np.int8),  # the index of the configured starter deck, or -1
        ("fewer_cards", np.int8),  # in small games: the cards in a full hand fewer than HAND_LIMIT
        ("unused", np.int8, (1,)),  # always 0
    ]
)

STATE = np.dtype(
    [
        ("legal_actions", np.int64, (LEGAL_ACTION_WORDS,)),
        ("seed", np.uint64),  # the seed of the game's random stream
        ("draws", np.uint32),  # random numbers drawn from this stream so far
        # configuration
        ("mode", np.int8),
        ("copies", np.int8),
        # the round
        ("round_number", np.int8),
        ("first_seat", np.int8),  # the seat that begins the round; NO_SEAT before it is drawn
        ("given_first", np.int8),  # the first player named in a given deal; NO_SEAT once round 1 begins
        ("turn_seat", np.int8),
        ("gas", np.int8),
        # the decision
        ("stage", np.int8),
        ("to_play", np.int8),
        ("decision", np.int8),
        ("served", np.int8),  # number of seats that have finished the mulligan or keeping cards; 0 on turns
        ("left", np.int8),
        ("effect_card", np.int8),
        ("effect_seat", np.int8),
        ("effect_slot", np.int8),
        ("placed", np.int8),  # the slot of the card that is being placed
        ("over", np.int8),
        ("truncated", np.int8),
        # random events; `Game.stack_chance` can set their results in advance
        ("shuffles", np.int8),  # number of shuffles so far, excluding those of the deal
        ("reveals", np.int8),  # number of random reveals so far
        ("stacked_size", np.int8),
        ("stacked", np.int8, (DECK_SIZE,)),
        ("stacked_reveals_size", np.int8),
        ("stacked_reveals", np.int8, (MOST_REVEALS,)),
        # small games; all 0 in the full game
        ("small", np.int8),  # the number of the small game, from 1; see `small.py` of the game
        ("missing_slots", np.uint8),  # bit set of slots in which no card can be placed
        ("log2_deals", np.int8),  # binary logarithm of the number of deals
        ("unused", np.int8, (1,)),  # always 0; pads the record to a multiple of 8 bytes
        ("seats", SEAT, (SEATS,)),
    ]
)


def new_states(count: int) -> States:
    """Return a ``(count,)`` array of `STATE` records with all bytes zero."""
    return blank_records(count, STATE)


@kernel
def number_of_seats(state):
    return np.int64(SEATS)


@kernel
def is_automaton(state, seat):
    """Return False, because this game has no automaton."""
    return False
