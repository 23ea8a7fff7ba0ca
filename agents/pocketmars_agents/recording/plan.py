"""The settings of a recording, such as the bots and the number of games."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.seeding import np_random

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.registry import checked_name
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import Config, GameSpec, default_game, spec_of
from pocketmars_env.core.observation_dtype import observation_dtype_of
from pocketmars_env.core.settings import check_integer
from pocketmars_env.envs.episodes import RANDOM_SEAT, next_episodes
from pocketmars_env.envs.rewards import check_reward

MAX_SEED = 2**63 - 1
MAX_GAMES = 2**40
DATASET_ID = re.compile(r"[-\w]+(/[-\w]+)*-v\d+", flags=re.ASCII)


@dataclass(frozen=True)
class Plan:
    """The settings of a recording.

    Game `i`, counted from 0, is the game that ``reset(seed=seed + i)`` starts in a Gymnasium environment with
    the same game settings.

    Attributes:
        bots: the names of the bots (see `make_agent`), one for each seat that makes decisions; stored as
            canonical names. In games of several players, the bots rotate by one seat after each game.
        config: the settings of the games.
        games: the number of games.
        seed: the ``reset`` seed of game 0.
        reward: ``"win"`` or ``"margin"``; see `final_rewards`.
        observation_dtype: ``"float32"``, or ``"uint8"`` for counts. The float32 observations are the counts
            multiplied by `GameSpec.scales`.
        dataset_id: the dataset's name, such as ``pocketmars/my-games-v0``; if empty, a name is made from
            `config` and `bots`.

    Raises:
        ValueError: if a setting is invalid or a bot cannot be created; the message gives the reason. The
            number of bots is checked only by `matches`.

    """

    bots: tuple[str, ...]
    config: Config = field(default_factory=lambda: default_game().config())
    games: int = 1_000
    seed: int = 0
    reward: str = "win"
    dataset_id: str = ""
    observation_dtype: str = "float32"

    def __post_init__(self) -> None:
        check_reward(self.reward)
        observation_dtype_of(self.spec, self.config, self.observation_dtype)
        check_integer("games", self.games, 1, MAX_GAMES)
        check_integer("seed", self.seed, 0, MAX_SEED - self.games)
        object.__setattr__(self, "bots", tuple(checked_name(bot, self.spec) for bot in self.bots))
        if not self.dataset_id:
            object.__setattr__(self, "dataset_id", self._default_id())
        if not DATASET_ID.fullmatch(self.dataset_id):
            raise ValueError(
                "the dataset's name must be like pocketmars/my-games-v0: letters, digits, '-' and '_', "
                f"and a version at the end; got {quoted(self.dataset_id)}"
            )

    def _default_id(self) -> str:
        words = "-".join([self.config.label, *dict.fromkeys(self.bots)]).lower()
        return f"{self.spec.namespace}/{re.sub('[^a-z0-9]+', '-', words)}-v0"

    @property
    def spec(self) -> GameSpec:
        """The `GameSpec` of the game."""
        return spec_of(self.config)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the observations."""
        return np.dtype(self.observation_dtype)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings except `dataset_id`; for a game other than the default game, also its name."""
        name = {} if self.spec is default_game() else {"game": self.spec.name}
        settings = {**name, **vars(self), "bots": list(self.bots), "config": self.config.as_dict()}
        del settings["dataset_id"]
        return settings

    def matches(self) -> Iterator[Match]:
        """Yield one match per game, in order; raise a ValueError if the number of bots is wrong."""
        for i in range(self.games):
            stream = np_random(self.seed + i)[0]
            seed = int(next_episodes([stream], 0, self.config.seats).game_seeds[0])
            yield Match(self.bots, self.config, seed, rotation=i % self.config.players)

    def env_spec(self) -> EnvSpec:
        """Return the specification of an environment with the settings of the recording.

        All bots except the first are the opponents. In a solo game, the learner has seat 0; in
        other games, it has a random seat in each episode.
        """
        has_opponents = len(self.bots) > 1
        mode = next(mode for mode in self.spec.env_modes if mode.has_opponents is has_opponents)
        items = self.config.as_dict().items()
        settings = {name: value for name, value in items if name not in mode.without}
        settings["reward"] = self.reward
        settings["observation_dtype"] = self.observation_dtype
        if has_opponents:
            settings["seat"] = RANDOM_SEAT if self.config.players > 1 else 0
            settings["opponents"] = list(self.bots[1:])
        return replace(gymnasium.spec(self.spec.id_of(mode.name)), kwargs=settings)


def seated(bots: Sequence[str], config: Config) -> tuple[str, ...]:
    """Return one bot for each seat that makes decisions, in seat order.

    In a game of several players, the last bot fills the remaining seats. In a solo game, the bots are
    returned as given.
    """
    if not 1 <= len(bots) <= config.seats:
        kind = "a solo game" if config.players == 1 else f"a game of {config.players} players"
        raise ValueError(f"{kind} is for 1 to {config.seats} bots, got {len(bots)}")
    seats = len(bots) if config.players == 1 else config.players
    return (*bots, *([bots[-1]] * (seats - len(bots))))
