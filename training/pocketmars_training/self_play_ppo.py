"""Train a policy with self-play PPO in all seats; with `--start`, fine-tune an existing policy.

    pocketmars train self-play-ppo --run runs/multi
    pocketmars train self-play-ppo --start runs/multi/multi.onnx --run runs/better
    pocketmars train self-play-ppo --resume runs/better

The learner plays against itself and, in some games, against bots. One network plays most seats, in batches of
hundreds of games, and learns from every seat that it plays. The script therefore collects several times as
many decisions per second as `pocketmars train self-play`, which learns from one seat per game and computes
the opponents' actions in small batches. The run writes `multi.onnx` (for Project Mars, `duel.onnx`). With
``--players 1``, the learner plays the solo game of Pocket Mars, and the run writes `solo.onnx`.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from pocketmars_agents import make_agent
from pocketmars_env.core.settings import setting
from pocketmars_training.common.network import Network, log_probs_of, masked, opponent_split_loss
from pocketmars_training.common.network_agent import fastest
from pocketmars_training.common.network_run import NetworkRun, NetworkRunSettings, mlp_of
from pocketmars_training.common.rollout_buffer import RolloutBuffer, RolloutCollector, concatenate
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import (
    LAYERS,
    LEARNING,
    START,
    Coefficient,
    Count,
    Positive,
    PpoSettings,
    Share,
)
from pocketmars_training.common.training_spec import GameKind, SoloSpec

EPSILON = 1e-8
"""Small constant that prevents division by zero."""
DEFAULT_NET_ARCH = (256, 256)
"""Default of `net_arch` in a run that does not start from a policy."""


@dataclass(frozen=True, kw_only=True)
class SelfPlayPpoSettings(NetworkRunSettings, PpoSettings):
    """Train a policy with self-play PPO, learning from every seat that it plays."""

    total_timesteps: Count = setting(40_000_000, "Total decisions of the learner", START)
    n_envs: Count = 2_560
    batch_size: Count = 8_192
    learning_rate: Positive = 2e-4
    bot_share: Share = 0.2
    eval_freq: Count = 4_000_000
    save_freq: Count = 1_000_000

    train_freq: Count = 65_536
    n_epochs: Count = 1
    ent_coef: Coefficient = setting(0.02, "Initial entropy coefficient", LEARNING)
    barrier_coef: Coefficient = setting(0.005, "Initial log-barrier coefficient", LEARNING)
    gae_lambda: Share = 0.9
    target_kl: Annotated[float | None, "above 0"] = setting(
        None, "Stop an update at 1.5 × this KL divergence", LEARNING
    )
    net_arch: Annotated[tuple[int, ...] | None, LAYERS] = setting(
        None, "Units of each hidden layer", LEARNING
    )
    bfloat16: bool = setting(False, "Multiply matrices in bfloat16", LEARNING)

    def __post_init__(self) -> None:
        super().__post_init__()
        enough = len(self.kinds) * self.threads
        self._check("n_envs", self.n_envs >= enough, f"at least {enough}, one game of each kind per thread")
        self._check("train_freq", self.train_freq >= self.batch_size, "at least the batch_size")
        if self.net_arch is not None and self.start is not None:
            layers, width = mlp_of(self.start, self.spec).biases.shape
            is_right = self.net_arch[0] == width and len(self.net_arch) >= layers
            self._check("net_arch", is_right, f"at least {layers} layers of {width} units, as in start")

    @property
    def automaton(self) -> SoloSpec | None:
        """The game's `SoloSpec` if the learner plays the automaton's seat, otherwise None.

        This property is always None in this class; subclasses may override it.
        """
        return None

    @property
    def kinds(self) -> list[GameKind]:
        """The settings of each kind of game; the parallel games are divided evenly among the kinds."""
        settings = self.automaton.automaton_settings if self.automaton else {}
        return [{**kind, **settings} for kind in super().kinds]

    @property
    def learner_seat(self) -> int | None:
        """The learner's seat in games with a bot; None selects a random seat in each game."""
        return self.automaton.automaton_seat if self.automaton else None


