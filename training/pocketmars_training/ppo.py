"""Training with PPO, in up to three phases: the initial network, imitation of a bot, and PPO.

The scripts `solo`, `self-play`, `self-play-ppo`, `da-seat`, `device-ppo` and `exploit` differ only in their
settings: which games are played, against which opponents, and for how long. One network plays all of the
learner's seats, in batches of hundreds of games, and learns from all of them.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from dataclasses import MISSING, asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import optim
from torch.nn import functional

from pocketmars_agents import make_agent
from pocketmars_env.core.agent import prepare
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import default_game
from pocketmars_env.core.settings import setting
from pocketmars_training.common import checkpoints, imitation
from pocketmars_training.common.imitation import ROUNDS, Progress
from pocketmars_training.common.league import League
from pocketmars_training.common.network import Network, log_probs_of, masked, opponent_split_loss
from pocketmars_training.common.network_agent import NetworkAgent, fastest
from pocketmars_training.common.network_run import NetworkRun, mlp_of
from pocketmars_training.common.rollout_buffer import RolloutBuffer, RolloutCollector, concatenate
from pocketmars_training.common.self_play_table import Bots, Opponents, Result, tables_of
from pocketmars_training.common.settings import (
    FILES,
    GAMES,
    IMITATION,
    LAYERS,
    LEARNING,
    START,
    AgentName,
    Agents,
    Coefficient,
    Count,
    Positive,
    RunSettings,
    Seed,
    Share,
    split,
)
from pocketmars_training.common.training_spec import GameKind, SoloSpec, kinds_of

Done = TypeVar("Done")

EPSILON = 1e-8
"""Small constant that prevents division by zero."""
DEFAULT_NET_ARCH = (256, 256)
"""Default of `net_arch` in a run that does not start from a policy."""
MAX_IMITATION = 2_000_000
"""Maximum number of imitation decisions; each takes 2.2 KB of memory in Pocket Mars."""
PAST = re.compile(r"past-\d{12}")
"""Pattern for the names of past selves; the name of a past self plus ``.pt`` is the name of its file."""


@dataclass(frozen=True, kw_only=True)
class PpoSettings(RunSettings):
    """Train a policy with self-play PPO, learning from every seat that it plays."""

    command = "pocketmars train self-play-ppo"

    run: Path = setting(MISSING, "Folder of the run; omit it with --resume", START)
    resume: bool = setting(False, "Folder of a run to resume", START)
    trust: bool = setting(False, "Trust the bots of a resumed run", FILES)
    game: str = setting(default_game().name, "The game to train for", START)
    seed: Seed = setting(1, "Seed of all random numbers", START)
    total_timesteps: Count = setting(40_000_000, "Total decisions of the learner", START)
    start: Path | None = setting(None, "ONNX file of the initial policy", START)
    players: tuple[int, ...] = setting((2, 3, 4), "Player counts; 1 alone is the solo game", START)

    handicaps: tuple[int, ...] = setting((0,), "Handicaps in the solo game", GAMES)
    deals: Annotated[int, "0 or more"] = setting(0, "Number of fixed deals; 0: new deals", GAMES)
    bots: Agents = setting(("greedy", "planner"), "Opponent bots in multiplayer games", GAMES)
    bot_share: Share = setting(0.2, "Share of games with a bot in all other seats", GAMES)
    past_every: Annotated[int, "0 or more"] = setting(0, "Decisions between past selves; 0: no league", GAMES)
    present_share: Share = setting(0.5, "In a league, probability of the current policy", GAMES)
    n_envs: Count = setting(2_560, "Games played in parallel", GAMES)

    teacher: AgentName = setting("planner", "The bot to imitate before PPO", IMITATION)
    imitation_timesteps: int = setting(0, "Decisions spent on imitation", IMITATION)
    imitation_share: Share = setting(0.75, "Maximum share of all decisions for imitation", IMITATION)
    teacher_moves: Share = setting(0.3, "Probability that the teacher moves, from round 2", IMITATION)

    net_arch: Annotated[tuple[int, ...] | None, LAYERS] = setting(
        None, "Units of each hidden layer", LEARNING
    )
    train_freq: Count = setting(65_536, "Decisions between updates", LEARNING)
    n_epochs: Count = setting(1, "Passes over an update's decisions", LEARNING)
    batch_size: Count = setting(8_192, "Decisions per optimizer step", LEARNING)
    learning_rate: Positive = setting(2e-4, "Adam's initial learning rate", LEARNING)
    max_grad_norm: Positive = setting(0.5, "Maximum norm of the gradient", LEARNING)
    gamma: Share = setting(1.0, "Discount factor per decision of a seat", LEARNING)
    gae_lambda: Share = setting(0.9, "λ of generalized advantage estimation", LEARNING)
    clip_range: Share = setting(0.2, "PPO's clipping range", LEARNING)
    target_kl: Annotated[float | None, "above 0"] = setting(
        None, "Stop an update at 1.5 × this KL divergence", LEARNING
    )
    vf_coef: Coefficient = setting(0.5, "Coefficient of the value losses", LEARNING)
    ent_coef: Coefficient = setting(0.02, "Initial entropy coefficient", LEARNING)
    barrier_coef: Coefficient = setting(0.005, "Initial log-barrier coefficient", LEARNING)
    bfloat16: bool = setting(False, "Multiply matrices in bfloat16", LEARNING)
    threads: Count = setting(2, "Threads for parallel work", LEARNING)
    device: str = setting("auto", "Device: auto, cpu, cuda, cuda:1 or mps", LEARNING)

    eval_freq: Count = setting(4_000_000, "Decisions between evaluations", FILES)
    n_eval_episodes: Count = setting(1_000, "Games per evaluation and matchup", FILES)
    save_freq: Count = setting(1_000_000, "Decisions between checkpoints", FILES)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_players(self.players, self.handicaps)
        enough = len(self.kinds) * self.threads
        self._check("n_envs", self.n_envs >= enough, f"at least {enough}, one game of each kind per thread")
        self._check("train_freq", self.train_freq >= self.batch_size, "at least the batch_size")
        is_right = 0 <= self.imitation_timesteps <= MAX_IMITATION
        self._check("imitation_timesteps", is_right, f"in 0..{MAX_IMITATION}")
        if self.start is not None:
            layers, width = mlp_of(self.start, self.spec).biases.shape
            if self.net_arch is not None:
                is_right = self.net_arch[0] == width and len(self.net_arch) >= layers
                self._check("net_arch", is_right, f"at least {layers} layers of {width} units, as in start")

    @property
    def imitation_decisions(self) -> int:
        """The number of imitation decisions."""
        return min(self.imitation_timesteps, int(self.imitation_share * self.total_timesteps))

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
        return [{**kind, **settings} for kind in kinds_of(self.spec, self.players, self.handicaps)]


class PpoRun(NetworkRun):
    """A PPO run."""

    settings: PpoSettings
    decayed = 1.0
    """Current factor for the coefficients that decay with the learning rate."""

    def build(self) -> None:
        super().build()
        settings = self.settings
        threads = ThreadPoolExecutor(settings.threads, initializer=torch.set_num_threads, initargs=(1,))
        self._pool, self._is_stopped = self.resources.enter_context(threads), False
        bots = [fastest(make_agent(name), self.inputs, settings.bfloat16) for name in settings.bots]
        self.league = League(bots, settings.present_share) if settings.past_every else None
        seat = settings.automaton.automaton_seat if settings.automaton else None
        self.opponents: Opponents = self.league or Bots(bots, settings.bot_share, seat)
        self.imitation = Progress(settings.imitation_decisions)
        self.next_past = settings.imitation_decisions

    @property
    def phase_start(self) -> int:
        imitated = self.imitation.decisions
        return imitated if self.num_timesteps > imitated else 0

    def learn(self) -> None:
        self.imitate()
        super().learn()

    # --- first phase: the initial network ---------------------------------------------------------

    def initial_network(self) -> Network:
        settings = self.settings
        if settings.start is None:
            torch.manual_seed(settings.seed)
            return Network.untrained(settings.spec, settings.net_arch or DEFAULT_NET_ARCH)
        network = super().initial_network()
        network.trunk.deepen(len(settings.net_arch or ()))
        return network

    # --- second phase: imitation ------------------------------------------------------------------

    def imitate(self) -> None:
        """Imitate the teacher, and write a checkpoint after each round.

        In the first round, the teacher makes all of the learner's decisions; in later rounds, with the
        default settings, the network makes most of them. The teacher labels each position with preferences
        over the actions, so the network also learns from positions that it reaches itself (DAgger; Ross,
        Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online
        learning", AISTATS 2011). The value estimates are trained on the outcomes of the games. Every round
        starts new games with new random streams, so resuming imitation after a round gives the same network
        as an uninterrupted run.
        """
        settings, progress = self.settings, self.imitation
        if progress.is_over:
            return
        self.show_progress(self.num_timesteps, phase="imitation")
        samples = imitation.Samples(settings.spec, progress.decisions, self.inputs.dtype)
        optimizer = optim.Adam(self.learner.parameters(), lr=imitation.LEARNING_RATE)
        if progress.optimizer:
            optimizer.load_state_dict(progress.optimizer)
        for number, size in enumerate(split(progress.decisions, ROUNDS), start=1):
            file, first = imitation.samples_file(self.folder, number), samples.size
            if number <= progress.rounds:
                samples.add_rows(checkpoints.read(file))
                continue
            self.collect_samples(samples, number, size)
            rng = np.random.default_rng([settings.seed, number])
            for _ in range(imitation.LAST_EPOCHS if number == ROUNDS else imitation.EPOCHS):
                epoch = imitation.train_epoch(self.forward, self.inputs.device, optimizer, samples, rng)
            progress.rounds, progress.optimizer = number, None
            if number < ROUNDS:
                checkpoints.write(file, samples.rows(first))
                progress.optimizer = optimizer.state_dict()
            self.num_timesteps += size
            self.show_progress(self.num_timesteps)
            self.logger.record("imitation/agreement", epoch.agreement)
            self.logger.record("imitation/loss", epoch.loss)
            self.console.print(
                f"{self.num_timesteps:,} decisions: imitation round {number} of {ROUNDS}, "
                f"{epoch.agreement:.1%} agreement with {settings.teacher}"
            )
            self.evaluate_when_due()
            self.logger.dump(self.num_timesteps)
            self.checkpoint()

    def collect_samples(self, samples: imitation.Samples, number: int, size: int) -> None:
        """Play one round of imitation, and add its decisions to the samples."""
        settings, teacher = self.settings, make_agent(self.settings.teacher)
        prepare(teacher, settings.spec)
        ends = samples.size + np.cumsum(split(size, settings.threads))
        starts, samples.size = [samples.size, *ends[:-1].tolist()], samples.size + size

        def play(thread: int) -> list[Result]:
            rng = np.random.default_rng([settings.seed, number, thread])
            counts, kinds = self.counts(thread), settings.kinds
            tables = tables_of(settings.spec, counts, kinds, self.opponents, rng, settings.deals)
            rows = range(starts[thread], int(ends[thread]))
            share = 1.0 if number == 1 else settings.teacher_moves
            return imitation.collect(
                self.play_forward, self.inputs, tables, teacher, samples, rows, share, rng
            )

        for results in self.in_threads(play):
            self.opponents.record_results(results)

    def checkpoint(self) -> None:
        """Write a checkpoint, and delete the imitation samples when no checkpoint needs them anymore."""
        super().checkpoint()
        oldest = checkpoints.num_timesteps_of(checkpoints.kept(self.folder)[0])
        is_last = self.num_timesteps >= self.settings.total_timesteps
        if self.imitation.is_over and (is_last or oldest >= self.imitation.decisions):
            for number in range(1, ROUNDS + 1):
                imitation.samples_file(self.folder, number).unlink(missing_ok=True)

    # --- third phase: PPO -------------------------------------------------------------------------

    def start_games(self) -> None:
        settings = self.settings
        self.rng = np.random.default_rng([settings.seed, self.num_timesteps])
        self.collectors = [
            RolloutCollector(
                settings.spec,
                self.inputs,
                self.counts(thread),
                settings.kinds,
                self.opponents,
                settings.gamma,
                settings.gae_lambda,
                (settings.seed, self.num_timesteps, thread),
                settings.deals,
            )
            for thread in range(settings.threads)
        ]

    def counts(self, thread: int) -> list[int]:
        """Return the number of parallel games of each kind that a thread plays."""
        settings = self.settings
        return split(settings.n_envs, settings.threads * len(settings.kinds))[thread :: settings.threads]

    def in_threads(self, work: Callable[[int], Done]) -> list[Done]:
        """Call a function in every thread with the number of the thread, and return the results in order."""
        self._is_stopped = False
        parts = [self._pool.submit(work, thread) for thread in range(self.settings.threads)]
        try:
            for part in as_completed(parts):
                part.result()  # raises an error at once, even if other threads are still running
        except BaseException:  # an error or Ctrl-C; the run cannot end before all threads have stopped
            self._is_stopped = True
            raise
        return [part.result() for part in parts]

    def between_updates(self) -> None:
        """Let a copy of the policy join the league when due; see also `Run.between_updates`."""
        if self.league and self.num_timesteps >= self.next_past:
            name = f"past-{self.num_timesteps:012d}"
            # first, so that a checkpoint written after Ctrl-C does not name a missing file
            checkpoints.write(self.folder / f"{name}.pt", self.learner.state_dict())
            self.next_past = self.num_timesteps + self.settings.past_every
            self.league.add_past(NetworkAgent.frozen(name, self.learner))
            self.console.print(f"{self.num_timesteps:,} decisions: scores against {self.league.summary()}")
        super().between_updates()

    def update(self) -> int:
        rollouts = self.collect()
        if rollouts.size:
            self.train_on(rollouts)
        return rollouts.size

    def collect(self) -> RolloutBuffer:
        """Play until the finished games contain enough decisions for an update; return these decisions."""
        left = self.settings.total_timesteps - self.num_timesteps
        share = -(-min(self.settings.train_freq, left) // len(self.collectors))
        parts = self.in_threads(lambda thread: self.collectors[thread].collect(self.play_forward, share))
        for collector in self.collectors:
            self.opponents.record_results(collector.results)
        return concatenate(parts)

    def train_on(self, rollouts: RolloutBuffer) -> None:
        """Train on the rollouts for `n_epochs`, unless `target_kl` stops the update, and log the metrics."""
        self.decayed = self.decay(self.imitation.decisions)
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
        """Call `forward` and return the results on the CPU, where the games are played.

        After an error in another thread, this method raises an error to stop its own thread.
        """
        if self._is_stopped:
            raise CancelledError
        return tuple(output.cpu() for output in self.forward(observations))

    # --- checkpoints ------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the state for a checkpoint; the weights of past selves have their own files."""
        state = super().state_dict() | {"imitation": asdict(self.imitation)}
        if self.league:
            past = [agent.name for agent in self.league.past]
            state["league"] = {"scores": self.league.scores.tolist(), "past": past, "next": self.next_past}
        return state

    def load_state_dict(self, content: dict[str, Any]) -> None:
        super().load_state_dict(content)
        self.imitation = Progress(**content.get("imitation", {"decisions": 0}))  # not in older checkpoints
        if self.league:
            kept = content["league"]
            for name in kept["past"]:
                if not PAST.fullmatch(name):  # the name becomes a file name
                    raise ValueError(f"{quoted(name)} is not the name of a past self")
                past = NetworkAgent.frozen(name, self.learner)
                past.load_state_dict(checkpoints.read(self.folder / f"{name}.pt"))
                self.league.add_past(past)
            self.league.scores[:], self.next_past = kept["scores"], kept["next"]
