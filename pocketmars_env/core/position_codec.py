"""`PositionCodec`, how a game's positions are created, written as plain data, and restored."""

from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.errors import one_line

Snapshot = dict[str, Any]
ResumeState = dict[str, int]
Chance = dict[str, list[Any]]
"""Results of the next random events, keyed by the kind of event, such as ``"shuffles"``."""


class PositionCodec:
    """Base class for a game's positions; its defaults suit games that begin only with a seed.

    Positions are ``(1,)`` state records. The results of *predetermined* random events are fixed in advance.
    """

    def blank(self, count: int, config: Any) -> States:
        """Return state records for a configuration, ready for the kernel `new_game`.

        Their dtype must have the fields that `game_kernels.py` lists.
        """
        raise NotImplementedError

    def label(self, states: States) -> str | None:
        """Return a label of a position for `repr`, such as "solo, round 3"; None for the game's title."""
        return None

    def snapshot(self, states: States) -> Snapshot:
        """Return everything on the table as JSON-serializable data; by default all fields of the record."""
        return {name: states[name][0].tolist() for name in states.dtype.names or ()}

    def resume_state(self, states: States) -> ResumeState:
        """Return the fields of the state that are not in the snapshot, as plain integers."""
        return {}

    def check_record(self, states: States) -> None:
        """Raise a ValueError if the record is not a valid position."""
        raise ValueError("positions of this game cannot be restored from state records")

    def from_snapshot(
        self, data: Snapshot, resume_state: ResumeState | None, seed: int, **settings: Any
    ) -> States:
        """Return the position with the given snapshot.

        Args:
            data: a snapshot.
            resume_state: the resume state of the same position, or None.
            seed: the seed of later random events; used only without a resume state.
            settings: settings that the snapshot does not show; used only without a resume state.

        Raises:
            ValueError: if an argument is invalid, or if the game has no snapshots.

        """
        raise ValueError("this game cannot be created from a snapshot")

    def from_deal(self, deal: Any, seed: int, settings: dict[str, Any]) -> tuple[States, dict[str, Any]]:
        """Return the first decision after a deal, and the deal in its usual form.

        Raises:
            ValueError: if an argument is invalid, or if the game has no deals.

        """
        raise ValueError("this game cannot be created from a deal")

    def checked_chance(self, **results: Any) -> Chance:
        """Check predetermined results, and return them as lists.

        Raises:
            ValueError: if a result is invalid, or if the game has no such predetermined random events.

        """
        if results:
            raise ValueError(f"this game has no predetermined {' and '.join(results)}")
        return {}

    def with_chance(self, states: States, results: Chance) -> States:
        """Return a copy of a position in which the next random events have the given results."""
        raise NotImplementedError

    def used_chance(self, before: States, after: States, results: Chance) -> dict[str, int]:
        """Return how many of the given results a step has used, and remove all others from `after`.

        Args:
            before: the position before the step.
            after: the position after the step, which began at the position from `with_chance`.
            results: the results that `with_chance` got.

        Raises:
            ValueError: if a result does not fit the position.

        """
        raise NotImplementedError


def or_none(number: int) -> int | None:
    """Return `number` as an ``int``, or None if it is negative."""
    return None if number < 0 else int(number)


def require(condition: object, complaint: str) -> None:
    """Raise a ValueError about the snapshot unless the condition holds."""
    if not condition:
        raise ValueError(f"bad snapshot: {one_line(complaint)}")
