"""Writes the observation, a vector that has the same length in all modes and for both seats.

The vector depends only on what the observing seat knows. If this seat is to play, the vector contains all
public information about the position, the seat's own cards, and the number of the enemy's hidden cards of
each type. It does not contain past actions. `layout.py` names the pieces of the vector.
"""

import numpy as np

from pocketmars_env.core.compiled.apart import VECTOR, compiled_apart
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.observation import layout as at
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES, NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import (
    LANES,
    NO_CARD,
    NO_SEAT,
    NO_SLOT,
    ROUNDS,
    SEATS,
    SLOTS,
)
from pocketmars_env.games.project_mars.rules.field import power, works
from pocketmars_env.games.project_mars.rules.moving_cards import number_in
from pocketmars_env.games.project_mars.rules.scoring import fills, tpr_additions
from pocketmars_env.games.project_mars.rules.state import STATE

PER_HAND = at.SCALES[at.HAND]
PER_DECK = at.SCALES[at.DECK]


@compiled_apart(STATE, np.int64, VECTOR)
def write_observation(state, viewer, out):
    """Write the observation of the seat `viewer` into `out`, ``(OBSERVATION_SIZE,)`` float32."""
    write_entries(state, viewer, True, out)


@kernel
def write_counts(state, viewer, out):
    """Write the observation of the seat `viewer` as counts into `out`, ``(OBSERVATION_SIZE,)`` uint8."""
    write_entries(state, viewer, False, out)


@hot_kernel
def write_entries(state, viewer, is_scaled, out):
    """Write the observation as counts, multiplied by `SCALES` if `is_scaled`."""
    for entry in range(at.OBSERVATION_SIZE):
        out[entry] = 0
    write_round(state, viewer, is_scaled, out)
    write_effect(state, viewer, out)
    for distance in range(SEATS):
        seat = viewer if distance == 0 else 1 - viewer
        write_seat(state, seat, distance, is_scaled, out)
        write_field(state, seat, distance, is_scaled, out)
        write_public_cards(state.seats[seat], distance, is_scaled, out)
    write_lanes(state, viewer, is_scaled, out)
    write_own_cards(state.seats[viewer], is_scaled, out)
    write_pool(state, 1 - viewer, is_scaled, out)


@hot_kernel
def write_count(number, entry, is_scaled, out):
    """Write a count into an entry of the observation, multiplied by the entry's scale if `is_scaled`."""
    if is_scaled:
        out[entry] = number * at.SCALES[entry]
    else:
        out[entry] = number


@hot_kernel
def write_round(state, viewer, is_scaled, out):
    """Write the pieces `mode`, `decision`, `left`, `round`, `began`, `turn` and `gas`."""
    out[at.MODE + int(state.mode)] = 1
    if state.to_play == viewer:
        out[at.DECISION + int(state.decision)] = 1
    write_count(state.left, at.LEFT, is_scaled, out)
    out[at.ROUND + int(state.round_number) - 1] = 1
    if state.first_seat != NO_SEAT:
        out[at.BEGAN + (0 if state.first_seat == viewer else 1)] = 1
    if state.turn_seat != NO_SEAT:
        out[at.TURN + (0 if state.turn_seat == viewer else 1)] = 1
    out[at.GAS] = state.gas


@hot_kernel
def write_effect(state, viewer, out):
    """Write the card whose effect is being carried out, with its seat and its slot."""
    if state.effect_card != NO_CARD:
        out[at.EFFECT_CARD + int(state.effect_card)] = 1
        out[at.EFFECT_SEAT + (0 if state.effect_seat == viewer else 1)] = 1
        if state.effect_slot != NO_SLOT:
            out[at.EFFECT_SLOT + int(state.effect_slot)] = 1


@hot_kernel
def write_seat(state, seat, distance, is_scaled, out):
    """Write the pieces `wins`, `passed`, `utility_used`, `results` and `sizes` for a seat."""
    side = state.seats[seat]
    write_count(side.wins, at.WINS + distance, is_scaled, out)
    out[at.PASSED + distance] = side.passed
    out[at.UTILITY_USED + distance] = side.utility_used
    for number in range(ROUNDS - 1):
        write_count(side.results[number], at.RESULTS + number * SEATS + distance, is_scaled, out)
    sizes = at.SIZES + distance * 3
    write_count(number_in(side.hand), sizes, is_scaled, out)
    write_count(number_in(side.back_hand), sizes + 1, is_scaled, out)
    write_count(side.deck_size, sizes + 2, is_scaled, out)


