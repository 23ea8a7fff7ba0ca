"""An independent implementation of the automaton policy, to compare with the game's own implementation."""

from collections.abc import Iterator
from typing import Any

from tests.builders import GREENHOUSE, HABITATION

Seat = dict[str, Any]
Step = tuple[int, int]
"""A Building and a direction: 0 upgrades the DA's colonist, 1 downgrades the player's colonist."""


class Position:
    """The input of the automaton policy: the colonists and energy of both sides."""

    def __init__(self, player: Seat, da: Seat) -> None:
        self.sides = [
            {key: list(side[key]) for key in ("star", "star2")}
            | {key: side[key] for key in ("ship", "energy")}
            for side in (player, da)
        ]

    def copy(self) -> "Position":
        return Position(*self.sides)

    def here(self, building: int) -> int:
        """Return the number of DA colonists in a Building."""
        da = self.sides[1]
        return int(da["star"][building] + da["star2"][building])

    def is_free(self, building: int) -> bool:
        return all(side["star2"][building] == 0 for side in self.sides)

    def points(self, number: int) -> int:
        all_four, four_in_one, highest_energy = (4, 5, 2) if number else (2, 3, 1)
        side, other = self.sides[number], self.sides[1 - number]
        total = side["ship"] + 2 * sum(side["star"]) + 4 * sum(side["star2"])
        counts = [low + high for low, high in zip(side["star"], side["star2"], strict=True)]
        total += all_four if all(counts) else 0
        total += four_in_one if max(counts) >= 4 else 0
        total += highest_energy if side["energy"] >= other["energy"] else 0
        return int(total)

    def missing(self) -> int:
        counts = [self.here(building) for building in range(4)]
        to_go = [counts.count(0), max(0, 4 - max(counts))]
        return min((number for number in to_go if number), default=0)

    def value(self) -> tuple[int, int, int]:
        return self.points(1), -self.points(0), -self.missing()

    def settled(self, building: int) -> "Position":
        after = self.copy()
        after.sides[1]["ship"] -= 1
        after.sides[1]["star"][building] += 1
        return after

    def shifted(self, step: Step) -> "Position":
        building, is_down = step
        after = self.copy()
        side, change = (after.sides[0], -1) if is_down else (after.sides[1], 1)
        side["star"][building] -= change
        side["star2"][building] += change
        return after

    def steps(self) -> list[Step]:
        ups = [(b, 0) for b in range(4) if self.sides[1]["star"][b] and self.is_free(b)]
        return ups or [(b, 1) for b in range(4) if self.sides[0]["star2"][b]]

    def sequences(self) -> Iterator[list[Step]]:
        """Yield all sequences of two steps, or of one step if no second step is possible."""
        for first in self.steps():
            seconds = self.shifted(first).steps()
            yield from ([first, second] for second in seconds)
            if not seconds:
                yield [first]

    def best_building(self) -> int:
        ranks = {b: (*self.settled(b).value(), self.is_free(b), -b) for b in range(4)}
        return max(ranks, key=lambda building: ranks[building])

    def best_sequence(self) -> list[Step]:
        def rank(sequence: list[Step]) -> tuple[Any, ...]:
            after = self
            for step in sequence:
                after = after.shifted(step)
            return (*after.value(), self.is_free(sequence[0][0]), [-building for building, _ in sequence])

        return max(self.sequences(), key=rank, default=[])


def after_activation(player: Seat, da: Seat, suit: int) -> Position:
    """Return the position after the DA settles or launches a colonist and uses the ability of the suit."""
    position = Position(player, da)
    if da["ship"] and suit == HABITATION:
        return position.settled(position.best_building())
    if da["ship"]:
        position = position.settled(suit)
    elif da["earth"]:
        position.sides[1]["ship"] += 1
    for step in position.best_sequence() if suit == GREENHOUSE else []:
        position = position.shifted(step)
    return position
