"""Points, ranking and tie-breaks (rulebook, "Finishing the game"; solo: "Game End Scoring")."""

from pocketmars_env.core.compiled.card_sets import NOTHING, only
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.colonists import in_building, in_buildings
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    DA_SEAT,
    MAX_HANDICAP,
    NUM_BUILDINGS,
    PLAYER_SEAT,
    Edition,
    Termination,
)
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats

POINTS_SHIP = 1
POINTS_STAR = 2
POINTS_STAR2 = 4
# Each pair: the points of a player, the points of the DA.
POINTS_ENERGY = (1, 2)
POINTS_ALL_BUILDINGS = (2, 4)
POINTS_ONE_BUILDING = (3, 5)

MAX_SCORE = 33 + MAX_HANDICAP
"""Maximum score of Devious Automatics (DA): 4 colonists on ★★, 3 on ★, both bonuses for Buildings, the
highest energy and the maximum handicap. A player's maximum is lower."""
MARGIN_BOUND = 60
"""An upper bound on the score margin of any game, in points."""


@kernel
def score(state, seat):
    """Return the seat's score, as if the game ended now."""
    is_da = 1 if state.solo and seat == DA_SEAT else 0
    colonists = state.seats[seat]
    points = POINTS_SHIP * int(colonists.ship)
    occupied, largest = 0, 0
    for building in range(NUM_BUILDINGS):
        points += POINTS_STAR * int(colonists.star[building])
        points += POINTS_STAR2 * int(colonists.star2[building])
        here = in_building(colonists, building)
        occupied += 1 if here > 0 else 0
        largest = max(largest, here)
    if occupied == NUM_BUILDINGS:
        points += POINTS_ALL_BUILDINGS[is_da]
    if largest >= BONUS_BUILDING_COLONISTS:
        points += POINTS_ONE_BUILDING[is_da]
    if has_highest_energy(state, seat):
        points += POINTS_ENERGY[is_da]
    return points + is_da * int(state.handicap)


@kernel
def has_highest_energy(state, seat):
    """Return whether no other seat has more energy than `seat`."""
    for other in range(number_of_seats(state)):
        if state.seats[other].energy > state.seats[seat].energy:
            return False
    return True


@kernel
def rank_value(state, seat):
    """With 2 to 4 players, return a seat's sort key: higher for a better rank, equal in a tie (R-TIE)."""
    colonists = state.seats[seat]
    on_star2 = 0
    if state.edition == Edition.BOARD_AND_DICE:
        for building in range(NUM_BUILDINGS):
            on_star2 += int(colonists.star2[building])
    return (score(state, seat) * 10 + on_star2) * 10 + in_buildings(colonists)


@kernel
def winners(state):
    """Return the set of winning seats, as if the game ended now; in the solo game, the DA wins ties."""
    if state.solo:
        beaten = score(state, PLAYER_SEAT) > score(state, DA_SEAT)
        return only(PLAYER_SEAT) if beaten else only(DA_SEAT)
    best, best_seats = -1, NOTHING
    for seat in range(number_of_seats(state)):
        value = rank_value(state, seat)
        if value > best:
            best, best_seats = value, NOTHING
        if value == best:
            best_seats |= only(seat)
    return best_seats


@kernel
def termination(state):
    """Return why the finished game ended, a `Termination` (rulebook, "Finishing the game"; R-END)."""
    if anybody_settled_all(state):
        return Termination.ALL_SETTLED.value
    is_cut = state.truncated or not state.solo
    return Termination.ROUND_LIMIT.value if is_cut else Termination.DA_MODULE_EMPTY.value


@kernel
def anybody_settled_all(state):
    """Return whether any seat has all colonists in Buildings; at the end of a round, this ends the game."""
    for seat in range(number_of_seats(state)):
        if state.seats[seat].earth == 0 and state.seats[seat].ship == 0:
            return True
    return False
