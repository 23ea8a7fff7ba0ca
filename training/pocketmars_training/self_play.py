"""Train one agent for games of 2, 3 and 4 players, against bots and its past selves.

    pocketmars train self-play --run runs/table
    pocketmars train self-play --run runs/table --resume

The network first imitates a bot, then improves by playing in a league (see `league.py`) with
Stable-Baselines3's MaskablePPO. The run's folder receives checkpoints, past selves, the TensorBoard log and
finally `table.onnx`, which every command accepts as an agent:
``pocketmars arena runs/table/table.onnx greedy``.
"""

import re
from dataclasses import dataclass
from typing import Any

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_training.data.joined_vec_env import JoinedVecEnv
from pocketmars_training.data.league import League, LeagueOpponents
from pocketmars_training.model.model_agent import ModelAgent
from pocketmars_training.run import checkpoints
from pocketmars_training.run.game_settings import GameSettings
from pocketmars_training.run.ppo_run import PpoRun
from pocketmars_training.run.script import train
from pocketmars_training.run.settings import Settings
from pocketmars_training.run.training_spec import table_id, training_of

PAST = re.compile(r"past-\d{12}")
"""Pattern of the name of a past self and its file."""


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings(GameSettings, Settings):
    """Train one agent for games of 2, 3 and 4 players, against bots and its past selves."""

    players: tuple[int, ...] = (2, 3, 4)
    """Player counts, each in an equal part of the games; name one twice to double its part."""
    bots: tuple[str, ...] = ("greedy", "planner")
    """Bots in the league; any names of `pocketmars_agents.make_agent`."""
    present_share: float = 0.5
    """Share of the other seats played by the current policy."""
    past_every: int = 500_000
    """Decisions between past selves added to the league."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_tables(self.players, self.bots)
        self._check("present_share", 0 <= self.present_share <= 1, "in 0..1")
        self._check("past_every", self.past_every >= 1, "at least 1")


class SelfPlayRun(PpoRun):
    """A run with a league.

    Args:
        settings: the settings of the run.

    """

    def __init__(self, settings: SelfPlaySettings) -> None:
        self.league = League(settings.bots, settings.present_share)
        self.past_every = settings.past_every
        self.next_past = settings.imitation_decisions
        env = league_env(settings, self.league)
        training = training_of(settings.spec)
        super().__init__(
            settings, env, training.ladder(settings.players), training.opponent_win_split, "table"
        )

    def after_update(self) -> None:
        """Adds the current policy to the league when due."""
        if self.model.num_timesteps < self.next_past:
            return
        self.next_past = self.model.num_timesteps + self.past_every
        self.league.admit_present(ModelAgent("present", self.network, is_sampling=True))
        self.league.add_past(ModelAgent.frozen(self._past_name(), self.network))
        checkpoints.write(self.folder / f"{self._past_name()}.pt", self.network.state_dict())
        self.console.print(f"{self.model.num_timesteps:,} decisions: scores against {self.league.table()}")

    def _past_name(self) -> str:
        return f"past-{self.model.num_timesteps:012d}"

    def to_keep(self) -> dict[str, Any]:
        """Checkpoint content, with the league; past selves have their own files."""
        return {**super().to_keep(), **self.league.to_keep(), "next_past": self.next_past}

    def restore(self, content: dict[str, Any]) -> None:
        """Restores the run and its league."""
        super().restore(content)
        self.next_past = content["next_past"]
        for name in content["past"]:
            if not PAST.fullmatch(name):  # it becomes the name of a file
                raise ValueError(f"{name!r} is no past self")
            past = ModelAgent.frozen(name, self.network)
            past.load(checkpoints.read(self.folder / f"{name}.pt"))
            self.league.add_past(past)
        self.league.scores[:] = content["scores"]
        if content["past"]:
            self.league.admit_present(ModelAgent("present", self.network, is_sampling=True))


def league_env(settings: SelfPlaySettings, league: League) -> JoinedVecEnv:
    """Makes the training environment, with equal parts for the player counts."""
    spec, shares = settings.spec, settings.parts_of_games(len(settings.players))

    def part(games: int, players: int) -> PocketMarsVecEnv:
        opponents = LeagueOpponents(spec, league, spec.config(players=players).seats, games)
        return PocketMarsVecEnv(table_id(spec), games, players=players, opponents=opponents)

    return JoinedVecEnv([part(games, players) for games, players in zip(shares, settings.players) if games])


SETTINGS = SelfPlaySettings


def main() -> None:
    """Runs the script."""
    train("pocketmars train self-play", __doc__, SETTINGS, SelfPlayRun)


if __name__ == "__main__":
    main()
