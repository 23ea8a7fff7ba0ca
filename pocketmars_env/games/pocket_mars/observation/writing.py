"""Writes the observation, a vector that has the same length for every mode, player count and seat.

The vector is sound: it does not depend on anything that the observing seat does not know
(`testing.check_no_leak`). It is complete: positions that this seat can distinguish have different vectors
(`testing.check_told_apart`). `layout.py` names the pieces of the vector.
"""

import numpy as np

from pocketmars_env.core.compiled.apart import VECTOR, compiled_apart
from pocketmars_env.core.compiled.card_sets import NOTHING, count, has, lowest, without_lowest
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.pocket_mars.observation import layout as at
from pocketmars_env.games.pocket_mars.rules.cards import (
    CARD_SUIT,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    NUM_CARDS,
    SUIT_CARDS,
)
from pocketmars_env.games.pocket_mars.rules.colonists import free_star2, in_buildings
from pocketmars_env.games.pocket_mars.rules.constants import (
    DA_SEAT,
    NO_CARD,
    NO_PROGRAM,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Edition,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.moving_cards import top_of_pile, value_in_pile
from pocketmars_env.games.pocket_mars.rules.scoring import anybody_settled_all, has_highest_energy, score
from pocketmars_env.games.pocket_mars.rules.state import (
    STATE,
    all_cards,
    number_of_seats,
    relative_seat,
    seat_at,
)


@compiled_apart(STATE, np.int64, VECTOR)
def write_observation(state, viewer, out):
    """Write the observation of the seat `viewer` into `out`, ``(OBSERVATION_SIZE,)`` float32."""
    write_entries(state, viewer, True, out)


@kernel
def write_counts(state, viewer, out):
    """Write the observation as counts, uint8; the round limit must be at most 255."""
    write_entries(state, viewer, False, out)


@hot_kernel
def write_entries(state, viewer, is_scaled, out):
    """Write the observation as counts, multiplied by `SCALES` if `is_scaled`."""
    for entry in range(at.OBSERVATION_SIZE):
        out[entry] = 0
    write_game(state, is_scaled, out)
    write_time(state, viewer, is_scaled, out)
    write_resolving(state, viewer, is_scaled, out)
    for distance in range(number_of_seats(state)):
        write_seat(state, seat_at(state, viewer, distance), distance, is_scaled, out)
    for building in range(NUM_SUITS):
        write_building(state, building, is_scaled, out)
    write_deck(state, is_scaled, out)
    write_cards(state, viewer, is_scaled, out)


@hot_kernel
def write_count(number, entry, is_scaled, out):
    """Write a count, multiplied by its entry in `SCALES` if `is_scaled`."""
    if is_scaled:
        out[entry] = number * at.SCALES[entry]
    else:
        out[entry] = number


@hot_kernel
def write_game(state, is_scaled, out):
    """Write the settings of the game."""
    out[at.PLAYERS + int(state.players) - 1] = 1
    if state.solo:
        out[at.LEVEL + int(state.level)] = 1
    write_count(state.handicap, at.HANDICAP, is_scaled, out)
    out[at.VARIANTS] = state.edition == Edition.BOARD_AND_DICE
    out[at.VARIANTS + 1] = state.draft
    out[at.VARIANTS + 2] = state.da_agent


@hot_kernel
def write_time(state, viewer, is_scaled, out):
    """Write the round, the turn order and the decision."""
    left = int(state.round_limit) - int(state.round_number)
    write_count(min(at.ROUNDS_SCALE, int(state.round_number)), at.ROUND, is_scaled, out)
    write_count(min(at.ROUNDS_SCALE, left), at.ROUND + 1, is_scaled, out)
    write_count(state.round_number, at.ROUND + 2, is_scaled, out)
    write_count(left, at.ROUND + 3, is_scaled, out)
    if state.stage >= Stage.TURN:  # the starting seat is hidden during the setup
        starting, active = int(state.starting_seat), int(state.active_seat)
        out[at.STARTING_SEAT + relative_seat(state, viewer, starting)] = 1
        out[at.ACTIVE_SEAT + relative_seat(state, viewer, active)] = 1
        moved = relative_seat(state, starting, active)
        write_count(int(state.players) - 1 - moved, at.TO_MOVE, is_scaled, out)
    out[at.LAST_ROUND] = anybody_settled_all(state)
    if not state.over:
        out[at.TO_PLAY + relative_seat(state, viewer, int(state.to_play))] = 1
        out[at.DECISION + int(state.decision)] = 1


@hot_kernel
def write_resolving(state, viewer, is_scaled, out):
    """Write the card being resolved, the card picked for a swap, and the viewer's pending setup choices."""
    program = int(state.program)
    tops_running = 0
    if program == NO_PROGRAM:
        if state.played != NO_CARD:
            out[at.RESOLVING + int(state.played)] = 1
    elif program < FIRST_BOTTOM:
        tops_running = 1
        out[at.RESOLVING + program] = 1
        out[at.HALF] = 1
    else:
        out[at.RESOLVING + int(state.played)] = 1
        out[at.HALF + (1 if program < FIRST_ABILITY else 2)] = 1
    if state.played != NO_CARD:
        out[at.OWNER + relative_seat(state, viewer, int(state.owner))] = 1
    write_count(state.left, at.LEFT, is_scaled, out)
    out[at.EXTRA_ACTION] = state.in_play_size > tops_running
    if state.picked != NO_CARD and state.to_play == viewer:
        out[at.PICKED + int(state.picked)] = 1
    for place in range(PREP_SLOTS):
        card = int(state.seats[viewer].pending[place])
        if card != NO_CARD:
            write_count(place + 1, at.PENDING + card, is_scaled, out)


@hot_kernel
def write_seat(state, seat, distance, is_scaled, out):
    """Write the public features of a seat: colonists, energy, score, and the backs of its cards."""
    data = state.seats[seat]
    first = at.SEATS + distance * len(at.SEAT_FEATURES)
    cards = data.hand | data.packet
    out[first] = 1
    out[first + 1] = state.solo and seat == DA_SEAT
    out[first + 2] = has_highest_energy(state, seat)
    write_count(data.earth, first + 3, is_scaled, out)
    write_count(data.ship, first + 4, is_scaled, out)
    write_count(in_buildings(data), first + 5, is_scaled, out)
    write_count(data.energy, first + 6, is_scaled, out)
    write_count(score(state, seat), first + 7, is_scaled, out)
    write_count(count(cards), first + 8, is_scaled, out)
    for building in range(NUM_BUILDINGS):
        write_count(data.star[building], at.STAR + distance * NUM_BUILDINGS + building, is_scaled, out)
        write_count(data.star2[building], at.STAR2 + distance * NUM_BUILDINGS + building, is_scaled, out)
    write_suits(cards, at.HAND_SUITS + distance * NUM_SUITS, is_scaled, out)
    write_suits(data.packet, at.PACKET_SUITS + distance * NUM_SUITS, is_scaled, out)
    for slot in range(PREP_SLOTS):
        if data.prep[slot] != NO_CARD:
            suit = CARD_SUIT[data.prep[slot]]
            out[at.PREP_SUITS + (distance * PREP_SLOTS + slot) * NUM_SUITS + suit] = 1


@hot_kernel
def write_suits(cards, first, is_scaled, out):
    """Write the number of cards of each suit in a card set."""
    for suit in range(NUM_SUITS):
        write_count(count(cards & SUIT_CARDS[suit]), first + suit, is_scaled, out)


@hot_kernel
def write_building(state, building, is_scaled, out):
    """Write the pile and the free ★★ places of a Building."""
    first = at.BUILDINGS + building * len(at.BUILDING_FEATURES)
    size = int(state.pile_size[building])
    if building < NUM_BUILDINGS:
        write_count(free_star2(state, building), at.FREE_STAR2 + building, is_scaled, out)
        write_count(value_in_pile(state, building, size - 1), first, is_scaled, out)
    if size > 0:
        out[first + 1] = 1
        out[first + 2] = has(state.face_down, top_of_pile(state, building))
        write_count(size, first + 3, is_scaled, out)


@hot_kernel
def write_deck(state, is_scaled, out):
    """Write the pieces `deck`, `deck_suits` (suits that all seats know) and `drawn_suits`."""
    size, under = int(state.deck_size), int(state.under)
    write_count(size, at.DECK, is_scaled, out)
    write_count(state.discard_size, at.DECK + 1, is_scaled, out)
    write_count(under, at.DECK + 2, is_scaled, out)
    if size > under:
        out[at.DECK_SUITS + CARD_SUIT[state.deck[size - 1]]] = 1
    for place in range(under):
        out[at.DECK_SUITS + (size - 1 - place) * NUM_SUITS + CARD_SUIT[state.deck[place]]] = 1
    write_suits(state.drawn, at.DRAWN_SUITS, is_scaled, out)


@hot_kernel
def write_cards(state, viewer, is_scaled, out):
    """Write the place of every card that the viewer can locate, and mark the other cards as unknown."""
    known = state.seats[viewer].knows
    for distance in range(number_of_seats(state)):
        write_cards_of_seat(state, known, seat_at(state, viewer, distance), distance, out)
    write_places(state.drawn & known, at.DRAWN, out)
    for place in range(state.in_play_size):
        write_place(int(state.in_play[place]), at.IN_PLAY, out)
    top = int(state.discard_size) - 1
    for place in range(top + 1):
        write_at_depth(int(state.discard[place]), at.DISCARDED, top - place, is_scaled, out)
    top = int(state.deck_size) - 1
    for place in range(state.under):  # the other cards of the deck are unknown
        if has(known, int(state.deck[place])):
            write_at_depth(int(state.deck[place]), at.IN_DECK, top - place, is_scaled, out)
    for building in range(NUM_SUITS):
        write_pile(state, known, building, is_scaled, out)
    write_places(~known & all_cards(state), at.UNKNOWN, out)


@hot_kernel
def write_cards_of_seat(state, known, seat, distance, out):
    """Write the places of the known cards in a seat's hand, packet and prep module."""
    data = state.seats[seat]
    if distance == 0:
        write_places(data.hand & known, at.OWN_HAND, out)
        write_places(data.packet & known, at.OWN_PACKET, out)
        first = at.OWN_PREP
    else:
        write_places((data.hand | data.packet) & known, at.OTHER_HAND + distance - 1, out)
        first = at.OTHER_PREP + (distance - 1) * PREP_SLOTS
    packet = data.packet & known
    while packet != NOTHING:
        out[at.IN_PACKET + lowest(packet)] = 1
        packet = without_lowest(packet)
    for slot in range(PREP_SLOTS):
        card = int(data.prep[slot])
        if card != NO_CARD and has(known, card):
            write_place(card, first + slot, out)


@hot_kernel
def write_pile(state, known, building, is_scaled, out):
    """Write the places and depths of the known cards in a Building's pile."""
    top = int(state.pile_size[building]) - 1
    for place in range(top + 1):
        card = int(state.pile[building, place])
        if has(known, card):
            if has(state.face_down, card):
                where = at.TOP_DOWN if place == top else at.COVERED_DOWN
            else:
                where = at.TOP_UP if place == top else at.COVERED_UP
            write_at_depth(card, where, top - place, is_scaled, out)


@hot_kernel
def write_place(card, place, out):
    out[at.CARDS + card * len(at.CARD_PLACES) + place] = 1


@hot_kernel
def write_at_depth(card, place, above, is_scaled, out):
    """Write the place and depth of a card that has `above` cards above it in an ordered pile."""
    write_place(card, place, out)
    write_count(NUM_CARDS - above, at.DEPTH + card, is_scaled, out)


@hot_kernel
def write_places(cards, place, out):
    """Write `place` as the place of every card in a card set."""
    while cards != NOTHING:
        write_place(lowest(cards), place, out)
        cards = without_lowest(cards)
