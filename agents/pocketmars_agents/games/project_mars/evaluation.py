"""Evaluation of Project Mars positions for `greedy`, `planner` and the tree searches.

The probability of winning the round depends mainly on the expected final lead in total power rating (TPR):
the current lead plus what hands and traps are expected to add. This probability and the results of earlier
rounds give the probability of winning the game. The evaluated state is usually a determinization: a full
state that is consistent with what a seat knows.
"""

import math
from typing import Any

import numpy as np

from pocketmars_agents.game_bots import Evaluation
from pocketmars_agents.games.project_mars.weights import (
    CARD_WORTH,
    CERTAIN,
    ROUND_CHANCE,
    SPREAD,
    SPREAD_PER_CARD,
    TEMPO,
    TRAP_WORTH,
)
from pocketmars_agents.search.objectives import MARGIN_WORTH, POINT_WORTH
from pocketmars_env.core.compiled.card_sets import count
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.project_mars.rules.cards import KIND, NUM_FIELD_TYPES, NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import (
    HAND_LIMIT,
    NO_CARD,
    SEATS,
    SLOTS,
    Decision,
    Kind,
)
from pocketmars_env.games.project_mars.rules.field import empty_slots, open_slots
from pocketmars_env.games.project_mars.rules.moving_cards import number_in
from pocketmars_env.games.project_mars.rules.scoring import tpr

# --- a round ------------------------------------------------------------------------------------------


@kernel
def round_chance(state: Any, seat: int, worth: Any) -> Any:
    """Return the estimated probability that the seat wins the round."""
    enemy = 1 - seat
    lead = float(tpr(state, seat) - tpr(state, enemy))
    # A seat that has passed with the lower TPR is almost certain to lose the round: the enemy need only pass.
    if state.seats[enemy].passed and lead > 0:
        return CERTAIN
    if state.seats[seat].passed and lead < 0:
        return 1.0 - CERTAIN
    lead += worth_of_hand(state, seat, worth) - worth_of_hand(state, enemy, worth)
    lead += worth_of_traps(state, seat) - worth_of_traps(state, enemy)
    if state.decision == Decision.TURN and not state.seats[1 - state.to_play].passed:
        lead += TEMPO if state.to_play == seat else -TEMPO
    spread = SPREAD + SPREAD_PER_CARD * (cards_to_play(state, seat) + cards_to_play(state, enemy))
    return 1.0 / (1.0 + math.exp(-lead / spread))


@kernel
def cards_to_play(state: Any, seat: int) -> Any:
    """Return an estimate of how many cards the seat can still play in the round.

    The estimate is the number of cards in the seat's hand or the number of the seat's open slots, whichever
    is smaller. It is 0 after the seat has passed, and `SLOTS` while either seat chooses which cards to keep.
    """
    side = state.seats[seat]
    if side.passed:
        return 0
    if state.decision == Decision.KEEP:
        return SLOTS
    return min(number_in(side.hand), count(open_slots(state, seat)))


@kernel
def worth_of_hand(state: Any, seat: int, worth: Any) -> Any:
    """Return the TPR that the cards in hand are expected to add in the round; 0 after the seat has passed.

    If the hand has more traps than the enemy has empty slots, the worth of the traps is reduced in
    proportion. Likewise, the worth of the other field cards is reduced if there are more of them than the
    seat has open slots. Only the best UTILITY card in hand counts, and none counts if the seat has already
    used one in this round. While either seat chooses which cards to keep, the result is that of
    `worth_of_next_hand`.
    """
    side = state.seats[seat]
    if side.passed:
        return 0.0
    if state.decision == Decision.KEEP:
        return worth_of_next_hand(state, seat, worth)
    cards, traps, of_cards, of_traps = 0, 0, 0.0, 0.0
    for card in range(NUM_FIELD_TYPES):
        held = side.hand[card]
        if KIND[card] == Kind.TRAP:
            traps += held
            of_traps += held * worth[card]
        else:
            cards += held
            of_cards += held * worth[card]
    places, places_for_traps = count(open_slots(state, seat)), count(empty_slots(state, 1 - seat))
    total = of_cards * (min(1.0, places / cards) if cards > 0 else 0.0)
    total += of_traps * (min(1.0, places_for_traps / traps) if traps > 0 else 0.0)
    if not side.utility_used:
        best = 0.0
        for card in range(NUM_FIELD_TYPES, NUM_TYPES):
            if side.hand[card] > 0:
                best = max(best, worth[card])
        total += best
    return total


