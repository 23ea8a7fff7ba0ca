"""Checks of snapshots and resume states, shared by all games.

A resume state contains what a snapshot lacks, such as the seed of the random stream.
"""

from collections.abc import Collection, Mapping

from pocketmars_env.core.errors import one_line, quoted


def require(condition: object, complaint: str) -> None:
    """Raise a ValueError about the snapshot unless the condition holds."""
    if not condition:
        raise ValueError(f"bad snapshot: {one_line(complaint)}")


def is_count(value: object, most: int, least: int = 0) -> bool:
    """Return whether `value` is an ``int``, but not a ``bool``, in `least`..`most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def or_none(number: int) -> int | None:
    """Return `number` as an ``int``, or None if it is negative."""
    return None if number < 0 else int(number)


def check_resume_state(
    resume_state: object, names: Collection[str], ranges: Mapping[str, tuple[int, int]]
) -> None:
    """Raise a ValueError unless `resume_state` has the format of a resume state."""
    if not isinstance(resume_state, dict) or set(resume_state) != set(names):
        raise ValueError(f"a resume state has the keys {sorted(names)}, got {quoted(resume_state)}")
    for name, (least, most) in ranges.items():
        if not is_count(resume_state[name], most, least):
            raise ValueError(
                f"bad resume state: {name} must be an integer in {least}..{most}, "
                f"got {quoted(resume_state[name])}"
            )
