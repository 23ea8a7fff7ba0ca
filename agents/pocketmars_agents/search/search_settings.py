"""Budgets, settings and names of searching bots."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MAX_SIMULATIONS = 10_000_000
MAX_SECONDS = 3_600.0


@dataclass(frozen=True)
class Budget:
    """Budget of a search for each decision: a number of simulations, or a time.

    Args:
        simulations: number of simulations; None with a time budget.
        seconds: time in seconds; None with a budget of simulations.

    """

    simulations: int | None
    seconds: float | None

    @classmethod
    def of(cls, simulations: int | None, seconds: float | None, default: int) -> "Budget":
        """Returns the given budget; `default` simulations if neither is given.

        Raises:
            ValueError: if both are given, or if a value is out of range: 1..10,000,000 simulations;
                above 0, up to 3,600 seconds.

        """
        if simulations is not None and seconds is not None:
            raise ValueError("a search is limited by simulations or by seconds, not by both")
        if seconds is not None:
            return cls(None, check_seconds(seconds))
        return cls(check_simulations(default if simulations is None else simulations), None)

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.simulations is None else str(self.simulations)

    def expected(self, per_second: int) -> int:
        """Expected number of simulations for each decision; with a time budget, an upper bound."""
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


def check_number(what: str, number: float, low: float, high: float) -> float:
    if type(number) not in (int, float) or not low <= number <= high:
        raise ValueError(f"{what} must be a number in {low:g}..{high:g}, got {number!r}")
    return float(number)


# --- names ----------------------------------------------------------------------------------------


def settings_of(
    name: str, kind: str, options: Mapping[str, Callable[[str], Any]], accepted: str
) -> dict[str, Any]:
    """Returns the settings in a name such as ``"ismcts:0.5s:objective=score"``; does not check their ranges.

    Args:
        name: the name of the bot.
        kind: the part of the name before the first colon.
        options: parsers of the settings after the budget, by name.
        accepted: the accepted names, for error messages.

    Returns:
        ``simulations`` or ``seconds``, if the name has a budget, and the settings in the name.

    Raises:
        ValueError: if the name cannot be parsed.

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
            raise ValueError(f"{name!r} sets {key!r} twice; accepted: {accepted}")
        read = {"simulations": read_integer, "seconds": read_number, **options}[key]
        try:
            found[key] = read(text)
        except ValueError:
            raise ValueError(
                f"{key} in {name!r} must be a number, got {text!r}; accepted: {accepted}"
            ) from None
    return found


def read_integer(digits: str) -> int:
    """Parses an integer in decimal digits."""
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(digits)
    return int(digits)


def read_number(digits: str) -> float:
    """Parses a number in decimal digits, with or without a decimal point."""
    if not (digits.isascii() and digits.replace(".", "", 1).isdigit()):
        raise ValueError(digits)
    return float(digits)
