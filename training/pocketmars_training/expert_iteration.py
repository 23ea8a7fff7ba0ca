"""Improve a policy with expert iteration: learn from a search guided by its own network.

    pocketmars train expert-iteration --start runs/multi/multi.onnx --run runs/expert
    pocketmars train expert-iteration --resume runs/expert

The learner plays against itself and against bots. A search guided by the network is run in most positions in
which the network is uncertain, and in some of the others, to find a better policy. The network learns to
predict the search's policies and the games' outcomes, which in turn improves the search (Anthony, Tian and
Barber, "Thinking fast and slow with deep learning and tree search", NeurIPS 2017; Silver et al., "Mastering
the game of Go without human knowledge", Nature 2017). The run writes `multi.onnx`, or `duel.onnx` for Project
Mars. With ``--players 1``, the run trains for the solo game and writes `solo.onnx`.
"""

from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from pocketmars_agents import make_agent
from pocketmars_agents.bots.puct_agent import PuctOptions
from pocketmars_env.core.game_spec import default_game
from pocketmars_env.core.settings import setting
from pocketmars_training.common.expert import SEARCHES, Expert
from pocketmars_training.common.network import Network, masked, opponent_split_loss
from pocketmars_training.common.network_run import NetworkRun, mlp_of
from pocketmars_training.common.replay_buffer import Batch, ReplayBuffer, Sample
from pocketmars_training.common.script import run_script
from pocketmars_training.common.self_play_table import Bots, SelfPlayTable, tables_of
from pocketmars_training.common.settings import (
    FILES,
    GAMES,
    LEARNING,
    START,
    Agents,
    Coefficient,
    Count,
    Positive,
    RunSettings,
    Seed,
    Share,
    split,
)
from pocketmars_training.common.training_spec import GameKind, kinds_of

SEARCH = "Search"
MAX_BUFFER_SIZE = 4_000_000
MIN_TARGET = 1e-6
"""Lower bound on target probabilities."""


@dataclass(frozen=True, kw_only=True)
class ExpertSettings(RunSettings):
    """Improve a policy with expert iteration: learn from a search guided by its own network."""

    command = "pocketmars train expert-iteration"

    run: Path = setting(MISSING, "Folder of the run; omit it with --resume", START)
    resume: bool = setting(False, "Folder of a run to resume", START)
    trust: bool = setting(False, "Trust the bots of a resumed run", FILES)
    game: str = setting(default_game().name, "The game to train for", START)
    seed: Seed = setting(1, "Seed of all random numbers", START)
    total_timesteps: Count = setting(3_000_000, "Total searched decisions", START)
    start: Path = setting(MISSING, "ONNX file of the initial policy", START)
    players: tuple[int, ...] = setting((2, 3, 4), "Player counts; 1 alone is the solo game", START)

    handicaps: tuple[int, ...] = setting((0,), "Handicaps in the solo game", GAMES)
    bots: Agents = setting(("greedy", "planner"), "Opponent bots in multiplayer games", GAMES)
    bot_share: Share = setting(0.3, "Share of games with a bot in all other seats", GAMES)
    n_envs: Count = setting(480, "Games played in parallel", GAMES)

    search: str = setting("puct", "Search; mmd plays on with the network", SEARCH, SEARCHES)
    simulations: Count = setting(100, "Simulations per search", SEARCH)
    temperature: Positive = setting(3.0, "Divisor of the network's logits in puct", SEARCH)
    sharpness: Positive = setting(50.0, "Target logit per unit of advantage", SEARCH)
    searched: Annotated[float, "above 0", "in 0..1"] = setting(
        0.8, "Share of the uncertain decisions that are searched", SEARCH
    )
    sure: Share = setting(0.98, "Least probability of a certain action", SEARCH)
    searched_if_sure: Annotated[float, "above 0", "in 0..1"] = setting(
        0.1, "Share of the certain decisions that are searched", SEARCH
    )

    train_freq: Count = setting(20_000, "Decisions between updates", LEARNING)
    buffer_size: int = setting(600_000, "Size of the replay buffer, in samples", LEARNING)
    replay_ratio: Positive = setting(4.0, "Samples drawn per update, per new sample", LEARNING)
    batch_size: Count = setting(1_024, "Training samples per optimizer step", LEARNING)
    learning_rate: Positive = setting(3e-4, "Adam's initial learning rate", LEARNING)
    max_grad_norm: Positive = setting(1.0, "Maximum norm of the gradient", LEARNING)
    outcome: Share = setting(0.6, "Weight of the outcome in value targets", LEARNING)
    vf_coef: Coefficient = setting(0.5, "Coefficient of the value losses", LEARNING)
    ema_steps: Count = setting(250, "Steps over which weights are averaged", LEARNING)
    threads: Count = setting(2, "Threads for parallel work", LEARNING)
    device: str = setting("auto", "Device: auto, cpu, cuda, cuda:1 or mps", LEARNING)

    eval_freq: Count = setting(500_000, "Decisions between evaluations", FILES)
    n_eval_episodes: Count = setting(1_000, "Games per evaluation and matchup", FILES)
    save_freq: Count = setting(250_000, "Decisions between checkpoints", FILES)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_players(self.players, self.handicaps)
        mlp_of(self.start, self.spec)
        PuctOptions.of(simulations=self.simulations, temperature=self.temperature)  # checks both
        enough = len(self.kinds)
        self._check("n_envs", self.n_envs >= enough, f"at least {enough}, one game of each kind")
        is_right = 1 <= self.buffer_size <= MAX_BUFFER_SIZE
        self._check("buffer_size", is_right, f"in 1..{MAX_BUFFER_SIZE}")

    @property
    def kinds(self) -> list[GameKind]:
        """The settings of each kind of game; the parallel games are divided evenly among the kinds."""
        return kinds_of(self.spec, self.players, self.handicaps)


