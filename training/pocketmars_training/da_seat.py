"""Train an agent to make the choices of Devious Automatics, against policies and bots in the player's seat.

    pocketmars train da-seat --run runs/da_seat
    pocketmars train da-seat --run runs/da_seat --player solo planner
    pocketmars train da-seat --resume runs/da_seat

Devious Automatics (DA) is the automaton in the solo game. The built-in automaton follows a fixed rule,
whereas this agent learns to make the player lose. The agent is trained with PPO against players that do not
learn. A handicap adds points to the automaton's score. Handicaps make games against strong players less
one-sided, so the agent can learn from more of these games. The agent is evaluated without a handicap. The run
writes `da_seat.onnx`.
"""

from dataclasses import dataclass, field

from pocketmars_agents import make_agent
from pocketmars_env.core.settings import setting
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import FILES, GAMES, START, Agents, Count, Positive
from pocketmars_training.common.training_spec import SoloSpec, training_of
from pocketmars_training.ppo import PpoRun, PpoSettings

BASELINES = ("random", "automaton", "planner")


@dataclass(frozen=True, kw_only=True)
class DaSeatSettings(PpoSettings):
    """Train an agent to make the choices of Devious Automatics, against players that do not learn."""

    command = "pocketmars train da-seat"

    player: Agents = setting(("solo", "greedy:2"), "Agents in the player's seat in training", START)
    eval_player: Agents = setting(("planner", "solo"), "Agents in the player's seat in evaluations", FILES)
    handicaps: tuple[int, ...] = setting((0, 3, 6, 9), "Handicaps in training", GAMES)
    total_timesteps: Count = setting(5_000_000, "Total decisions of the learner, 1.6 per game", START)
    n_envs: Count = 12_288
    train_freq: Count = 16_384
    batch_size: Count = 2_048
    learning_rate: Positive = 5e-4
    eval_freq: Count = 500_000
    save_freq: Count = 250_000

    players: tuple[int, ...] = field(init=False, default=(1,))
    """All games are single-player games."""
    bots: tuple[str, ...] = field(init=False, default=())
    """The opponent bots are the agents in `player`."""
    bot_share: float = field(init=False, default=1.0)
    """Every game is played against one of the agents in `player`."""
    past_every: int = field(init=False, default=0)
    """There is no league."""
    present_share: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", self.player)
        self._check("game", self.automaton is not None, "a game with a single-player mode")
        super().__post_init__()

    @property
    def automaton(self) -> SoloSpec | None:
        return training_of(self.spec).solo


class DaSeatRun(PpoRun):
    """A run that trains an agent in the seat of Devious Automatics."""

    settings: DaSeatSettings

    def __init__(self, settings: DaSeatSettings) -> None:
        super().__init__(settings)
        assert settings.automaton
        self.matchups, self.name = settings.automaton.automaton_matchups(settings.eval_player), "da_seat"
        self.baselines = [make_agent(name) for name in BASELINES]


def main() -> None:
    run_script(__doc__, DaSeatSettings, DaSeatRun)


if __name__ == "__main__":
    main()
