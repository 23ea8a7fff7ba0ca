"""Evaluation of Pocket Mars positions for `greedy`, `planner` and the tree searches.

The estimated win probability is the logistic function of a weighted sum of features, with the weights in
`look_ahead_weights.py`. The weights are fitted for the seat that has just played. Therefore, when the win
probabilities of all seats are estimated, `TEMPO` is added to the log-odds of the seat whose turn is next.
"""

import math
from typing import Any

import numpy as np

from pocketmars_agents.game_bots import Evaluation
from pocketmars_agents.games.pocket_mars.look_ahead_weights import (
    CARD_WEIGHTS,
    MODULE_WEIGHTS,
    POSITION_WEIGHTS,
)
from pocketmars_agents.search.objectives import MARGIN_WORTH, POINT_WORTH
from pocketmars_env.core.compiled.card_sets import NOTHING, has, lowest, without_lowest
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, CARD_VALUE
from pocketmars_env.games.pocket_mars.rules.colonists import can_upgrade, in_building
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    COLONISTS,
    DA_SEAT,
    NO_CARD,
    NUM_BUILDINGS,
    PLAYER_SEAT,
    PREP_SLOTS,
    Building,
    Decision,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.moving_cards import value_in_pile
from pocketmars_env.games.pocket_mars.rules.scoring import score, winners
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats

OWN, RIVAL = 0, 7
"""The rows in `POSITION_WEIGHTS` where a seat's own features and its rival's features begin."""
LEAD, SETTLERS, ALWAYS = 14, 15, 16
"""The rows of the remaining features in `POSITION_WEIGHTS`."""

SOLO_DECK = 29
"""Number of cards in the deck when the first turn of a solo game begins."""

# Both arrays were fitted to the same games as the weights. Index 1 is the solo game; index 0 is unused.
TEMPO = np.array([0.0, 0.0, 0.75, 0.45, 0.45])
"""Log-odds that are added for the seat whose turn is next, indexed by the number of players."""
POINTS_AHEAD = np.array(
    [[0.0, 0.0, 0.0], [0.4, 8.6, 4.3], [0.5, 6.6, 2.2], [0.5, 2.6, 1.7], [0.6, 4.0, 0.7]],
)
"""Coefficients that predict how far a seat's final score is above the mean of all seats' final scores.

They are indexed by the number of players. The first coefficient applies to the seat's current score minus the
mean of all current scores, and is scaled by the share of the game that is over. The other two apply to the
seat's win probability minus ``1 / seats``: the second at the start of the game, the third at its end, and an
interpolated value in between.
"""


# --- one seat -------------------------------------------------------------------------------------


@kernel
def value(state: Any, seat: int, weights: Any) -> Any:
    """Return the estimated win probability of a seat; see `value` in `evaluation_kernels.py`.

    For Devious Automatics (DA), the result is 1 minus the player's value.
    """
    if state.solo and seat == DA_SEAT:
        return 1.0 - value_for_player(state, PLAYER_SEAT, weights)
    return value_for_player(state, seat, weights)


@kernel
def value_for_player(state: Any, seat: int, weights: Any) -> Any:
    """Return the estimated win probability of a seat other than the DA's; see `value`."""
    rival = rival_of(state, seat)
    lead = score(state, seat) - score(state, rival)
    if state.over:
        won = 1.0 if has(winners(state), seat) else 0.0
        return won + MARGIN_WORTH * lead
    position, cards, module = weights
    left = share_left(state)
    odds = weight(position, ALWAYS, left) + lead * weight(position, LEAD, left)
    odds += worth_of_side(state, seat, position, OWN, left)
    odds += worth_of_side(state, rival, position, RIVAL, left)
    odds += settlers(state, seat) * weight(position, SETTLERS, left)
    odds += worth_of_cards(state, seat, cards) + worth_of_module(state, rival, module)
    return 1.0 / (1.0 + math.exp(-odds))


@kernel
def weight(position: Any, row: int, left: float) -> Any:
    """Return a row's weight, interpolated between its early (`left` = 1) and late (`left` = 0) values."""
    return position[row, 1] + left * (position[row, 0] - position[row, 1])


@kernel
def rival_of(state: Any, seat: int) -> int:
    """Return the opponent with the most points; in a tie, the one in the lowest-numbered seat."""
    rival, most = -1, -1
    for other in range(number_of_seats(state)):
        if other != seat:
            points = score(state, other)
            if points > most:
                rival, most = other, points
    return rival


@kernel
def share_left(state: Any) -> float:
    """Return an estimate of the remaining share of the game, in 0..1.

    The estimate is based on the seat with the most settled colonists: it is the share of this seat's
    colonists that are not yet settled. In the solo game, the estimate is at most the share of the deck that
    remains.
    """
    fewest = COLONISTS
    for seat in range(number_of_seats(state)):
        fewest = min(fewest, int(state.seats[seat].earth) + int(state.seats[seat].ship))
    share = fewest / COLONISTS
    return min(share, state.deck_size / SOLO_DECK) if state.solo else share


