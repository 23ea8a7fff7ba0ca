"""Settings of the scripts that train for any game."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Self, cast

from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_training.run.settings import RunSettings
from pocketmars_training.run.training_spec import player_counts, training_of


@dataclass(frozen=True, kw_only=True)
class GameSettings(RunSettings):
    """Settings shared by the scripts that train for any game.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    game: str = default_game().name
    """The game to train for; any registered one."""

    @property
    def spec(self) -> GameSpec:
        return game_named(self.game)

    @classmethod
    def for_game(cls, game: str) -> type[Self]:
        """Returns the settings class with the defaults of a game.

        Args:
            game: its name.

        Raises:
            ValueError: for an unknown game; names the registered ones.

        """
        defaults: dict[str, Any] = {**training_of(game_named(game)).defaults, "game": game}
        fields = [
            (field.name, cast(Any, field.type), dataclasses.field(default=defaults[field.name]))
            for field in dataclasses.fields(cls)
            if field.name in defaults
        ]
        made = dataclasses.make_dataclass(cls.__name__, fields, bases=(cls,), frozen=True, kw_only=True)
        made.__doc__ = cls.__doc__
        return made

    def _check_tables(
        self, players: tuple[int, ...], bots: tuple[str, ...], accepts_solo: bool = False
    ) -> None:
        counts = player_counts(self.spec)
        *others, last = map(str, counts)
        accepted = f"some of {', '.join(others)} and {last}" if others else last
        is_right = len(players) > 0 and set(players) <= set(counts)
        if accepts_solo and training_of(self.spec).solo:
            accepted, is_right = f"1 alone, or {accepted}", is_right or players == (1,)
        self._check("players", is_right, accepted)
        self._check_agents("bots", bots)
