"""Devious Automatics: its choices, and the automaton policy that makes them (ruling R-DA).

Among the possible choices the automaton takes the one after which the DA's score is highest if the
game ended there; then the one with the player's lowest score; then the one that leaves the fewest
colonists missing for the cheaper bonus; then one in a Building with a free ★★ place; then the first
Building in the order Greenhouse, Aqualab, Energy Bank, Comms Center. All criteria but the order are
compared as one number.
"""

from pocketmars_env.core.compiled.card_sets import NOTHING, has, only
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.colonists import can_upgrade, has_free_star2, in_building
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    DA_SEAT,
    NUM_BUILDINGS,
    PLAYER_SEAT,
)
from pocketmars_env.games.pocket_mars.rules.effects_colonists import (
    DOWNWARDS,
    UPWARDS,
    choices_settle_anywhere,
    do_settle,
    do_shift,
    shift,
)
from pocketmars_env.games.pocket_mars.rules.scoring import score

NUM_SHIFTS = NUM_BUILDINGS * 8
WORST = -10_000


@kernel
def choices_da_upgrade(state):
    """SHIFT arguments: upgrades of DA colonists; if there are none, downgrades of the player's."""
    upgrades, downgrades = NOTHING, NOTHING
    for building in range(NUM_BUILDINGS):
        if can_upgrade(state, DA_SEAT, building):
            upgrades |= only(shift(building, 0, UPWARDS))
        if state.seats[PLAYER_SEAT].star2[building] > 0:
            downgrades |= only(shift(building, 1, DOWNWARDS))
    return upgrades if upgrades != NOTHING else downgrades


@kernel
def choices_da_settle(state):
    """The four Buildings, if a DA colonist is on its Ship."""
    return choices_settle_anywhere(state, DA_SEAT)


@kernel
def missing_for_bonus(state):
    """DA colonists missing in Buildings for the cheaper bonus not yet reached; 0 with both."""
    empty, largest = 0, 0
    for building in range(NUM_BUILDINGS):
        here = in_building(state.seats[DA_SEAT], building)
        empty += 1 if here == 0 else 0
        largest = max(largest, here)
    in_one = max(0, BONUS_BUILDING_COLONISTS - largest)
    if empty == 0 or in_one == 0:
        return empty + in_one
    return min(empty, in_one)


@kernel
def position_value(state):
    """The two scores and what is missing as one number, the higher the better for the DA."""
    scores = score(state, DA_SEAT) * 100 - score(state, PLAYER_SEAT)
    return scores * 10 - missing_for_bonus(state)


@kernel
def automaton_settles(state):
    """Settle one DA colonist in the best Building."""
    best, best_value = 0, WORST
    for building in range(NUM_BUILDINGS):
        value = value_of_settling(state, building)
        if value > best_value:
            best, best_value = building, value
    do_settle(state, DA_SEAT, best)


@kernel
def value_of_settling(state, building):
    """All criteria but the order of the Buildings, for settling there."""
    free = 1 if has_free_star2(state, building) else 0
    do_settle(state, DA_SEAT, building)
    value = position_value(state) * 2 + free
    state.seats[DA_SEAT].star[building] -= 1
    state.seats[DA_SEAT].ship += 1
    return value


@kernel
def automaton_upgrades(state):
    """The better sequence of two upgrades, as far as they are possible."""
    first, best_value = -1, WORST
    possible = choices_da_upgrade(state)
    for option in range(NUM_SHIFTS):
        if has(possible, option):
            value = value_of_first_upgrade(state, option)
            if value > best_value:
                first, best_value = option, value
    if first >= 0:
        do_shift(state, DA_SEAT, first)
        automaton_upgrades_once(state)


@kernel
def automaton_upgrades_once(state):
    """The better single upgrade, if one is possible."""
    second, best_value = -1, WORST
    possible = choices_da_upgrade(state)
    for option in range(NUM_SHIFTS):
        if has(possible, option):
            value = value_of_second_upgrade(state, option)
            if value > best_value:
                second, best_value = option, value
    if second >= 0:
        do_shift(state, DA_SEAT, second)


@kernel
def value_of_first_upgrade(state, option):
    """All criteria but the order, for the best sequence that begins with this upgrade."""
    free = 1 if has_free_star2(state, option >> 3) else 0
    do_shift(state, DA_SEAT, option)
    possible = choices_da_upgrade(state)
    best_value = position_value(state) if possible == NOTHING else WORST
    for second in range(NUM_SHIFTS):
        if has(possible, second):
            best_value = max(best_value, value_of_second_upgrade(state, second))
    undo_shift(state, option)
    return best_value * 2 + free


@kernel
def value_of_second_upgrade(state, option):
    do_shift(state, DA_SEAT, option)
    value = position_value(state)
    undo_shift(state, option)
    return value


@kernel
def undo_shift(state, option):
    """Take back an upgrade or downgrade."""
    do_shift(state, DA_SEAT, option ^ 1)