class SelfPlayPpoRun(NetworkRun):
    """A self-play PPO run."""

    settings: SelfPlayPpoSettings
    decayed = 1.0
    """Current factor for the coefficients that decay with the learning rate."""

    def initial_network(self) -> Network:
        settings = self.settings
        if settings.start is None:
            torch.manual_seed(settings.seed)
            return Network.untrained(settings.spec, settings.net_arch or DEFAULT_NET_ARCH)
        network = super().initial_network()
        network.trunk.deepen(len(settings.net_arch or ()))
        return network

    def build(self) -> None:
        super().build()
        threads = ThreadPoolExecutor(self.settings.threads, initializer=torch.set_num_threads, initargs=(1,))
        self._pool = self.resources.enter_context(threads)

    def start_games(self) -> None:
        settings = self.settings
        counts = settings.split_envs(settings.threads * len(settings.kinds))
        self.rng = np.random.default_rng([settings.seed, self.num_timesteps])
        bots = [fastest(make_agent(name), self.inputs, settings.bfloat16) for name in settings.bots]
        self.collectors = [
            RolloutCollector(
                settings.spec,
                self.inputs,
                counts[thread :: settings.threads],
                settings.kinds,
                bots,
                settings.bot_share,
                settings.gamma,
                settings.gae_lambda,
                (settings.seed, self.num_timesteps, thread),
                settings.learner_seat,
            )
            for thread in range(settings.threads)
        ]

    def update(self) -> int:
        rollouts = self.collect()
        if rollouts.size:
            self.train_on(rollouts)
        return rollouts.size

    def collect(self) -> RolloutBuffer:
        """Play until the finished games contain enough decisions for an update; return these decisions."""
        left = self.settings.total_timesteps - self.num_timesteps
        share = -(-min(self.settings.train_freq, left) // len(self.collectors))
        parts = [
            self._pool.submit(collector.collect, self.play_forward, share) for collector in self.collectors
        ]
        try:
            for part in as_completed(parts):
                part.result()  # raises an error at once, even if other threads are still running
            return concatenate([part.result() for part in parts])
        except BaseException:  # an error or Ctrl-C; the run cannot end before all threads have stopped
            for collector in self.collectors:
                collector.is_stopped = True
            raise

    def train_on(self, rollouts: RolloutBuffer) -> None:
        """Train on the rollouts for `n_epochs`, unless `target_kl` stops the update, and log the metrics."""
        self.decayed = self.decay()
        rollouts = rollouts.to(self.inputs.device)
        steps: list[dict[str, float]] = []
        for rows in self.batches(rollouts.size):
            steps.append(self.step(rollouts.batch(rows)))
            if self.settings.target_kl and steps[-1]["approx_kl"] > 1.5 * self.settings.target_kl:
                break
        returns = rollouts.values + rollouts.advantages
        unexplained = rollouts.advantages.var(correction=0) / returns.var(correction=0).clamp(min=EPSILON)
        self.log("self_play_ppo", steps, explained_variance=1 - unexplained.item())

    def batches(self, size: int) -> Iterator[NDArray[np.int64]]:
        """Yield each epoch's batches as row indices; drop an incomplete batch unless it is the only one."""
        batch_size = self.settings.batch_size
        for _ in range(self.settings.n_epochs):
            rows = self.rng.permutation(size)
            for first in range(0, max(1, size - batch_size + 1), batch_size):
                yield rows[first : first + batch_size]

    def step(self, batch: RolloutBuffer) -> dict[str, float]:
        """Take one optimizer step and return metrics for the log.

        The loss is the sum of PPO's loss (Schulman et al., "Proximal policy optimization algorithms", 2017),
        a log barrier and `opponent_split_loss`. The log barrier is the mean negative
        log-probability of the legal actions (Agarwal et al., "On the theory of policy gradient methods", JMLR
        2021). Its gradient does not vanish for very improbable actions, unlike that of the entropy bonus.
        """
        settings = self.settings
        logits, values, split_logits = self.forward(batch.observations)
        policies = masked(logits, batch.masks).log_softmax(dim=1)
        log_ratios = log_probs_of(batch.actions, policies) - batch.log_probs
        ratios, clip = log_ratios.exp(), settings.clip_range
        spread = batch.advantages.std(correction=0) + EPSILON
        advantages = (batch.advantages - batch.advantages.mean()) / spread
        gain = torch.min(advantages * ratios, advantages * ratios.clamp(1 - clip, 1 + clip)).mean()
        value_loss = functional.mse_loss(values, batch.values + batch.advantages)
        split_loss = opponent_split_loss(batch.win_shares[:, 1:], batch.seats, split_logits)
        # Illegal actions have probability 0 and finite log-probabilities, so they add 0 to the sum.
        entropy = -(policies.exp() * policies).sum(dim=1).mean()
        barrier = -((policies * batch.masks).sum(dim=1) / batch.masks.sum(dim=1)).mean()
        exploration = self.decayed * (settings.barrier_coef * barrier - settings.ent_coef * entropy)
        self.optimizer_step(settings.vf_coef * (value_loss + split_loss) + exploration - gain)
        approx_kl = (ratios - 1 - log_ratios).mean()  # this estimate is never negative (Schulman, 2020)
        clipped = ((ratios - 1).abs() > clip).float().mean()
        metrics = {
            "policy_loss": -gain,
            "value_loss": value_loss,
            "opponent_split_loss": split_loss,
            "entropy": entropy,
            "barrier": barrier,
            "approx_kl": approx_kl,
            "clip_fraction": clipped,
        }
        # One transfer to the CPU instead of seven, because each transfer waits for the device.
        return dict(zip(metrics, torch.stack(list(metrics.values())).tolist(), strict=True))

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the learner's outputs (see `Network.forward`) for stored observations, as float32."""
        with torch.autocast(self.inputs.device.type, torch.bfloat16, enabled=self.settings.bfloat16):
            return tuple(output.float() for output in self.learner(self.inputs.of(observations)))

    def play_forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Call `forward` and return the results on the CPU, where the games are played."""
        return tuple(output.cpu() for output in self.forward(observations))


def main() -> None:
    run_script("pocketmars train self-play-ppo", __doc__, SelfPlayPpoSettings, SelfPlayPpoRun)


if __name__ == "__main__":
    main()
