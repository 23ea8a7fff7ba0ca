"""Usage of a language model: calls, tokens and illegal replies."""

from dataclasses import astuple, dataclass


@dataclass(frozen=True)
class Usage:
    """Usage counts of a language model, summed over any number of requests."""

    calls: int = 0  # requests to the server, including failed ones
    prompt_tokens: int = 0  # input tokens, as reported by the server
    completion_tokens: int = 0  # output tokens, as reported by the server
    illegal: int = 0  # replies that were rejected because they did not give a legal action

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(count + more for count, more in zip(astuple(self), astuple(other))))


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
