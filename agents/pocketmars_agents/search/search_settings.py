"""Search budgets, and functions that check, parse and format numeric settings."""

from dataclasses import dataclass

import numpy as np

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.settings import check_integer

MAX_SIMULATIONS = 10_000_000
MAX_SECONDS = 3_600.0


@dataclass(frozen=True)
class Budget:
    """Search budget for each decision: a number of simulations or a time limit."""

    simulations: int | None
    seconds: float | None

    @classmethod
    def of(cls, simulations: int | None, seconds: float | None, default: int) -> "Budget":
        """Return the budget, by default `default` simulations, if neither of the other arguments is given."""
        if simulations is not None and seconds is not None:
            raise ValueError("a search is limited by simulations or by seconds, not by both")
        if seconds is not None:
            if type(seconds) not in (int, float) or not 0.0 < seconds <= MAX_SECONDS:
                accepted = f"a number above 0, up to {MAX_SECONDS:g}"
                raise ValueError(f"seconds must be {accepted}, got {quoted(seconds)}")
            return cls(None, float(seconds))
        number = default if simulations is None else simulations
        return cls(check_integer("simulations", number, 1, MAX_SIMULATIONS), None)

    def __str__(self) -> str:
        return f"{number_text(self.seconds or 0.0)}s" if self.simulations is None else str(self.simulations)

    def expected(self, per_second: int) -> int:
        """Return the expected number of simulations per decision.

        With a time limit, the number is an estimate, based on `per_second` simulations per second.
        """
        if self.simulations is not None:
            return self.simulations
        return int((self.seconds or 0.0) * per_second)


def check_number(what: str, number: float, low: float, high: float) -> float:
    """Return `number` as a float if it is in ``low..high``; otherwise raises a ValueError."""
    if type(number) not in (int, float) or not low <= number <= high:
        raise ValueError(f"{what} must be a number in {low:g}..{high:g}, got {quoted(number)}")
    return float(number)


# --- numbers in names -----------------------------------------------------------------------------


def number_text(number: float) -> str:
    """Return a number as text, exactly and without an exponent, so that `read_number` can parse it."""
    return np.format_float_positional(number, trim="-")


def read_integer(digits: str) -> int:
    """Parse a string of decimal digits; raise a ValueError for any other string."""
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(digits)
    return int(digits)


def read_number(digits: str) -> float:
    """Parse decimal digits with at most one decimal point; raise a ValueError for any other string."""
    if not (digits.isascii() and digits.replace(".", "", 1).isdigit()):
        raise ValueError(digits)
    return float(digits)
