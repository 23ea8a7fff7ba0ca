"""The state of a game: one fixed-size NumPy record.

To copy a state, copy its bytes. A batch of games is an array of records. A record has no bytes outside its
fields (a test checks this), so equal states have equal bytes. A card set has one bit per card; see
`card_sets.py`. In fields for a card, seat, program or decision, -1 means "none".
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import NOTHING, only
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.states import States, blank_records
from pocketmars_env.games.pocket_mars.rules.cards import CARD_RANK, CARD_SUIT, CARDS_PER_SUIT, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    DA_SEAT,
    MAX_SEATS,
    MOST_IN_PLAY,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
)

LEGAL_ACTION_WORDS = 5
"""Number of int64 words in the set of legal actions; see `core/compiled/legal_actions.py`."""
ALL_CARDS = np.int64((1 << NUM_CARDS) - 1)
"""The set of all cards in the full game."""

CARD_BYTES = 3 * NUM_CARDS + NUM_SUITS * CARDS_PER_SUIT
"""Number of bytes in the fields `deck`, `discard`, `stacked` and `pile`."""
UNUSED_BYTES = 8 - (CARD_BYTES + 11) % 8
"""Size in bytes of the field `unused`, which pads a state record to a multiple of 8 bytes.

Apart from `unused` and the fields counted in CARD_BYTES, a record takes 11 bytes more than a multiple of 8.
"""

SEAT = np.dtype(
    [
        ("hand", np.int64),  # card set
        ("packet", np.int64),  # card set: the packet held while drafting
        ("knows", np.int64),  # card set: the cards whose exact place this seat knows
        ("prep", np.int8, (PREP_SLOTS,)),  # the card in each slot, or NO_CARD
        ("earth", np.int8),  # colonists on Earth, 0..7
        ("ship", np.int8),  # colonists on the Spaceship, 0..7
        ("energy", np.int8),  # 0..7
        ("star", np.int8, (NUM_BUILDINGS,)),  # colonists on ★ of each Building
        ("star2", np.int8, (NUM_BUILDINGS,)),  # colonists on ★★ of each Building
        ("pending", np.int8, (PREP_SLOTS,)),  # cards chosen in the setup but not yet moved, or NO_CARD
        ("more_on_ship", np.int8),  # in small games: colonists on the Spaceship at the start, besides one
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seats", SEAT, (MAX_SEATS,)),  # one record per seat
        # the current decision
        ("legal_actions", np.int64, (LEGAL_ACTION_WORDS,)),  # the legal actions as bits, 60 per word
        # cards
        ("drawn", np.int64),  # card set: the cards drawn for "keep one", until one is kept
        ("face_down", np.int64),  # card set: cards that lie face down on piles
        # chance
        ("seed", np.uint64),  # the seed of the game's random stream
        ("draws", np.uint32),  # how many random numbers have been drawn from this stream
        # time
        ("round_number", np.int16),  # 1, 2, ...; "round" would clash with a method of NumPy's records
        ("round_limit", np.int16),  # the last round; a game that has not ended by then is truncated
        # cards in order; entries beyond the size are NO_CARD
        ("deck", np.int8, (NUM_CARDS,)),  # bottom first: the top is deck[deck_size - 1]
        ("discard", np.int8, (NUM_CARDS,)),  # oldest first
        ("pile", np.int8, (NUM_SUITS, CARDS_PER_SUIT)),  # bottom first, per Building
        ("stacked", np.int8, (NUM_CARDS,)),  # preset order, top first, for a shuffle of exactly these cards
        ("deck_size", np.int8),  # number of cards in the deck
        ("under", np.int8),  # number of cards put under the deck since its last shuffle and still in it
        ("discard_size", np.int8),  # number of cards in the discard pile
        ("pile_size", np.int8, (NUM_SUITS,)),  # number of cards in each Building's pile
        ("stacked_size", np.int8),  # number of cards in `stacked`; 0 if no order is preset
        ("shuffles", np.int8),  # number of shuffles since the deal, modulo 100
        ("in_play", np.int8, (MOST_IN_PLAY,)),  # cards played from hand that are being resolved, oldest first
        ("in_play_size", np.int8),  # number of cards in play
        # configuration
        ("players", np.int8),  # 1 in the solo game, else 2..4
        ("solo", np.int8),  # 1 in the solo game
        ("level", np.int8),  # Level, in the solo game
        ("handicap", np.int8),  # points added to the DA's score
        ("edition", np.int8),  # Edition
        ("draft", np.int8),  # 1 with the draft variant
        ("da_agent", np.int8),  # 1 if an agent makes the DA's choices
        # whose turn it is
        ("starting_seat", np.int8),  # the seat that begins every round
        ("active_seat", np.int8),  # the seat whose turn it is; 0 during the setup
        ("to_play", np.int8),  # the seat to play, or NO_SEAT
        ("decision", np.int8),  # Decision, or NO_DECISION
        ("stage", np.int8),  # Stage
        ("over", np.int8),  # 1 when the game is over
        ("truncated", np.int8),  # 1 if the round limit ended the game
        # what is being resolved
        ("played", np.int8),  # the card played from a prep module in this action, or NO_CARD
        ("owner", np.int8),  # the seat whose prep module contained `played`, or NO_SEAT
        ("program", np.int8),  # the running program, or NO_PROGRAM
        ("line", np.int8),  # the program's next line
        ("actor", np.int8),  # the seat that carries out the program or the 4-card rule, or NO_SEAT
        ("left", np.int8),  # number of choices left at the current line, or of DA upgrades not yet asked for
        ("to_draw", np.int8),  # number of cards that the actor still has to draw
        ("draw_aside", np.int8),  # 1 if the cards still to draw will be set aside until one is kept
        ("picked", np.int8),  # the first card chosen for a swap, or NO_CARD
        ("served", np.int8),  # number of choices asked for (DRAFT, PREP) or of seats done (4-card rule)
        # small games; all 0 in the full game
        ("small", np.int8),  # the number of the small game, from 1; see `small.py` of the game
        ("missing_suits", np.uint8),  # bit set of suits
        ("missing_ranks", np.uint8),  # bit set of ranks, the cards' places in their suits
        ("fewer_cards", np.int8),  # the cards of a player fewer than HAND_LIMIT
        ("fewer_colonists", np.int8),  # the colonists of a player fewer than COLONISTS
        ("log2_deals", np.int8),  # binary logarithm of the number of deals
        ("unused", np.int8, (UNUSED_BYTES,)),  # always 0; pads the record to a multiple of 8 bytes
    ],
    align=True,
)


def new_states(count: int) -> States:
    """Return a ``(count,)`` array of `STATE` records with all bytes zero."""
    return blank_records(count, STATE)


@kernel
def number_of_seats(state):
    """Return the number of seats, including that of Devious Automatics (DA)."""
    return 2 if state.solo else int(state.players)


@kernel
def is_automaton(state, seat):
    """Return whether `seat` is the seat of Devious Automatics."""
    return state.solo != 0 and seat == DA_SEAT


@kernel
def next_seat(state, seat):
    """Return the next seat clockwise after `seat`."""
    following = seat + 1
    return 0 if following == number_of_seats(state) else following


@kernel
def relative_seat(state, seat, other):
    """Return the clockwise distance from `seat` to `other`; 0 if they are the same."""
    distance = other - seat
    return distance if distance >= 0 else distance + number_of_seats(state)


@kernel
def seat_at(state, seat, distance):
    """Return the seat `distance` places clockwise from `seat`."""
    other = seat + distance
    seats = number_of_seats(state)
    return other if other < seats else other - seats


@kernel
def star2_limit(state):
    """Return the number of ★★ places that all seats share in each Building."""
    return 1 if state.players <= 2 else 2


@kernel
def is_in_game(state, card):
    """Return whether the game has the card; only small games lack cards."""
    is_missing = (state.missing_suits >> CARD_SUIT[card]) | (state.missing_ranks >> CARD_RANK[card])
    return is_missing & 1 == 0


@kernel
def all_cards(state):
    """Return the set of all cards in the game."""
    if state.small == 0:
        return ALL_CARDS
    cards = NOTHING
    for card in range(NUM_CARDS):
        if is_in_game(state, card):
            cards |= only(card)
    return cards
