"""Writes the observation: one vector of fixed length for every mode and both seats.

The vector is sound: it does not depend on what the seat does not know. It is complete: it contains every
public place, the seat's own cards, and the pool of the enemy's unseen cards (section 12).
`observation_layout.py` names its pieces.
"""

import numpy as np

from pocketmars_env.core.compiled.apart import VECTOR, compiled_apart
from pocketmars_env.core.compiled.compiling import hot_kernel
from pocketmars_env.games.project_mars import observation_layout as at
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES, NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import (
    DECK_SIZE,
    HAND_LIMIT,
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

# Scales as float32 factors: multiplication is cheaper than division.
PER_HAND = np.float32(1 / HAND_LIMIT)
PER_DECK = np.float32(1 / DECK_SIZE)
PER_POWER = np.float32(1 / at.POWER_SCALE)
PER_COLUMN = np.float32(1 / at.COLUMN_SCALE)
PER_BONUS = np.float32(1 / at.BONUS_SCALE)
PER_TPR = np.float32(1 / at.TPR_SCALE)
PER_WIN = np.float32(1 / at.WINS_SCALE)
PER_LEFT = np.float32(1 / at.LEFT_SCALE)


@compiled_apart(STATE, np.int64, VECTOR)
def write_observation(state, viewer, out):
    """Write the observation of the seat `viewer` into `out`, ``(OBSERVATION_SIZE,)`` float32."""
    for entry in range(at.OBSERVATION_SIZE):
        out[entry] = 0
    write_round(state, viewer, out)
    write_effect(state, viewer, out)
    for distance in range(SEATS):
        seat = viewer if distance == 0 else 1 - viewer
        write_seat(state, seat, distance, out)
        write_field(state, seat, distance, out)
        write_public_cards(state.seats[seat], distance, out)
    write_lanes(state, viewer, out)
    write_own_cards(state.seats[viewer], out)
    write_pool(state, 1 - viewer, out)


@hot_kernel
def write_round(state, viewer, out):
    """Write mode, decision, round and turn."""
    out[at.MODE + int(state.mode)] = 1
    if state.to_play == viewer:
        out[at.DECISION + int(state.decision)] = 1
    out[at.LEFT] = state.left * PER_LEFT
    out[at.ROUND + int(state.round_number) - 1] = 1
    if state.first_seat != NO_SEAT:
        out[at.BEGAN + (0 if state.first_seat == viewer else 1)] = 1
    if state.turn_seat != NO_SEAT:
        out[at.TURN + (0 if state.turn_seat == viewer else 1)] = 1
    out[at.GAS] = state.gas


@hot_kernel
def write_effect(state, viewer, out):
    """Write the card whose effect is carried out."""
    if state.effect_card != NO_CARD:
        out[at.EFFECT_CARD + int(state.effect_card)] = 1
        out[at.EFFECT_SEAT + (0 if state.effect_seat == viewer else 1)] = 1
        if state.effect_slot != NO_SLOT:
            out[at.EFFECT_SLOT + int(state.effect_slot)] = 1


@hot_kernel
def write_seat(state, seat, distance, out):
    """Write rounds won, passes and the sizes of a seat's places."""
    side = state.seats[seat]
    out[at.WINS + distance] = side.wins * PER_WIN
    out[at.PASSED + distance] = side.passed
    out[at.UTILITY_USED + distance] = side.utility_used
    for number in range(ROUNDS - 1):
        out[at.RESULTS + number * SEATS + distance] = side.results[number] * PER_TPR
    sizes = at.SIZES + distance * 3
    out[sizes] = number_in(side.hand) * PER_HAND
    out[sizes + 1] = number_in(side.back_hand) * PER_HAND
    out[sizes + 2] = side.deck_size * PER_DECK


@hot_kernel
def write_field(state, seat, distance, out):
    """Write what lies in the slots of a field."""
    side = state.seats[seat]
    for slot in range(SLOTS):
        card = int(side.card[slot])
        if card == NO_CARD:
            continue
        place = distance * SLOTS + slot
        out[at.FIELD_CARD + place * NUM_FIELD_TYPES + card] = 1
        out[at.FIELD_TRAP + place] = side.owner[slot] != seat
        out[at.FIELD_POWER + place] = power(state, seat, slot) * PER_POWER
        out[at.FIELD_BONUS + place] = side.bonus[slot] * PER_BONUS
        out[at.FIELD_ZEROED + place] = side.zeroed[slot]
        out[at.FIELD_DISABLED + place] = side.disabled[slot]
        out[at.FIELD_WORKS + place] = works(state, seat, slot)


@hot_kernel
def write_lanes(state, viewer, out):
    """Write columns, lanes and TPR, from the PWR that `write_field` has written."""
    total = tpr_additions(state, viewer)
    total_of_enemy = tpr_additions(state, 1 - viewer)
    for lane in range(LANES):
        mine, others = written_column(out, 0, lane), written_column(out, 1, lane)
        out[at.LANE_POWER + lane] = mine * PER_COLUMN
        out[at.LANE_POWER + LANES + lane] = others * PER_COLUMN
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
    out[at.TPR] = total * PER_TPR
    out[at.TPR + 1] = total_of_enemy * PER_TPR


@hot_kernel
def written_column(out, distance, lane):
    """The PWR of a column as an integer, read from the observation."""
    place = at.FIELD_POWER + distance * SLOTS + lane
    return int((out[place] + out[place + LANES]) * at.POWER_SCALE + np.float32(0.5))


@hot_kernel
def write_public_cards(side, distance, out):
    """Write revealed cards, junkyard and deck list of a seat."""
    first = distance * NUM_TYPES
    for card in range(NUM_TYPES):
        out[at.HAND_REVEALED + first + card] = side.revealed[card] * PER_HAND
        out[at.BACK_REVEALED + first + card] = side.back_revealed[card] * PER_HAND
        out[at.JUNKYARD + first + card] = side.junkyard[card] * PER_DECK
        out[at.DECKLIST + first + card] = side.decklist[card] * PER_DECK


@hot_kernel
def write_own_cards(side, out):
    """Write hand, back hand, cards set aside and the deck, without its order."""
    for card in range(NUM_TYPES):
        out[at.HAND + card] = side.hand[card] * PER_HAND
        out[at.BACK_HAND + card] = side.back_hand[card] * PER_HAND
        out[at.ASIDE + card] = side.aside[card] * PER_HAND
        out[at.DECK + card] = side.in_deck[card] * PER_DECK


@hot_kernel
def write_pool(state, enemy, out):
    """Write the enemy's cards that the viewer has not seen: hidden hands, cards set aside and the deck."""
    side = state.seats[enemy]
    for card in range(NUM_TYPES):
        hidden = side.hand[card] - side.revealed[card] + side.back_hand[card] - side.back_revealed[card]
        out[at.POOL + card] = (hidden + side.aside[card] + side.in_deck[card]) * PER_DECK
    out[at.SET_ASIDE] = number_in(side.aside) * PER_HAND
