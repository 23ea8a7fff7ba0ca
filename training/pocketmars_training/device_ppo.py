"""Train a policy with self-play PPO, with games, rollouts and network on one device, preferably a GPU.

    pocketmars train device-ppo --run runs/fast
    pocketmars train device-ppo --start runs/multi/multi.onnx --run runs/better
    pocketmars train device-ppo --resume runs/fast

The learner plays thousands of games at the same time. By default, it plays all seats; with ``--bots`` and
``--bot-share``, a bot plays all seats but one in some of the games. With ``--device cuda``, the rules also
run on the GPU, and the rollouts stay there; this needs the extra ``cuda`` or ``cuda13``. With other devices,
the games run on the CPU in ``--threads`` threads. As in Stable-Baselines3, a rollout has the same number of
decisions in every game and can end in the middle of a game. In contrast, `pocketmars train self-play-ppo`
learns from whole games. The run writes `multi.onnx` (for Project Mars, `duel.onnx`) or, with
``--players 1``, `solo.onnx`.
"""

from dataclasses import dataclass, field

import numpy as np

from pocketmars_agents import make_agent
from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent
from pocketmars_env.core.cuda.device import available_device
from pocketmars_env.core.errors import NoDevice, quoted
from pocketmars_env.core.settings import setting
from pocketmars_training.common.rollout_buffer import RolloutBuffer
from pocketmars_training.common.run_folder import RunError
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import (
    GAMES,
    LEARNING,
    START,
    AnyAgents,
    Count,
    Positive,
    Share,
    split,
)
from pocketmars_training.device.rollouts import DeviceRolloutCollector
from pocketmars_training.ppo import PpoRun, PpoSettings


@dataclass(frozen=True, kw_only=True)
class DevicePpoSettings(PpoSettings):
    """Train a policy with self-play PPO, with games, rollouts and network on one device."""

    command = "pocketmars train device-ppo"

    total_timesteps: Count = setting(500_000_000, "Total decisions of the learner", START)
    n_envs: Count = 16_384
    n_steps: Count = setting(32, "Decisions per game between updates", LEARNING)
    batch_size: Count = 32_768
    learning_rate: Positive = 5e-4
    eval_freq: Count = 50_000_000
    save_freq: Count = 20_000_000

    bots: AnyAgents = setting((), "Opponent bots; on a GPU, only variants of greedy and planner", GAMES)
    bot_share: Share = 0.0

    device: str = setting("auto", "Device: auto, cpu, cuda, cuda:0 or mps", LEARNING)

    train_freq: int = field(init=False, default=0)
    """Decisions between updates: n_envs × n_steps."""
    past_every: int = field(init=False, default=0)
    """There is no league."""
    present_share: float = field(init=False, default=0.0)
    deals: int = field(init=False, default=0)
    """Every game has a new deal."""

    def __post_init__(self) -> None:
        decisions = self.n_envs * self.n_steps
        object.__setattr__(self, "train_freq", decisions)
        is_right = decisions < 1 or self.batch_size <= decisions  # `super` rejects numbers below 1
        self._check("batch_size", is_right, f"at most {decisions}, which is n_envs × n_steps")
        is_first = not self.device.startswith("cuda:") or self.device == "cuda:0"  # Numba's default device
        self._check("device", is_first, "auto, cpu, cuda, cuda:0 or mps")
        self._check("bot_share", self.bot_share == 0 or len(self.bots) > 0, "0 without bots")
        super().__post_init__()

    @property
    def opponents(self) -> tuple[str, ...]:
        """The bots that play in some games; none if `bot_share` is 0."""
        return self.bots if self.bot_share else ()


class DevicePpoRun(PpoRun):
    """A self-play PPO run with games, rollouts and network on one device."""

    settings: DevicePpoSettings

    def build(self) -> None:
        super().build()
        if self.inputs.device.type == "cuda":
            try:
                available_device()
            except NoDevice as error:
                raise RunError(str(error)) from error
            for name in self.settings.opponents:
                if not isinstance(make_agent(name), LookAheadAgent):
                    raise RunError(
                        f"games on a GPU support only the bots greedy and planner, got {quoted(name)}"
                    )

    def start_games(self) -> None:
        settings = self.settings
        self.rng = np.random.default_rng([settings.seed, self.num_timesteps])
        self.collector = DeviceRolloutCollector(
            settings.spec,
            self.inputs,
            split(settings.n_envs, len(settings.kinds)),
            settings.kinds,
            settings.n_steps,
            settings.gamma,
            settings.gae_lambda,
            (settings.seed, self.num_timesteps),
            settings.threads,
            [make_agent(name) for name in settings.opponents],
            settings.bot_share,
        )

    def collect(self) -> RolloutBuffer:
        return self.collector.collect(self.forward)


def main() -> None:
    run_script(__doc__, DevicePpoSettings, DevicePpoRun)


if __name__ == "__main__":
    main()