class ExpertRun(NetworkRun):
    """An expert iteration run; the weights of `network` are the moving average of the learner's weights."""

    settings: ExpertSettings

    def build(self) -> None:
        super().build()
        settings = self.settings
        decay = 1 - 1 / settings.ema_steps
        averaging = get_ema_multi_avg_fn(decay)  # type: ignore[no-untyped-call]  # untyped in PyTorch
        self._average = AveragedModel(self.learner, multi_avg_fn=averaging)
        self._average.update_parameters(self.learner)
        self.network = cast(Network, self._average.module)
        self.expert = Expert(
            settings.spec,
            self.network.to_mlp(),
            settings.search,
            settings.simulations,
            settings.temperature,
            settings.sharpness,
            settings.threads,
        )
        self.resources.callback(self.expert.close)
        self.buffer = ReplayBuffer(settings.spec, settings.buffer_size, self.inputs.dtype, settings.outcome)

    def state_dict(self) -> dict[str, Any]:
        """Return the state for a checkpoint, without the replay buffer."""
        return super().state_dict() | {"average": self._average.state_dict()}

    def load_state_dict(self, content: dict[str, Any]) -> None:
        super().load_state_dict(content)
        self._average.load_state_dict(content["average"])
        self.expert.set_network(self.network.to_mlp())

    def start_games(self) -> None:
        settings = self.settings
        self.rng = np.random.default_rng([settings.seed, self.num_timesteps])
        bots = Bots([make_agent(name) for name in settings.bots], settings.bot_share)
        counts = split(settings.n_envs, len(settings.kinds))
        self.games = tables_of(settings.spec, counts, settings.kinds, bots, self.rng)

    def update(self) -> int:
        before = self.buffer.added
        left = self.settings.total_timesteps - self.num_timesteps
        goal = before + min(self.settings.train_freq, left)
        while self.buffer.added < goal:
            for games in self.games:
                self.play(games)
            self.show_progress(self.num_timesteps + self.buffer.added - before)
        made = self.buffer.added - before
        self.train_on_samples(made)
        return made

    def play(self, games: SelfPlayTable) -> None:
        """Play one action in every game, and add the samples of finished games to the replay buffer."""
        indices = games.learner_games()
        views = games.learner_views(indices)
        observations, masks = self.inputs.observe(views)
        policies = self.policies_of(observations, masks)
        searched = np.flatnonzero(self.choose_searched(policies, masks))
        seeds = self.rng.integers(0, 2**64, len(searched), np.uint64)
        targets = self.expert.search(games.learner_views(indices[searched]), seeds)
        surprises = kl_divergences(targets.policies, policies[searched])
        for k, row in enumerate(searched.tolist()):
            sample = Sample(
                observations[row],
                masks[row],
                targets.policies[k],
                int(views.seats[row]),
                targets.win_shares[k],
                float(surprises[k]),
            )
            games.record(int(indices[row]), sample)
        policies[searched] = targets.policies
        for ended in games.step(indices, sample_policies(policies, self.rng)):
            self.buffer.add_game(ended.decisions, ended.result.rewards)

    def policies_of(self, observations: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """Compute the network's policies ``(n, NUM_ACTIONS)`` float32."""
        with torch.no_grad():
            logits, *_ = self.network(self.inputs.of(torch.from_numpy(observations)))
            policies: NDArray[np.float32] = (
                masked(logits.cpu(), torch.from_numpy(masks != 0)).softmax(dim=1).numpy()
            )
        return policies

    def choose_searched(self, policies: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Draw the decisions to search, and return whether each one was drawn, ``(n,)`` bool."""
        settings = self.settings
        is_sure = policies.max(axis=1) >= settings.sure
        shares = np.where(is_sure, settings.searched_if_sure, settings.searched)
        chosen: NDArray[np.bool_] = (self.rng.random(len(shares)) < shares) & (masks.sum(axis=1) > 1)
        return chosen

    def train_on_samples(self, made: int) -> None:
        """Train on the replay buffer, drawing `replay_ratio` samples for each of the `made` new samples."""
        settings = self.settings
        self.decay()
        steps = max(1, round(made * settings.replay_ratio / settings.batch_size))
        rows_of_steps = self.buffer.sample_rows(steps, settings.batch_size, self.rng)
        self.log("expert_iteration", [self.step(self.buffer.batch(rows)) for rows in rows_of_steps])
        self.expert.set_network(self.network.to_mlp())

    def step(self, batch: Batch) -> dict[str, float]:
        """Take one optimizer step and return metrics for the log."""
        batch = batch.to(self.inputs.device)
        logits, values, split_logits = self.learner(self.inputs.of(batch.observations))
        log_probs = masked(logits, batch.masks).log_softmax(dim=1)
        policy_loss = reverse_kl(batch.policies, log_probs)
        shares, seats = batch.win_shares, batch.seats
        value_loss = functional.mse_loss(values, (shares[:, 0] * seats - 1) / (seats - 1))
        split_loss = opponent_split_loss(shares[:, 1:], seats, split_logits)
        self.optimizer_step(policy_loss + self.settings.vf_coef * (value_loss + split_loss))
        self._average.update_parameters(self.learner)
        agreement = (log_probs.argmax(dim=1) == batch.policies.argmax(dim=1)).float().mean()
        entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
        return {
            "policy_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "opponent_split_loss": split_loss.item(),
            "agreement": agreement.item(),
            "entropy": entropy.item(),
        }


def reverse_kl(targets: torch.Tensor, log_probs: torch.Tensor) -> torch.Tensor:
    """Return the mean reverse Kullback-Leibler divergence KL(policy ‖ target).

    The logarithms of the target probabilities are noisy. These logarithms enter the reverse divergence
    linearly, so the noise averages out. With the forward divergence, the policy would learn the mean of the
    targets. The entropy of this mean is higher than the targets' mean entropy, so the policy's entropy would
    grow in each iteration.

    Args:
        targets: ``(n, NUM_ACTIONS)`` float32, 0 for illegal actions.
        log_probs: ``(n, NUM_ACTIONS)`` float32, the policies' log-probabilities.

    """
    log_targets = targets.clamp(min=MIN_TARGET).log()
    return (log_probs.exp() * (log_probs - log_targets)).sum(dim=1).mean()


def kl_divergences(p: NDArray[np.float32], q: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the Kullback-Leibler divergences KL(`p` ‖ `q`), ``(n,)`` float32."""
    least = np.finfo(np.float32).tiny
    divergences: NDArray[np.float32] = (p * (np.log(p + least) - np.log(q + least))).sum(axis=1)
    return divergences


def sample_policies(policies: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """Sample one action per policy, ``(n,)`` int64; actions with probability 0 are never sampled."""
    sums = policies.astype(np.float64).cumsum(axis=1)
    numbers = rng.random(len(policies)) * sums[:, -1]
    actions: NDArray[np.int64] = (sums <= numbers[:, None]).sum(axis=1)
    return actions


def main() -> None:
    run_script(__doc__, ExpertSettings, ExpertRun)


if __name__ == "__main__":
    main()
