"""Settings and names of language-model agents."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from pocketmars_agents.search.search_settings import check_number, read_integer, read_number
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.settings import check_choice, check_integer, did_you_mean

ACCEPTED_NAMES = "'llm:MODEL' (a language model, with settings such as ':temperature=0.7')"
MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@:+-]{0,199}")
READ: Mapping[str, Callable[[str], Any]] = {
    "temperature": read_number,
    "max_tokens": read_integer,
    "timeout": read_number,
    "retries": read_integer,
    "calls": read_integer,
    "replies": str,
    "seed": str,
}
"""For each setting in an agent's name, the function that parses its value."""


@dataclass(frozen=True)
class LlmSettings:
    """A language model and its settings.

    Attributes:
        model: the name of the model on the server.
        temperature: the sampling temperature, 0 to 2; None uses the server's default.
        max_tokens: the maximum length of a reply in tokens; None uses the server's limit.
        timeout: the time limit of one request, in seconds.
        retries: the maximum number of retries per decision, after illegal replies and temporary request
            errors.
        calls: the maximum number of requests in a game.
        replies: how replies are parsed, ``"lenient"`` or ``"strict"``; see `parse_action`.
        seed: whether requests contain a seed, ``"yes"`` or ``"no"``; some servers reject seeds.

    Raises:
        ValueError: if a setting is invalid; the message names the setting.

    """

    model: str
    temperature: float | None = None
    max_tokens: int | None = None
    timeout: float = 120.0
    retries: int = 2
    calls: int = 1_000
    replies: str = "lenient"
    seed: str = "yes"

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not MODEL.fullmatch(self.model):
            raise ValueError(
                f"a model's name may have only letters, digits and ._/@:+-, got {quoted(self.model)}"
            )
        if self.temperature is not None:
            check_number("temperature", self.temperature, 0, 2)
        if self.max_tokens is not None:
            check_integer("max_tokens", self.max_tokens, 1, 10**6)
        check_number("timeout", self.timeout, 0.1, 3_600)
        check_integer("retries", self.retries, 0, 10)
        check_integer("calls", self.calls, 1, 10**6)
        check_choice("replies", self.replies, ("lenient", "strict"))
        check_choice("seed", self.seed, ("yes", "no"))

    @property
    def name(self) -> str:
        """The agent's canonical name, which omits settings with default values."""
        changed = [
            f"{field.name}={value:g}" if isinstance(value, float) else f"{field.name}={value}"
            for field in fields(self)[1:]
            if (value := getattr(self, field.name)) != field.default
        ]
        return ":".join(["llm", self.model, *changed])

    @classmethod
    def from_name(cls, name: str) -> Self:
        """Return the settings in an agent's name, such as ``"llm:qwen3:8b:temperature=0.7"``.

        Raises:
            ValueError: if the name cannot be parsed or a setting is invalid.

        """
        parts = name.split(":")[1:]
        settings: dict[str, Any] = {}
        while parts and "=" in parts[-1]:  # names of models may contain colons, as in qwen3:8b
            key, _, text = parts.pop().partition("=")
            if key not in READ or key in settings:
                suggestion = did_you_mean(key, READ.keys() - settings)
                raise ValueError(
                    f"{suggestion}{quoted(key)} in {quoted(name)} is not a setting, or is repeated; "
                    f"accepted: {', '.join(READ)}"
                )
            try:
                settings[key] = READ[key](text)
            except ValueError:
                raise ValueError(f"{key} in {quoted(name)} must be a number, got {quoted(text)}") from None
        return cls(":".join(parts), **settings)
