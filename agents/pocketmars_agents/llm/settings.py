"""Settings and names of language-model agents."""

from typing import Annotated, Literal, Self

from msgspec import Meta

from pocketmars_agents.bots.bot_options import BotOptions

ACCEPTED_NAMES = "'llm:MODEL' (a language model, with settings such as ':temperature=0.7')"
MODEL = r"^[A-Za-z0-9][A-Za-z0-9._/@:+-]{0,199}\Z"


class LlmSettings(BotOptions):
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

    bot = "llm"

    model: Annotated[str, Meta(pattern=MODEL)]
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=10**6)] | None = None
    timeout: Annotated[float, Meta(ge=0.1, le=3_600)] = 120.0
    retries: Annotated[int, Meta(ge=0, le=10)] = 2
    calls: Annotated[int, Meta(ge=1, le=10**6)] = 1_000
    replies: Literal["lenient", "strict"] = "lenient"
    seed: Literal["yes", "no"] = "yes"

    @property
    def name(self) -> str:
        """The agent's canonical name, which omits settings with default values."""
        return ":".join([self.bot, self.model, *self.changed])

    @classmethod
    def from_name(cls, name: str) -> Self:
        """Return the settings in an agent's name, such as ``"llm:qwen3:8b:temperature=0.7"``.

        Raises:
            ValueError: if the name cannot be parsed or a setting is invalid.

        """
        parts = name.split(":")[1:]
        first = len(parts)
        while first and "=" in parts[first - 1]:  # names of models may contain colons, as in qwen3:8b
            first -= 1
        return cls.read(name, parts[first:], model=":".join(parts[:first]))