@kernel
def worth_of_side(state: Any, seat: int, position: Any, first: int, left: float) -> Any:
    """Return how much a seat's colonists and energy add to the log-odds.

    The weights of these features begin at row `first` of `position`.
    """
    colonists = state.seats[seat]
    on_star, on_star2, occupied, largest, upgradable = 0, 0, 0, 0, 0
    for building in range(NUM_BUILDINGS):
        here = in_building(colonists, building)
        on_star += int(colonists.star[building])
        on_star2 += int(colonists.star2[building])
        occupied += 1 if here > 0 else 0
        largest = max(largest, here)
        upgradable += 1 if can_upgrade(state, seat, building) else 0
    worth = colonists.ship * weight(position, first, left)
    worth += on_star * weight(position, first + 1, left)
    worth += on_star2 * weight(position, first + 2, left)
    worth += colonists.energy * weight(position, first + 3, left)
    worth += occupied * weight(position, first + 4, left)
    worth += min(largest, BONUS_BUILDING_COLONISTS) * weight(position, first + 5, left)
    return worth + upgradable * weight(position, first + 6, left)


@kernel
def settlers(state: Any, seat: int) -> int:
    """Return how many colonists a seat could settle from its Ship with the cards in its prep module.

    A card counts only if it beats the pile of its Building; see `beats_pile`.
    """
    cards = 0
    for slot in range(PREP_SLOTS):
        card = int(state.seats[seat].prep[slot])
        if card != NO_CARD and beats_pile(state, card):
            cards += 1
    return min(cards, int(state.seats[seat].ship))


@kernel
def beats_pile(state: Any, card: int) -> Any:
    """Return whether the card's value exceeds the value of the top card of its Building's pile.

    An empty pile has the value `BUILDING_VALUE`, and a face-down card has the value 0. For Habitation cards,
    the result is False.
    """
    building = CARD_SUIT[card]
    if building == Building.HABITATION:
        return False
    return CARD_VALUE[card] > value_in_pile(state, building, int(state.pile_size[building]) - 1)


@kernel
def worth_of_cards(state: Any, seat: int, cards: Any) -> float:
    """Return how much the cards in a seat's hand and prep module add to the log-odds."""
    worth, hand = 0.0, state.seats[seat].hand
    while hand != NOTHING:
        worth += cards[lowest(hand), 0]
        hand = without_lowest(hand)
    for slot in range(PREP_SLOTS):
        card = int(state.seats[seat].prep[slot])
        if card != NO_CARD:
            worth += cards[card, 1]
    return worth


@kernel
def worth_of_module(state: Any, rival: int, module: Any) -> float:
    """Return how much the cards in the rival's prep module add to the log-odds.

    All seats see the suits of these cards; only the suits count.
    """
    worth = 0.0
    for slot in range(PREP_SLOTS):
        card = int(state.seats[rival].prep[slot])
        if card != NO_CARD:
            worth += module[CARD_SUIT[card]]
    return worth


# --- all seats ------------------------------------------------------------------------------------


@kernel
def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Write the estimated win probability of every seat into `values`; the probabilities sum to 1."""
    if state.solo:
        values[PLAYER_SEAT] = value_for_player(state, PLAYER_SEAT, weights)
        values[DA_SEAT] = 1.0 - values[PLAYER_SEAT]
        return
    total = 0.0
    for seat in range(number_of_seats(state)):
        values[seat] = value_for_player(state, seat, weights)
        if state.decision == Decision.TURN and state.active_seat == seat:
            raised = values[seat] * np.exp(TEMPO[state.players])
            values[seat] = raised / (1.0 - values[seat] + raised)
        total += values[seat]
    for seat in range(number_of_seats(state)):
        values[seat] /= total


@kernel
def write_expected_win_shares(state: Any, mean: float, values: Any) -> None:
    """Replace the win probabilities in `values` with win shares; see `evaluation_kernels.py`."""
    seats, left = number_of_seats(state), share_left(state)
    now, early, late = POINTS_AHEAD[state.players]
    for seat in range(seats):
        better = values[seat] - 1.0 / seats
        ahead = (1.0 - left) * now * (score(state, seat) - mean)
        ahead += (left * early + (1.0 - left) * late) * better
        values[seat] = 1.0 / seats + POINT_WORTH * ahead


# --- for the searches -----------------------------------------------------------------------------


@kernel
def replies(state: Any) -> Any:
    """Return how many turns other seats still have in this round; 0 in the setup and with 1 or 2 players.

    `planner` plays these turns before it evaluates a position, so that all seats have had the same number of
    turns. Otherwise, the last seat of a round would have more accurate evaluations than the other seats.
    """
    seats = number_of_seats(state)
    if seats < 3 or state.stage < Stage.TURN:
        return 0
    return seats - 1 - (int(state.active_seat) - int(state.starting_seat) + seats) % seats


def weights_of(states: States) -> tuple[Any, Any, Any]:
    """Return the position, card and module weights for solo games or for games of 2 to 4 players."""
    mode = 0 if states["solo"].any() else 1
    return POSITION_WEIGHTS[mode], CARD_WEIGHTS[mode], MODULE_WEIGHTS[mode]


EVALUATION = Evaluation(
    {
        "REPLY_TOLERANCE": 0.02,
        "replies": replies,
        "value": value,
        "write_chances": write_chances,
        "write_expected_win_shares": write_expected_win_shares,
    },
    weights_of,
)
