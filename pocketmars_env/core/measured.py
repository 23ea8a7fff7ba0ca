"""Configurations of a game in the speed benchmark."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measured:
    """A configuration whose speed is measured.

    Attributes:
        label: the configuration in words, such as "2 players".
        config: the settings.
        env_mode: the mode of the measured Gymnasium environments, with their default settings. If set,
            `Game`, the PettingZoo environments and OpenSpiel are measured in this configuration, too.

    """

    label: str
    config: Any
    env_mode: str | None = None
