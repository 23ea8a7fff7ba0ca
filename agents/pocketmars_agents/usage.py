"""Usage of a language model: calls, tokens and illegal replies."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Self


@dataclass(frozen=True)
class Usage:
    """Usage counts of a language model, summed over any number of requests.

    Attributes:
        calls: requests to the server, including failed ones.
        prompt_tokens: input tokens, as reported by the server.
        completion_tokens: output tokens, as reported by the server.
        illegal: replies that were rejected because they did not give a legal action.

    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    illegal: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(count + more for count, more in zip(astuple(self), astuple(other))))

    @classmethod
    def of(cls, counts: object) -> Self:
        """Return the `Usage` with the given counts."""
        if not (isinstance(counts, list | tuple) and len(counts) == 4):
            raise ValueError("usage must be a list of four counts")
        if not all(type(count) is int and 0 <= count <= MOST for count in counts):
            raise ValueError(f"usage counts must be integers in 0..{MOST}")
        return cls(*counts)


MOST = 10**12


def check_usages(usages: Sequence[object], seats: int) -> None:
    """Raise a ValueError unless `usages` is empty or contains the counts of a `Usage` for each seat."""
    if len(usages) not in (0, seats):
        raise ValueError("usage must be empty or have an entry for each seat")
    for counts in usages:
        Usage.of(counts)


def usage_since(agent: object) -> Usage:
    """Return an agent's usage counts and reset them.

    The counts are zero if the agent has no method `take_usage`, or if this method fails.
    """
    take = getattr(agent, "take_usage", None)
    try:
        usage = take() if callable(take) else None
    except Exception:  # a bot may raise anything
        usage = None
    return usage if isinstance(usage, Usage) else Usage()
