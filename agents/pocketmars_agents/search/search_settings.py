"""How much a searching bot may search, and how it is named."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

MAX_SIMULATIONS = 10_000_000
MAX_SECONDS = 3_600.0


@dataclass(frozen=True)
class Budget:
    """What a search has for each answer: a number of simulations, or a time.

    Args:
        simulations: how many; or None.
        seconds: how long; or None.

    """

    simulations: int | None
    seconds: float | None

    @classmethod
    def of(cls, simulations: int | None, seconds: float | None, default: int) -> "Budget":
        """A budget of what was asked for; `default` simulations if that is nothing.

        Raises:
            ValueError: if it is both, or out of 1..10,000,000 simulations or above 0 to 3,600 seconds.

        """
        if simulations is not None and seconds is not None:
            raise ValueError("a search is limited by simulations or by seconds, not by both")
        if seconds is not None:
            return cls(None, check_seconds(seconds))
        return cls(check_simulations(default if simulations is None else simulations), None)

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.simulations is None else str(self.simulations)

    def expected(self, per_second: int) -> int:
        """The simulations of an answer, at most so many a second where time is the limit."""
        if self.simulations is not None:
            return self.simulations
        return int((self.seconds or 0.0) * per_second)


def check_simulations(number: int) -> int:
    if type(number) is not int or not 1 <= number <= MAX_SIMULATIONS:
        raise ValueError(f"simulations must be an integer in 1..{MAX_SIMULATIONS}, got {number!r}")
    return number


def check_seconds(number: float) -> float:
    if type(number) not in (int, float) or not 0.0 < number <= MAX_SECONDS:
        raise ValueError(f"seconds must be a number above 0, up to {MAX_SECONDS:g}, got {number!r}")
    return float(number)


def check_exploration(number: float) -> float:
    if type(number) not in (int, float) or not 0.0 <= number <= 100.0:
        raise ValueError(f"exploration must be a number in 0..100, got {number!r}")
    return float(number)


def check_temperature(number: float) -> float:
    if type(number) not in (int, float) or not 0.01 <= number <= 100.0:
        raise ValueError(f"temperature must be a number in 0.01..100, got {number!r}")
    return float(number)


def check_one_of(what: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, known))}, got {value!r}")


# --- names ----------------------------------------------------------------------------------------


def settings_of(
    name: str, kind: str, options: Mapping[str, Callable[[str], Any]], accepted: str
) -> dict[str, Any]:
    """What a name such as ``"ismcts:0.5s:objective=score"`` sets; the values are not checked.

    Args:
        name: the bot's.
        kind: what stands before the first colon.
        options: what reads the text of each setting behind the budget, by its name.
        accepted: what a ValueError says of names that are.

    Returns:
        ``simulations`` or ``seconds``, if the name has a budget, and the options that it sets.

    Raises:
        ValueError: if the name does not read so.

    """
    first, *parts = name.split(":")
    if first != kind:
        raise ValueError(f"{name!r} is no {kind}; accepted: {accepted}")
    found: dict[str, Any] = {}
    for i, part in enumerate(parts):
        key, equals, text = part.partition("=")
        if i == 0 and not equals:
            key, text = ("seconds", part[:-1]) if part.endswith("s") else ("simulations", part)
        elif key not in options:
            raise ValueError(f"{part!r} in {name!r} is no setting; accepted: {accepted}")
        if key in found:
            raise ValueError(f"{name!r} says {key!r} twice; accepted: {accepted}")
        read = {"simulations": read_integer, "seconds": read_number, **options}[key]
        try:
            found[key] = read(text)
        except ValueError:
            raise ValueError(
                f"{key} in {name!r} must be a number, got {text!r}; accepted: {accepted}"
            ) from None
    return found


def read_integer(digits: str) -> int:
    """An integer in plain decimal digits."""
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(digits)
    return int(digits)


def read_number(digits: str) -> float:
    """A number in plain decimal digits, with a point or without."""
    if not (digits.isascii() and digits.replace(".", "", 1).isdigit()):
        raise ValueError(digits)
    return float(digits)
