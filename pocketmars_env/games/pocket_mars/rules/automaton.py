"""The choices of Devious Automatics (DA), and the automaton policy that makes them (ruling R-DA).

The DA is the opponent in the solo game. The automaton ranks the possible choices by these criteria, in this
order:

1. the highest DA score if the game ended right after the choice;
2. the lowest player score if the game ended right after the choice;
3. the fewest colonists that the DA still needs for the closest unreached bonus (one colonist in each
   of the four Buildings that can hold colonists, or four in one of them); 0 if the DA has both bonuses;
4. a free ★★ place in the chosen Building before the colonist moves;
5. the order Greenhouse, Aqualab, Energy Bank, Comms Center.

For the DA's Greenhouse ability, the choice is a sequence of up to two steps, each an upgrade or a downgrade.
Criteria 1 to 3 apply to the position after the last step, and criterion 4 applies to the first step.
Criterion 5 compares the first steps and, if they are equal, the second steps. Criteria 1 to 4 are combined
into one number; criterion 5 follows from the order in which the choices are compared.
"""

from pocketmars_env.core.compiled.card_sets import NOTHING, has, only
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.actions import decode_shift, encode_shift
from pocketmars_env.games.pocket_mars.rules.colonists import can_upgrade, free_star2, in_building, settle
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    DA_SEAT,
    NUM_BUILDINGS,
    PLAYER_SEAT,
)
from pocketmars_env.games.pocket_mars.rules.effects_colonists import (
    DOWNWARDS,
    UPWARDS,
    do_shift,
)
from pocketmars_env.games.pocket_mars.rules.scoring import score

NUM_SHIFTS = NUM_BUILDINGS * 8
WORST = -10_000


@kernel
def choices_da_upgrade(state):
    """Return the DA's choices for one step of its Greenhouse ability, as a set of SHIFT arguments.

    The choices are upgrades of DA colonists or, if none is possible, downgrades of the player's colonists.
    """
    upgrades, downgrades = NOTHING, NOTHING
    for building in range(NUM_BUILDINGS):
        if can_upgrade(state, DA_SEAT, building):
            upgrades |= only(encode_shift(building, 0, UPWARDS))
        if state.seats[PLAYER_SEAT].star2[building] > 0:
            downgrades |= only(encode_shift(building, 1, DOWNWARDS))
    return upgrades if upgrades != NOTHING else downgrades


@kernel
def missing_for_bonus(state):
    """Return how many colonists the DA still needs for the closest unreached bonus; 0 if it has both."""
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
    """Return criteria 1 to 3 combined into one number; higher is better for the DA."""
    scores = score(state, DA_SEAT) * 100 - score(state, PLAYER_SEAT)
    return scores * 10 - missing_for_bonus(state)


@kernel
def automaton_settles(state):
    """Settle one DA colonist in the Building that the automaton policy ranks first."""
    settle(state.seats[DA_SEAT], best_settlement(state))


@kernel
def best_settlement(state):
    """Return the Building in which the automaton policy settles a DA colonist."""
    best, best_value = 0, WORST
    for building in range(NUM_BUILDINGS):
        value = value_of_settling(state, building)
        if value > best_value:
            best, best_value = building, value
    return best


@kernel
def value_of_settling(state, building):
    """Return the value of settling a DA colonist in a Building, by criteria 1 to 4."""
    free = 1 if free_star2(state, building) > 0 else 0
    settle(state.seats[DA_SEAT], building)
    value = position_value(state) * 2 + free
    state.seats[DA_SEAT].star[building] -= 1
    state.seats[DA_SEAT].ship += 1
    return value


@kernel
def automaton_upgrades(state):
    """Carry out the best sequence of upgrades or downgrades: two steps if possible, otherwise one or none."""
    for is_last in (False, True):
        option = best_upgrade(state, is_last)
        if option >= 0:
            do_shift(state, DA_SEAT, option)


@kernel
def best_upgrade(state, is_last):
    """Return the best next step, after which another one follows unless `is_last`; -1 if none is possible."""
    best, best_value = -1, WORST
    possible = choices_da_upgrade(state)
    for option in range(NUM_SHIFTS):
        if has(possible, option):
            value = (
                value_of_second_upgrade(state, option) if is_last else value_of_first_upgrade(state, option)
            )
            if value > best_value:
                best, best_value = option, value
    return best


@kernel
def value_of_first_upgrade(state, option):
    """Return the value, by criteria 1 to 4, of the best sequence that begins with the step `option`."""
    free = 1 if free_star2(state, decode_shift(option)[0]) > 0 else 0
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
    """Undo the upgrade or downgrade `option`."""
    do_shift(state, DA_SEAT, option ^ 1)
