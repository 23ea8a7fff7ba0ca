"""What the speed benchmark measures of a game."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measured:
    """A configuration whose speed is measured.

    Attributes:
        label: the configuration in words, such as "2 players".
        config: the settings.
        env_mode: the mode of the Gymnasium environments to measure, with their default settings. With it the
            game, the PettingZoo environments and OpenSpiel are measured in this configuration, too.

    """

    label: str
    config: Any
    env_mode: str | None = None