@hot_kernel
def write_field(state, seat, distance, is_scaled, out):
    """Write the cards on a field, with their PWR (power), bonuses and flags."""
    side = state.seats[seat]
    for slot in range(SLOTS):
        card = int(side.card[slot])
        if card == NO_CARD:
            continue
        place = distance * SLOTS + slot
        out[at.FIELD_CARD + place * NUM_FIELD_TYPES + card] = 1
        out[at.FIELD_TRAP + place] = side.owner[slot] != seat
        write_count(power(state, seat, slot), at.FIELD_POWER + place, is_scaled, out)
        write_count(side.bonus[slot], at.FIELD_BONUS + place, is_scaled, out)
        out[at.FIELD_ZEROED + place] = side.zeroed[slot]
        out[at.FIELD_DISABLED + place] = side.disabled[slot]
        out[at.FIELD_WORKS + place] = works(state, seat, slot)


@hot_kernel
def write_lanes(state, viewer, is_scaled, out):
    """Write the PWR of all columns, the winners of the lanes, and the TPR (total power rating) of both seats.

    Call `write_field` for both seats first, because this kernel reads the PWR values from `out`.
    """
    total = tpr_additions(state, viewer)
    total_of_enemy = tpr_additions(state, 1 - viewer)
    for lane in range(LANES):
        mine, others = written_column(0, lane, is_scaled, out), written_column(1, lane, is_scaled, out)
        write_count(mine, at.LANE_POWER + lane, is_scaled, out)
        write_count(others, at.LANE_POWER + LANES + lane, is_scaled, out)
        total += mine
        total_of_enemy += others
        filled, filled_by_enemy = fills(state, viewer, lane), fills(state, 1 - viewer, lane)
        lead = mine - others
        if filled != filled_by_enemy:
            lead = 1 if filled else -1
        if lead > 0:
            out[at.LANE_WON + lane] = 1
            total += 1
        elif lead < 0:
            out[at.LANE_WON + LANES + lane] = 1
            total_of_enemy += 1
    write_count(total, at.TPR, is_scaled, out)
    write_count(total_of_enemy, at.TPR + 1, is_scaled, out)


@hot_kernel
def written_column(distance, lane, is_scaled, out):
    """Return the PWR of a column (a seat's two slots in a lane) as an integer, computed from `out`."""
    place = at.FIELD_POWER + distance * SLOTS + lane
    total = out[place] + out[place + LANES]
    return int(total * at.POWER_SCALE + np.float32(0.5)) if is_scaled else int(total)


@hot_kernel
def write_public_cards(side, distance, is_scaled, out):
    """Write the revealed cards, the junkyard and the deck list of a seat."""
    first = distance * NUM_TYPES
    for card in range(NUM_TYPES):
        write_cards(side.revealed[card], at.HAND_REVEALED + first + card, PER_HAND, is_scaled, out)
        write_cards(side.back_revealed[card], at.BACK_REVEALED + first + card, PER_HAND, is_scaled, out)
        write_cards(side.junkyard[card], at.JUNKYARD + first + card, PER_DECK, is_scaled, out)
        write_cards(side.decklist[card], at.DECKLIST + first + card, PER_DECK, is_scaled, out)


@hot_kernel
def write_own_cards(side, is_scaled, out):
    """Write a seat's hand, back hand, cards set aside and deck, without the order of the deck."""
    for card in range(NUM_TYPES):
        write_cards(side.hand[card], at.HAND + card, PER_HAND, is_scaled, out)
        write_cards(side.back_hand[card], at.BACK_HAND + card, PER_HAND, is_scaled, out)
        write_cards(side.aside[card], at.ASIDE + card, PER_HAND, is_scaled, out)
        write_cards(side.in_deck[card], at.DECK + card, PER_DECK, is_scaled, out)


@hot_kernel
def write_cards(number, entry, scale, is_scaled, out):
    """Like `write_count`, but faster, because callers pass the entry's scale as a constant."""
    if is_scaled:
        out[entry] = number * scale
    else:
        out[entry] = number


@hot_kernel
def write_pool(state, enemy, is_scaled, out):
    """Write the pieces `pool` (the enemy's hidden cards of each type) and `set_aside`."""
    side = state.seats[enemy]
    for card in range(NUM_TYPES):
        hidden = side.hand[card] - side.revealed[card] + side.back_hand[card] - side.back_revealed[card]
        number = hidden + side.aside[card] + side.in_deck[card]
        write_cards(number, at.POOL + card, PER_DECK, is_scaled, out)
    write_count(number_in(side.aside), at.SET_ASIDE, is_scaled, out)
