"""Train one agent for games of 2, 3 and 4 players, against bots, past selves and itself.

    pocketmars train self-play --run runs/multi
    pocketmars train self-play --resume runs/multi

The network first imitates a bot, then improves with sb3-contrib's MaskablePPO in games against a league
of opponents (see `common/league.py`). The run writes checkpoints, past selves, a TensorBoard log and finally
`multi.onnx` (for Project Mars, `duel.onnx`), which can be used as a bot: ``pocketmars arena
runs/multi/multi.onnx greedy``.
"""

import re
from dataclasses import dataclass
from typing import Any

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.settings import setting
from pocketmars_training.common import checkpoints
from pocketmars_training.common.joined_vec_env import JoinedVecEnv
from pocketmars_training.common.league import League, LeagueOpponents
from pocketmars_training.common.maskable_ppo import MaskablePpoRun
from pocketmars_training.common.network_agent import NetworkAgent
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import (
    GAMES,
    START,
    Agents,
    Count,
    GameSettings,
    MaskablePpoSettings,
    Share,
)
from pocketmars_training.common.training_spec import kinds_of, table_id, training_of

PAST = re.compile(r"past-\d{12}")
"""Pattern for the names of past selves; the name of a past self plus ``.pt`` is the name of its file."""


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings(GameSettings, MaskablePpoSettings):
    """Train one agent for all player counts in `players`, against bots, past selves and itself."""

    players: tuple[int, ...] = setting((2, 3, 4), "Player counts", START)
    bots: Agents = setting(("greedy", "planner"), "Bots in the league", GAMES)
    present_share: Share = setting(0.5, "Share of opponents' seats for the learner", GAMES)
    past_every: Count = setting(500_000, "Decisions between new past selves in the league", GAMES)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_players(self.players)
        enough = len(kinds_of(self.spec, self.players))
        self._check("n_envs", self.n_envs >= enough, f"at least {enough}, one game of each kind")


class SelfPlayRun(MaskablePpoRun):
    """A MaskablePPO run against a league of opponents."""

    settings: SelfPlaySettings

    def __init__(self, settings: SelfPlaySettings) -> None:
        self.league = League(settings.bots, settings.present_share)
        self.next_past = settings.imitation_decisions
        training = training_of(settings.spec)
        super().__init__(
            settings,
            league_env(settings, self.league),
            training.matchups(settings.players),
            training.baselines,
            name=training.policy_name,
        )

    def between_updates(self) -> None:
        """Add a copy of the current policy to the league after imitation, then every `past_every` decisions.

        From the first copy on, the current policy itself is also an opponent. See also `Run.between_updates`.
        """
        if self.num_timesteps >= self.next_past:
            name = f"past-{self.num_timesteps:012d}"
            past = NetworkAgent.frozen(name, self.network)
            # first, so that a checkpoint written after Ctrl-C does not name a missing file
            checkpoints.write(self.folder / f"{name}.pt", self.network.state_dict())
            self.next_past = self.num_timesteps + self.settings.past_every
            self.league.admit_present(NetworkAgent("present", self.network, is_sampling=True))
            self.league.add_past(past)
            self.console.print(f"{self.num_timesteps:,} decisions: scores against {self.league.summary()}")
        super().between_updates()

    def state_dict(self) -> dict[str, Any]:
        """Return the state for a checkpoint; the weights of past selves have their own files."""
        return {**super().state_dict(), **self.league.state_dict(), "next_past": self.next_past}

    def load_state_dict(self, content: dict[str, Any]) -> None:
        super().load_state_dict(content)
        self.next_past = content["next_past"]
        for name in content["past"]:
            if not PAST.fullmatch(name):  # the name becomes a file name
                raise ValueError(f"{quoted(name)} is not the name of a past self")
            past = NetworkAgent.frozen(name, self.network)
            past.load_state_dict(checkpoints.read(self.folder / f"{name}.pt"))
            self.league.add_past(past)
        self.league.scores[:] = content["scores"]
        if content["past"]:
            self.league.admit_present(NetworkAgent("present", self.network, is_sampling=True))


def league_env(settings: SelfPlaySettings, league: League) -> JoinedVecEnv:
    """Create the training environment, with nearly equal numbers of games for each player count and mode."""
    spec, parts = settings.spec, []
    kinds = kinds_of(spec, settings.players)
    for count, kind in zip(settings.split_envs(len(kinds)), kinds):
        opponents = LeagueOpponents(spec, league, spec.config(**kind).seats, count)
        parts.append(PocketMarsVecEnv(table_id(spec), count, opponents=opponents, **kind))
    return JoinedVecEnv(parts)


def main() -> None:
    run_script("pocketmars train self-play", __doc__, SelfPlaySettings, SelfPlayRun)


if __name__ == "__main__":
    main()