@kernel
def worth_of_next_hand(state: Any, seat: int, worth: Any) -> Any:
    """Return the TPR that the next hand is expected to add; used while seats choose which cards to keep.

    The back hand is the last round's hand without the cards kept so far. The next hand consists of the cards
    kept so far, the cards in the back hand that are worth more than the average card in the deck (unless the
    seat has already finished its choice), and average cards from the deck up to the hand limit. Their total
    worth is multiplied by ``SLOTS / HAND_LIMIT``, because a full hand has more cards than a field has slots.
    """
    side = state.seats[seat]
    drawn, in_deck = 0.0, number_in(side.in_deck)
    for card in range(NUM_TYPES):
        drawn += side.in_deck[card] * worth[card]
    drawn /= max(1, in_deck)
    total, places = 0.0, HAND_LIMIT
    for card in range(NUM_TYPES):
        total += side.hand[card] * worth[card]
        places -= side.hand[card]
        if (state.to_play == seat or state.served == 0) and worth[card] > drawn:
            total += side.back_hand[card] * worth[card]
            places -= side.back_hand[card]
    return (total + min(places, in_deck) * drawn) * SLOTS / HAND_LIMIT


@kernel
def worth_of_traps(state: Any, seat: int) -> float:
    """Return the worth of the seat's traps on the enemy's field, in TPR; 0 after the enemy has passed."""
    enemy = state.seats[1 - seat]
    if enemy.passed:
        return 0.0
    worth = 0.0
    for slot in range(SLOTS):
        if enemy.card[slot] != NO_CARD and enemy.owner[slot] == seat:
            worth += TRAP_WORTH
    return worth


# --- the game -----------------------------------------------------------------------------------------


@kernel
def game_chance(state: Any, seat: int, worth: Any) -> Any:
    """Return the estimated probability that the seat wins the game; a draw counts as half a win."""
    won = int(state.seats[seat].wins) - int(state.seats[1 - seat].wins)
    if state.over:
        return 0.5 if won == 0 else (1.0 if won > 0 else 0.0)
    chance = round_chance(state, seat, worth)
    after = ROUND_CHANCE[state.round_number - 1]
    ahead, behind = after[min(won + 3, 4)], after[max(won + 1, 0)]
    return chance * ahead + (1.0 - chance) * behind


@kernel
def value(state: Any, seat: int, weights: Any) -> Any:
    """Return the estimated probability that the seat wins the game.

    If the game is over, `MARGIN_WORTH` times the seat's lead in rounds won is added.
    """
    chance = game_chance(state, seat, weights[0])
    if state.over:
        chance += MARGIN_WORTH * (state.seats[seat].wins - state.seats[1 - seat].wins)
    return chance


@kernel
def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Write every seat's estimated probability of winning the game into `values`."""
    values[0] = game_chance(state, 0, weights[0])
    values[1] = 1.0 - values[0]


@kernel
def write_expected_win_shares(state: Any, mean: float, values: Any) -> None:
    """Replace the win probabilities in `values` with win shares based on the expected lead in rounds.

    A win counts as a lead of two rounds, so the winner's number of rounds is 1 above the mean of both seats.
    """
    for seat in range(SEATS):
        ahead = 2.0 * (values[seat] - 0.5)
        values[seat] = 0.5 + POINT_WORTH * ahead


@kernel
def replies(state: Any) -> int:
    """Return 1: `planner` also plays the enemy's next turn before it evaluates a position.

    Without this turn, `planner` would resemble `greedy`, because most turns are a single decision.
    """
    return 1


EVALUATION = Evaluation(
    {
        "REPLY_TOLERANCE": np.inf,
        "replies": replies,
        "value": value,
        "write_chances": write_chances,
        "write_expected_win_shares": write_expected_win_shares,
    },
    lambda states: (CARD_WORTH,),
)
