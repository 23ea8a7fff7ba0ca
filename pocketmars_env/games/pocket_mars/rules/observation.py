"""The observation: one vector of fixed length for every mode, player count and seat.

`OBSERVATION_LAYOUT` names the pieces in order; every entry lies in [0, 1]. Seats are relative
(+0 is the seat itself, +1 its left neighbour), so that one network can play every seat.

The vector is sound: it does not depend on anything that the seat does not know
(`testing.check_no_leak`). It is complete: positions that the seat can tell apart have different vectors
(`testing.check_told_apart`).
"""

import numpy as np

from pocketmars_env.core.compiled.apart import VECTOR, compiled_apart
from pocketmars_env.core.compiled.card_sets import NOTHING, count, has, lowest, without_lowest
from pocketmars_env.core.compiled.compiling import hot_kernel
from pocketmars_env.core.layout import Piece, size_of, start_of_piece
from pocketmars_env.games.pocket_mars.config import MAX_ROUND_LIMIT
from pocketmars_env.games.pocket_mars.rules.cards import (
    CARD_SUIT,
    CARD_VALUE,
    CARDS_PER_SUIT,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    NUM_CARDS,
)
from pocketmars_env.games.pocket_mars.rules.colonists import in_buildings
from pocketmars_env.games.pocket_mars.rules.constants import (
    COLONISTS,
    DA_SEAT,
    MAX_ENERGY,
    MAX_HANDICAP,
    MAX_SEATS,
    NO_CARD,
    NO_PROGRAM,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
    Edition,
    Level,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.moving_cards import top_of_pile, value_in_pile
from pocketmars_env.games.pocket_mars.rules.scoring import anybody_settled_all, has_highest_energy, score
from pocketmars_env.games.pocket_mars.rules.state import (
    STATE,
    number_of_seats,
    relative_seat,
    seat_at,
    star2_limit,
)

ROUNDS_SCALE = 20
SCORE_SCALE = 60
"""An upper bound of the DA's score with the highest handicap."""
VALUE_SCALE = int(CARD_VALUE.max())
STAR2_SCALE = 2
LEFT_SCALE = 2
HAND_SCALE = 8

CARD_PLACES = (
    "own hand",
    "own packet (draft)",
    "own prep slot 0",
    "own prep slot 1",
    "hand of seat +1",
    "hand of seat +2",
    "hand of seat +3",
    "prep slot 0 of seat +1",
    "prep slot 1 of seat +1",
    "prep slot 0 of seat +2",
    "prep slot 1 of seat +2",
    "prep slot 0 of seat +3",
    "prep slot 1 of seat +3",
    "drawn, held apart from the hand",
    "in play",
    "discard pile",
    "top of its pile, face up",
    "covered in its pile, face up",
    "top of its pile, face down",
    "covered in its pile, face down",
    "unknown",
    "deck",
)
"""The possible places of a card for the seat; another seat's packet counts as its hand."""

SEAT_FEATURES = (
    "the seat exists", "it is the DA", "it has the highest energy",
    "colonists on Earth / 7", "colonists on the Ship / 7", "colonists in Buildings / 7",
    "energy / 7", "score if the game ended now / 60", "cards in hand / 8",
)  # fmt: skip
SEAT_STEPS = (0, 0, 0, COLONISTS, COLONISTS, COLONISTS, MAX_ENERGY, SCORE_SCALE, HAND_SCALE)
BUILDING_FEATURES = (
    "value to beat / 7",
    "has a card",
    "its top card is face down",
    f"cards / {CARDS_PER_SUIT}",
)
BUILDING_STEPS = (VALUE_SCALE, 0, 0, CARDS_PER_SUIT)


OBSERVATION_LAYOUT: tuple[Piece, ...] = (
    Piece("players", (MAX_SEATS,), "one-hot: 1 (the solo game), 2, 3 or 4 players"),
    Piece("level", (len(Level),), "solo, one-hot: standard, super_droid, cyborg"),
    Piece("handicap", (1,), f"points added to the DA's score / {MAX_HANDICAP}", (MAX_HANDICAP,)),
    Piece("variants", (3,), "flags: edition board_and_dice, draft, the DA's choices are an agent's"),
    Piece("round", (4,),
          "round / 20 and rounds left until truncation / 20, both at most 1; the same two / 10,000",
          (ROUNDS_SCALE, ROUNDS_SCALE, MAX_ROUND_LIMIT, MAX_ROUND_LIMIT)),
    Piece("starting_seat", (MAX_SEATS,), "one-hot, relative; zeros during the setup"),
    Piece("active_seat", (MAX_SEATS,), "one-hot, relative: whose turn it is; zeros during the setup"),
    Piece("to_play", (MAX_SEATS,), "one-hot, relative: who has to answer; zeros when over"),
    Piece("to_move", (1,), "seats that have their turn after this one in this round / 3; 0 during the setup",
          (MAX_SEATS - 1,)),
    Piece("last_round", (1,), "flag: somebody has all colonists in Buildings"),
    Piece("decision", (len(Decision),), "one-hot, in the order of `Decision`"),
    Piece("resolving", (NUM_CARDS,), "one-hot: the card whose action is being resolved"),
    Piece("half", (3,), "one-hot: its top, its bottom, or its Building's ability is carried out"),
    Piece("owner", (MAX_SEATS,), "one-hot, relative: from whose prep module it came"),
    Piece("left", (1,), "how often the choice may still be repeated / 2", (LEFT_SCALE,)),
    Piece("extra_action", (1,), "flag: this is the extra action of Energy 7"),
    Piece("picked", (NUM_CARDS,), "one-hot: the card that the seat itself has chosen first for a swap"),
    Piece("pending", (NUM_CARDS,),
          "setup, the seat's own choices that are not carried out yet: 1/2 the first card, 1 the second",
          (PREP_SLOTS,)),
    Piece("seats", (MAX_SEATS, len(SEAT_FEATURES)), "; ".join(SEAT_FEATURES), SEAT_STEPS),
    Piece("star", (MAX_SEATS, NUM_BUILDINGS), "colonists on ★ / 7", (COLONISTS,)),
    Piece("star2", (MAX_SEATS, NUM_BUILDINGS), "colonists on ★★ / 2", (STAR2_SCALE,)),
    Piece("hand_suits", (MAX_SEATS, NUM_SUITS),
          f"cards of each suit in hand or packet / {CARDS_PER_SUIT}", (CARDS_PER_SUIT,)),
    Piece("packet_suits", (MAX_SEATS, NUM_SUITS),
          f"draft: cards of each suit in the packet alone / {CARDS_PER_SUIT}", (CARDS_PER_SUIT,)),
    Piece("prep_suits", (MAX_SEATS, PREP_SLOTS, NUM_SUITS), "one-hot suit of the card in the slot"),
    Piece("free_star2", (NUM_BUILDINGS,), "free ★★ places / 2", (STAR2_SCALE,)),
    Piece("buildings", (NUM_SUITS, len(BUILDING_FEATURES)), "; ".join(BUILDING_FEATURES), BUILDING_STEPS),
    Piece("deck", (3,),
          f"cards in the deck, in the discard pile, and put under the deck, each / {NUM_CARDS}",
          (NUM_CARDS,)),
    Piece("deck_suits", (NUM_CARDS, NUM_SUITS),
          "one-hot suit of each card of the deck, top first, where it is known to all"),
    Piece("drawn_suits", (NUM_SUITS,), "cards of each suit held apart from the hand / 2", (2,)),
    Piece("in_packet", (NUM_CARDS,), "flag: the card is in a packet, and the seat knows in which"),
    Piece("depth", (NUM_CARDS,), "known cards in the deck, the discard pile or a Building's pile: 1 on top, "
          "1/35 less for each card above", (NUM_CARDS,)),
    Piece("cards", (NUM_CARDS, len(CARD_PLACES)), "one-hot place of each card: " + ", ".join(CARD_PLACES)),
)  # fmt: skip

OBSERVATION_SIZE = size_of(OBSERVATION_LAYOUT)


def start_of(name: str) -> int:
    """The index of the first entry of the piece `name`."""
    return start_of_piece(OBSERVATION_LAYOUT, name)


PLAYERS = start_of("players")
LEVEL = start_of("level")
VARIANTS = start_of("variants")
ROUND = start_of("round")
HANDICAP = start_of("handicap")
STARTING_SEAT = start_of("starting_seat")
ACTIVE_SEAT = start_of("active_seat")
TO_PLAY = start_of("to_play")
TO_MOVE = start_of("to_move")
LAST_ROUND = start_of("last_round")
DECISION = start_of("decision")
RESOLVING = start_of("resolving")
HALF = start_of("half")
OWNER = start_of("owner")
LEFT = start_of("left")
EXTRA_ACTION = start_of("extra_action")
PICKED = start_of("picked")
PENDING = start_of("pending")
SEATS = start_of("seats")
STAR = start_of("star")
STAR2 = start_of("star2")
HAND_SUITS = start_of("hand_suits")
PACKET_SUITS = start_of("packet_suits")
PREP_SUITS = start_of("prep_suits")
FREE_STAR2 = start_of("free_star2")
BUILDINGS = start_of("buildings")
DECK = start_of("deck")
DECK_SUITS = start_of("deck_suits")
DRAWN_SUITS = start_of("drawn_suits")
IN_PACKET = start_of("in_packet")
DEPTH = start_of("depth")
CARDS = start_of("cards")

OWN_HAND = CARD_PLACES.index("own hand")
OWN_PACKET = CARD_PLACES.index("own packet (draft)")
OWN_PREP = CARD_PLACES.index("own prep slot 0")
OTHER_HAND = CARD_PLACES.index("hand of seat +1")
OTHER_PREP = CARD_PLACES.index("prep slot 0 of seat +1")
DRAWN = CARD_PLACES.index("drawn, held apart from the hand")
IN_PLAY = CARD_PLACES.index("in play")
DISCARDED = CARD_PLACES.index("discard pile")
TOP_UP = CARD_PLACES.index("top of its pile, face up")
COVERED_UP = CARD_PLACES.index("covered in its pile, face up")
TOP_DOWN = CARD_PLACES.index("top of its pile, face down")
COVERED_DOWN = CARD_PLACES.index("covered in its pile, face down")
UNKNOWN = CARD_PLACES.index("unknown")
IN_DECK = CARD_PLACES.index("deck")

# Scales as float32 factors: multiplication is cheaper than division.
PER_COLONIST = np.float32(1 / COLONISTS)
PER_ENERGY = np.float32(1 / MAX_ENERGY)
PER_CARD_OF_SUIT = np.float32(1 / CARDS_PER_SUIT)
PER_CARD = np.float32(1 / NUM_CARDS)
PER_HAND_CARD = np.float32(1 / HAND_SCALE)
PER_POINT = np.float32(1 / SCORE_SCALE)
PER_VALUE = np.float32(1 / VALUE_SCALE)
PER_STAR2 = np.float32(1 / STAR2_SCALE)
PER_LEFT = np.float32(1 / LEFT_SCALE)
PER_ROUND = np.float32(1 / ROUNDS_SCALE)
PER_ROUND_OF_ALL = np.float32(1 / MAX_ROUND_LIMIT)
PER_PENDING = np.float32(1 / PREP_SLOTS)
PER_POINT_AHEAD = np.float32(1 / MAX_HANDICAP)
PER_OTHER = np.float32(1 / (MAX_SEATS - 1))
ONE = np.float32(1)


@compiled_apart(STATE, np.int64, VECTOR)
def write_observation(state, viewer, out):
    """Write the observation of the seat `viewer` into `out`, ``(OBSERVATION_SIZE,)`` float32."""
    for entry in range(OBSERVATION_SIZE):
        out[entry] = 0
    write_game(state, out)
    write_time(state, viewer, out)
    write_resolving(state, viewer, out)
    for distance in range(number_of_seats(state)):
        write_seat(state, seat_at(state, viewer, distance), distance, out)
    for building in range(NUM_SUITS):
        write_building(state, building, out)
    write_deck(state, out)
    write_cards(state, viewer, out)


@hot_kernel
def write_game(state, out):
    """Write the configuration."""
    out[PLAYERS + int(state.players) - 1] = 1
    if state.solo:
        out[LEVEL + int(state.level)] = 1
    out[HANDICAP] = state.handicap * PER_POINT_AHEAD
    out[VARIANTS] = state.edition == Edition.BOARD_AND_DICE
    out[VARIANTS + 1] = state.draft
    out[VARIANTS + 2] = state.da_agent


@hot_kernel
def write_time(state, viewer, out):
    """Write round, turn order and decision."""
    left = int(state.round_limit) - int(state.round_number)
    out[ROUND] = min(ONE, state.round_number * PER_ROUND)
    out[ROUND + 1] = min(ONE, left * PER_ROUND)
    out[ROUND + 2] = state.round_number * PER_ROUND_OF_ALL
    out[ROUND + 3] = left * PER_ROUND_OF_ALL
    if state.stage >= Stage.TURN:  # before, the starting seat is hidden
        starting, active = int(state.starting_seat), int(state.active_seat)
        out[STARTING_SEAT + relative_seat(state, viewer, starting)] = 1
        out[ACTIVE_SEAT + relative_seat(state, viewer, active)] = 1
        moved = relative_seat(state, starting, active)
        out[TO_MOVE] = (int(state.players) - 1 - moved) * PER_OTHER
    out[LAST_ROUND] = anybody_settled_all(state)
    if not state.over:
        out[TO_PLAY + relative_seat(state, viewer, int(state.to_play))] = 1
        out[DECISION + int(state.decision)] = 1


@hot_kernel
def write_resolving(state, viewer, out):
    """Write the card being resolved and the choices made for it."""
    program = int(state.program)
    tops_running = 0
    if program == NO_PROGRAM:
        if state.played != NO_CARD:
            out[RESOLVING + int(state.played)] = 1
    elif program < FIRST_BOTTOM:
        tops_running = 1
        out[RESOLVING + program] = 1
        out[HALF] = 1
    else:
        out[RESOLVING + int(state.played)] = 1
        out[HALF + (1 if program < FIRST_ABILITY else 2)] = 1
    if state.played != NO_CARD:
        out[OWNER + relative_seat(state, viewer, int(state.owner))] = 1
    out[LEFT] = state.left * PER_LEFT
    out[EXTRA_ACTION] = state.in_play_size > tops_running
    if state.picked != NO_CARD and state.to_play == viewer:
        out[PICKED + int(state.picked)] = 1
    for place in range(PREP_SLOTS):
        card = int(state.seats[viewer].pending[place])
        if card != NO_CARD:
            out[PENDING + card] = (place + 1) * PER_PENDING


@hot_kernel
def write_seat(state, seat, distance, out):
    """Write the public part of a seat: colonists, energy, and the backs of its cards."""
    data = state.seats[seat]
    first = SEATS + distance * len(SEAT_FEATURES)
    cards = data.hand | data.packet
    out[first] = 1
    out[first + 1] = state.solo and seat == DA_SEAT
    out[first + 2] = has_highest_energy(state, seat)
    out[first + 3] = data.earth * PER_COLONIST
    out[first + 4] = data.ship * PER_COLONIST
    out[first + 5] = in_buildings(data) * PER_COLONIST
    out[first + 6] = data.energy * PER_ENERGY
    out[first + 7] = score(state, seat) * PER_POINT
    out[first + 8] = count(cards) * PER_HAND_CARD
    for building in range(NUM_BUILDINGS):
        out[STAR + distance * NUM_BUILDINGS + building] = data.star[building] * PER_COLONIST
        out[STAR2 + distance * NUM_BUILDINGS + building] = data.star2[building] * PER_STAR2
    write_suits(cards, PER_CARD_OF_SUIT, HAND_SUITS + distance * NUM_SUITS, out)
    write_suits(data.packet, PER_CARD_OF_SUIT, PACKET_SUITS + distance * NUM_SUITS, out)
    for slot in range(PREP_SLOTS):
        if data.prep[slot] != NO_CARD:
            suit = CARD_SUIT[data.prep[slot]]
            out[PREP_SUITS + (distance * PREP_SLOTS + slot) * NUM_SUITS + suit] = 1


@hot_kernel
def write_suits(cards, scale, first, out):
    """Write the number of cards of each suit in a set, times `scale`."""
    while cards != NOTHING:
        out[first + CARD_SUIT[lowest(cards)]] += scale
        cards = without_lowest(cards)


@hot_kernel
def write_building(state, building, out):
    """Write a Building's pile and its free ★★ places."""
    first = BUILDINGS + building * len(BUILDING_FEATURES)
    size = int(state.pile_size[building])
    if building < NUM_BUILDINGS:
        taken = 0
        for seat in range(number_of_seats(state)):
            taken += state.seats[seat].star2[building]
        out[FREE_STAR2 + building] = (star2_limit(state) - taken) * PER_STAR2
        out[first] = value_in_pile(state, building, size - 1) * PER_VALUE
    if size > 0:
        out[first + 1] = 1
        out[first + 2] = has(state.face_down, top_of_pile(state, building))
        out[first + 3] = size * PER_CARD_OF_SUIT


@hot_kernel
def write_deck(state, out):
    """Write the sizes of deck and discard pile, the public suits in the deck, and the cards held apart."""
    size, under = int(state.deck_size), int(state.under)
    out[DECK] = size * PER_CARD
    out[DECK + 1] = state.discard_size * PER_CARD
    out[DECK + 2] = under * PER_CARD
    if size > under:
        out[DECK_SUITS + CARD_SUIT[state.deck[size - 1]]] = 1
    for place in range(under):
        out[DECK_SUITS + (size - 1 - place) * NUM_SUITS + CARD_SUIT[state.deck[place]]] = 1
    write_suits(state.drawn, PER_STAR2, DRAWN_SUITS, out)


@hot_kernel
def write_cards(state, viewer, out):
    """Write the place of every card, as far as the viewer knows it."""
    known = state.seats[viewer].knows
    for distance in range(number_of_seats(state)):
        write_cards_of_seat(state, known, seat_at(state, viewer, distance), distance, out)
    write_places(state.drawn & known, DRAWN, out)
    for place in range(state.in_play_size):
        write_place(int(state.in_play[place]), IN_PLAY, out)
    top = int(state.discard_size) - 1
    for place in range(top + 1):
        write_at_depth(int(state.discard[place]), DISCARDED, top - place, out)
    top = int(state.deck_size) - 1
    for place in range(state.under):  # nobody knows the others
        if has(known, int(state.deck[place])):
            write_at_depth(int(state.deck[place]), IN_DECK, top - place, out)
    for building in range(NUM_SUITS):
        write_pile(state, known, building, out)
    write_places(~known & ALL_CARDS, UNKNOWN, out)


ALL_CARDS = np.int64((1 << NUM_CARDS) - 1)


@hot_kernel
def write_cards_of_seat(state, known, seat, distance, out):
    """Write the known cards in a seat's hand, packet and prep module."""
    data = state.seats[seat]
    if distance == 0:
        write_places(data.hand & known, OWN_HAND, out)
        write_places(data.packet & known, OWN_PACKET, out)
        first = OWN_PREP
    else:
        write_places((data.hand | data.packet) & known, OTHER_HAND + distance - 1, out)
        first = OTHER_PREP + (distance - 1) * PREP_SLOTS
    packet = data.packet & known
    while packet != NOTHING:
        out[IN_PACKET + lowest(packet)] = 1
        packet = without_lowest(packet)
    for slot in range(PREP_SLOTS):
        card = int(data.prep[slot])
        if card != NO_CARD and has(known, card):
            write_place(card, first + slot, out)


@hot_kernel
def write_pile(state, known, building, out):
    """Write the known cards of a Building's pile."""
    top = int(state.pile_size[building]) - 1
    for place in range(top + 1):
        card = int(state.pile[building, place])
        if has(known, card):
            if has(state.face_down, card):
                write_at_depth(card, TOP_DOWN if place == top else COVERED_DOWN, top - place, out)
            else:
                write_at_depth(card, TOP_UP if place == top else COVERED_UP, top - place, out)


@hot_kernel
def write_place(card, place, out):
    out[CARDS + card * len(CARD_PLACES) + place] = 1


@hot_kernel
def write_at_depth(card, place, above, out):
    """Write the place of a card in an ordered pile with `above` cards above it."""
    write_place(card, place, out)
    out[DEPTH + card] = (NUM_CARDS - above) * PER_CARD


@hot_kernel
def write_places(cards, place, out):
    """Write the same place for all cards of a set."""
    while cards != NOTHING:
        write_place(lowest(cards), place, out)
        cards = without_lowest(cards)
