"""Kernels that move a seat's colonists, change its energy, or count its colonists.

The argument `seat` is a `SEAT` record, or the number of the seat if the kernel also takes the `state`.
`launch` and `gain` do as much as possible; the other kernels that change a seat do not check whether the
change is possible.
"""

from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.constants import MAX_ENERGY, NUM_BUILDINGS
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats, star2_limit


@kernel
def launch(seat, number):
    """Move up to `number` colonists from Earth to the Ship."""
    moving = min(number, int(seat.earth))
    seat.earth -= moving
    seat.ship += moving


@kernel
def settle(seat, building):
    """Move one colonist from the Ship to ★ of a Building."""
    seat.ship -= 1
    seat.star[building] += 1


@kernel
def upgrade(seat, building):
    """Move one colonist from ★ to ★★ of a Building."""
    seat.star[building] -= 1
    seat.star2[building] += 1


@kernel
def downgrade(seat, building):
    """Move one colonist from ★★ to ★ of a Building."""
    seat.star2[building] -= 1
    seat.star[building] += 1


@kernel
def gain(seat, energy):
    """Gain energy; any energy above the maximum is lost (R-ENERGY)."""
    seat.energy = min(MAX_ENERGY, int(seat.energy) + energy)


@kernel
def use(seat, energy):
    """Pay energy."""
    seat.energy -= energy


@kernel
def free_star2(state, building):
    """Return the number of free ★★ places in the Building."""
    taken = 0
    for seat in range(number_of_seats(state)):
        taken += state.seats[seat].star2[building]
    return star2_limit(state) - taken


@kernel
def can_upgrade(state, seat, building):
    """Return whether the seat has a colonist on ★ of the Building and a ★★ place is free (R-UPGRADE)."""
    return state.seats[seat].star[building] > 0 and free_star2(state, building) > 0


@kernel
def in_building(seat, building):
    """Return the number of the seat's colonists in one Building."""
    return int(seat.star[building]) + int(seat.star2[building])


@kernel
def in_buildings(seat):
    """Return the number of the seat's colonists in all Buildings."""
    colonists = 0
    for building in range(NUM_BUILDINGS):
        colonists += in_building(seat, building)
    return colonists
