"""The start of a game, mulligans, and the steps between rounds."""

from pocketmars_env.core.compiled.chance import deal_of_pool, next_random, shuffle
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.legal_actions import clear_legal_actions
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import (
    HAND_LIMIT,
    MAX_TRADES,
    NO_CARD,
    NO_SEAT,
    NO_SLOT,
    ROUNDS,
    SEATS,
    SLOTS,
    Decision,
    Stage,
)
from pocketmars_env.games.project_mars.rules.decks import choose_decks, fill_deck
from pocketmars_env.games.project_mars.rules.effects import ask, clear_decision, clear_effect
from pocketmars_env.games.project_mars.rules.field import clear_slot, destroy
from pocketmars_env.games.project_mars.rules.moving_cards import draw, number_in, put_aside_into_deck
from pocketmars_env.games.project_mars.rules.scoring import is_decided, tpr


@kernel
def deal(state, seed):
    """Reset the state except its settings, choose deck lists as the mode requires, and shuffle the decks."""
    clear_table(state)
    state.seed = deal_of_pool(seed, state.log2_deals) if state.small else seed
    choose_decks(state, seed)
    for seat in range(SEATS):
        fill_deck(state.seats[seat])
        shuffle(state, state.seats[seat].deck, int(state.seats[seat].deck_size))


@kernel
def set_up(state):
    """Draw the first hands from the decks, and begin the mulligans."""
    draw_hands(state)
    begin_mulligans(state)


@kernel
def clear_table(state):
    """Reset all fields of the state except the settings, the deck lists and the decks."""
    for seat in range(SEATS):
        clear_seat(state, seat)
    clear_legal_actions(state)
    clear_decision(state)
    clear_effect(state)
    state.placed = NO_SLOT
    state.seed, state.draws = 0, 0
    state.round_number, state.first_seat, state.given_first, state.turn_seat = 1, NO_SEAT, NO_SEAT, NO_SEAT
    state.gas, state.over, state.truncated = 0, 0, 0
    state.stage, state.served, state.left = Stage.MULLIGAN, 0, 0
    clear_given_chance(state)
    state.shuffles, state.reveals = 0, 0


@kernel
def clear_given_chance(state):
    state.stacked_size, state.stacked_reveals_size = 0, 0
    for place in range(len(state.stacked)):
        state.stacked[place] = NO_CARD
    for place in range(len(state.stacked_reveals)):
        state.stacked_reveals[place] = NO_CARD


@kernel
def clear_seat(state, seat):
    side = state.seats[seat]
    for card in range(NUM_TYPES):
        side.hand[card], side.revealed[card] = 0, 0
        side.back_hand[card], side.back_revealed[card] = 0, 0
        side.aside[card], side.junkyard[card] = 0, 0
    for slot in range(SLOTS):
        clear_slot(state, seat, slot)
    side.utility, side.utility_used, side.passed, side.wins = NO_CARD, 0, 0, 0
    for number in range(ROUNDS):
        side.results[number] = 0


# --- mulligans and cards to keep: one seat after the other ------------------------------------------


@kernel
def served_seat(state):
    """Return the seat that currently trades or keeps cards.

    In round 1, seat 0 trades first, because the first player has not been drawn yet. In later rounds, the
    first player of the round is the first to keep cards, and then the first to trade.
    """
    first = 0 if state.first_seat == NO_SEAT else int(state.first_seat)
    return first if state.served == 0 else 1 - first


@kernel
def draw_hands(state):
    """Draw cards for each seat until its hand is full or its deck is empty."""
    for seat in range(SEATS):
        side = state.seats[seat]
        for _ in range(HAND_LIMIT - side.fewer_cards - number_in(side.hand)):
            draw(side)


@kernel
def begin_mulligans(state):
    state.stage, state.served, state.left = Stage.MULLIGAN, 0, trades(state)


@kernel
def trades(state):
    """Return the number of trades in a mulligan; small games have no mulligan."""
    return 0 if state.small else MAX_TRADES


@kernel
def continue_mulligans(state):
    """Ask for the next trade, or end the seat's mulligan if it has no trades left or its deck is empty."""
    seat = served_seat(state)
    if state.left > 0 and state.seats[seat].deck_size > 0:
        ask(state, seat, Decision.MULLIGAN)
    else:
        end_mulligan(state)


@kernel
def end_mulligan(state):
    """Shuffle the traded cards, if any, into the deck; then begin the next mulligan or the first turn."""
    seat = served_seat(state)
    if number_in(state.seats[seat].aside) > 0:
        put_aside_into_deck(state, seat)
    state.served, state.left = state.served + 1, trades(state)
    if state.served == SEATS:
        state.served, state.left = 0, 0
        draw_first_seat(state)
        state.turn_seat, state.stage = state.first_seat, Stage.TURN


@kernel
def draw_first_seat(state):
    """In round 1, set the first player: the seat that the deal names or, if it names none, a random seat."""
    if state.first_seat == NO_SEAT:
        state.first_seat = next_random(state, SEATS) if state.given_first == NO_SEAT else state.given_first
        state.given_first = NO_SEAT


# --- between rounds ---------------------------------------------------------------------------------


@kernel
def end_round(state):
    """Score the round, move the cards on the fields to the junkyards, and end the game or begin a round."""
    lead = score_round(state)
    for seat in range(SEATS):
        for slot in range(SLOTS):
            if state.seats[seat].card[slot] != NO_CARD:
                destroy(state, seat, slot)
    state.turn_seat = NO_SEAT
    if is_decided(state):
        state.over = 1
    else:
        begin_round(state, lead)


@kernel
def score_round(state):
    """Record both TPRs (total power ratings) and the round's winner; return seat 0's TPR minus seat 1's."""
    tpr_0, tpr_1 = tpr(state, 0), tpr(state, 1)
    number = state.round_number - 1
    state.seats[0].results[number], state.seats[1].results[number] = tpr_0, tpr_1
    state.seats[0].wins += tpr_0 > tpr_1
    state.seats[1].wins += tpr_1 > tpr_0
    return tpr_0 - tpr_1


@kernel
def begin_round(state, lead):
    """Begin the next round; the winner goes first or, after a draw, the seat that went second."""
    state.round_number += 1
    if lead == 0:
        state.first_seat = 1 - state.first_seat
    else:
        state.first_seat = 0 if lead > 0 else 1
    state.gas = 0
    for seat in range(SEATS):
        side = state.seats[seat]
        side.passed, side.utility_used = 0, 0
        for card in range(NUM_TYPES):
            side.back_hand[card], side.back_revealed[card] = side.hand[card], side.revealed[card]
            side.hand[card], side.revealed[card] = 0, 0
    state.stage, state.served = Stage.KEEP, 0


@kernel
def continue_keeping(state):
    """Ask for the next card to keep, or end the seat's choice if its back hand is empty."""
    seat = served_seat(state)
    if number_in(state.seats[seat].back_hand) > 0:
        ask(state, seat, Decision.KEEP)
    else:
        end_keeping(state)


@kernel
def end_keeping(state):
    state.served += 1
    if state.served == SEATS:
        for seat in range(SEATS):
            junk_back_hand(state.seats[seat])
        draw_hands(state)
        begin_mulligans(state)


@kernel
def junk_back_hand(side):
    for card in range(NUM_TYPES):
        side.junkyard[card] += side.back_hand[card]
        side.back_hand[card], side.back_revealed[card] = 0, 0
