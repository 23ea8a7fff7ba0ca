"""Settings in the names of bots, such as ``mmd:400:depth=16`` or ``llm:qwen3:8b:temperature=0.7``."""

import re
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from msgspec import Meta

from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.settings import did_you_mean


class BotOptions(gate.Record):
    """The settings of a bot; the types of a subclass's fields declare the accepted values."""

    bot: ClassVar[str]
    """The bot's name without settings."""

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Return checked settings."""
        return gate.convert(values, cls, cls.bot)

    @classmethod
    def read(cls, name: str, parts: Iterable[str], **values: Any) -> Self:
        """Return the settings in the `parts` of a `name`, which have the form ``key=value``."""
        accepted = cls.__struct_fields__
        for part in parts:
            key, equals, text = part.partition("=")
            if not equals or key not in accepted or key in values:
                raise ValueError(
                    f"{did_you_mean(key, accepted)}{quoted(part)} in {quoted(name)} is not a setting, or is "
                    f"repeated; settings: {', '.join(accepted)}"
                )
            values[key] = text
        return gate.convert(values, cls, quoted(name), strict=False)

    def defaults(self) -> dict[str, Any]:
        """Return the settings that the name omits, with the values that it omits."""
        return dict(zip(reversed(self.__struct_fields__), reversed(self.__struct_defaults__)))

    @property
    def changed(self) -> list[str]:
        """The settings that differ from the defaults, as they appear in the name."""
        values = {key: getattr(self, key) for key in self.__struct_fields__}
        usual = self.defaults()
        return [
            f"{key}={number_text(value) if isinstance(value, float) else value}"
            for key, value in values.items()
            if key in usual and value is not None and value != usual[key]
        ]


class SearchOptions(BotOptions):
    """The settings of a search; its budget for each decision is a number of simulations or a time."""

    usual: ClassVar[int]
    """The default number of simulations."""
    policies: ClassVar[tuple[str, ...]] = ()
    """The settings that are names of policies or paths of their files."""

    simulations: Annotated[int, Meta(ge=1, le=10_000_000)] | None = None
    seconds: Annotated[float, Meta(gt=0, le=3_600)] | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None and self.seconds is not None:
            raise ValueError("a search is limited by simulations or by seconds, not by both")

    @classmethod
    def from_name(cls, name: str) -> Self:
        """Return the settings in a name such as ``"puct:400:temperature=2"``."""
        bot, *parts = re.split(r":(?![\\/])", name)  # not after the drive in a path
        if bot != cls.bot:
            raise ValueError(f"{quoted(name)} is not a name of {cls.bot}")
        if parts and "=" not in parts[0]:
            budget = parts.pop(0)
            is_time = budget.endswith("s")
            parts.insert(0, f"seconds={budget[:-1]}" if is_time else f"simulations={budget}")
        return cls.read(name, parts)

    @property
    def limit(self) -> int | None:
        """The number of simulations, or None with a time limit."""
        return self.usual if self.simulations is None and self.seconds is None else self.simulations

    @property
    def name(self) -> str:
        """The bot's canonical name."""
        budget = self.limit if self.seconds is None else f"{number_text(self.seconds)}s"
        return ":".join([self.bot, str(budget), *self.changed])

    def defaults(self) -> dict[str, Any]:
        """See `BotOptions.defaults`; the budget has its own place in the name."""
        return super().defaults() | {"simulations": self.simulations, "seconds": self.seconds}


def number_text(number: float) -> str:
    """Return a number as text, exactly and without an exponent."""
    return np.format_float_positional(number, trim="-")
