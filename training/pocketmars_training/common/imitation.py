"""Imitation of a teacher bot, the first phase of training with MaskablePPO.

Imitation consists of `ROUNDS` rounds. In the first round, the teacher makes all of the learner's decisions;
in later rounds, with the default settings, the network makes most of them. The teacher labels each position
with preferences over the actions, so the network also learns from positions that it reaches itself (DAgger;
Ross, Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online
learning", AISTATS 2011). The value estimates are trained on the outcomes of the games.

Every round starts new games with new random streams, so resuming imitation after a round gives the same
network as an uninterrupted run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from pocketmars_agents import Agent, make_agent
from pocketmars_env.core.agent import choose_actions, prepare
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_training.common import checkpoints
from pocketmars_training.common.device import NetworkInputs, device_of, to_device
from pocketmars_training.common.joined_vec_env import JoinedVecEnv
from pocketmars_training.common.network import Network, masked
from pocketmars_training.common.settings import MaskablePpoSettings

ROUNDS = 8
"""Number of rounds. Each round adds samples, then trains the network on all samples so far."""
LEARNING_RATE = 1e-3
BATCH_SIZE = 1_024
EPOCHS, LAST_EPOCHS = 2, 6
"""Number of passes over all samples: `EPOCHS` in each round except the last, `LAST_EPOCHS` in the last."""
VALUE_WEIGHT = 0.5


class Epoch(NamedTuple):
    """Mean training metrics of one pass over all samples."""

    agreement: float  # share of samples (0..1) in which policy and teacher prefer the same action
    loss: float  # Kullback-Leibler divergence KL(teacher's preferences ‖ policy)


@runtime_checkable
class Teacher(Agent, Protocol):
    """A bot with preferences over the actions; for other bots, the chosen action gets the preference 1."""

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the preferences ``(n, NUM_ACTIONS)`` float32; the arguments are those of `act_batch`.

        Each row sums to 1; the preferences for illegal actions are 0.
        """


@dataclass
class Progress:
    """The progress of imitation, stored in checkpoints; the samples of each round are in a separate file."""

    decisions: int  # planned number of imitation decisions in all rounds
    rounds: int = 0  # number of finished rounds
    optimizer: dict[str, Any] | None = None  # the optimizer's state after the finished rounds


class Samples:
    """Training samples: observations, masks, the teacher's preferences and the final rewards of the games.

    Args:
        spec: the game.
        size: the capacity in decisions, a multiple of `n_envs`. In Pocket Mars with uint8 observations, each
            decision takes 2.2 KB.
        n_envs: the number of games played in parallel.
        dtype: the dtype of the observations.

    """

    def __init__(self, spec: GameSpec, size: int, n_envs: int, dtype: np.dtype[Any]) -> None:
        self.observations = np.empty((size, spec.observation_size), dtype=dtype)
        self.masks = np.empty((size, spec.num_actions), dtype=np.bool_)
        self.preferences = np.empty((size, spec.num_actions), dtype=np.float16)
        self.returns = np.full(size, np.nan, dtype=np.float32)
        self.size = 0
        self._starts = np.zeros(n_envs, dtype=np.int64)  # `size` at the start of each game

    def add(self, observations: Any, masks: Any, preferences: Any) -> None:
        """Add one decision from every game."""
        rows = slice(self.size, self.size + len(preferences))
        self.observations[rows], self.masks[rows], self.preferences[rows] = observations, masks, preferences
        self.size += len(preferences)

    def begin_games(self) -> None:
        """Mark the start of new games; the returns of earlier games that did not end stay NaN."""
        self._starts[:] = self.size

    def rows(self, first: int) -> dict[str, torch.Tensor]:
        """Return all rows from index `first` on, in the format of the sample files.

        Masks are packed into bits, and only the preferences for legal actions are stored.
        """
        rows = slice(first, self.size)
        masks = self.masks[rows]
        columns = {
            "observations": self.observations[rows],
            "masks": np.packbits(masks, axis=1),
            "preferences": self.preferences[rows][masks],
            "returns": self.returns[rows],
        }
        return {name: torch.from_numpy(column.copy()) for name, column in columns.items()}

    def add_rows(self, columns: dict[str, torch.Tensor]) -> None:
        """Add rows in the format that `rows` returns."""
        arrays = {name: column.numpy() for name, column in columns.items()}
        rows = slice(self.size, self.size + len(arrays["returns"]))
        masks = np.unpackbits(arrays["masks"], axis=1, count=self.masks.shape[1]).astype(np.bool_)
        self.observations[rows], self.masks[rows] = arrays["observations"], masks
        self.preferences[rows] = 0
        self.preferences[rows][masks] = arrays["preferences"]
        self.returns[rows] = arrays["returns"]
        self.size = rows.stop

    def end_games(self, dones: NDArray[np.bool_], rewards: NDArray[np.float32]) -> None:
        """Set the returns of all decisions in the games that ended with the last step.

        Args:
            dones: ``(n_envs,)`` bool, whether each game ended.
            rewards: ``(n_envs,)`` float32, the rewards of the step.

        """
        n_envs = len(dones)
        for game in np.flatnonzero(dones).tolist():
            self.returns[self._starts[game] + game : self.size : n_envs] = rewards[game]
            self._starts[game] = self.size


def samples_file(folder: Path, number: int) -> Path:
    """Return the path of the file for the samples of round `number`."""
    return folder / f"imitation-{number}.pt"


def imitate(
    network: Network,
    env: JoinedVecEnv,
    settings: MaskablePpoSettings,
    on_decisions: Callable[[int], None],
    progress: Progress,
) -> Iterator[Epoch]:
    """Train a network to imitate the teacher, and yield the last epoch's metrics after each round."""
    steps = progress.decisions // settings.n_envs
    inputs = inputs_of(env, network)
    samples = Samples(settings.spec, steps * settings.n_envs, settings.n_envs, inputs.dtype)
    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    if progress.optimizer:
        optimizer.load_state_dict(progress.optimizer)
    for number in range(1, progress.rounds + 1):
        samples.add_rows(checkpoints.read(samples_file(settings.run, number)))
    teacher = make_agent(settings.teacher)
    prepare(teacher, settings.spec)
    parts = np.array_split(np.arange(steps), ROUNDS)
    for number, part in list(enumerate(parts, start=1))[progress.rounds :]:
        first = samples.size
        rng = np.random.default_rng([settings.seed, number])
        torch.manual_seed(int(rng.integers(2**63)))
        env.seed(settings.seed + first)
        env.reset()
        samples.begin_games()
        teacher_moves = 1.0 if number == 1 else settings.teacher_moves
        for _ in part:
            collect(network, inputs, env, teacher, samples, teacher_moves, rng)
            on_decisions(settings.n_envs)
        for _ in range(LAST_EPOCHS if number == ROUNDS else EPOCHS):
            epoch = train_epoch(network, inputs, optimizer, samples, rng)
        checkpoints.write(samples_file(settings.run, number), samples.rows(first))
        progress.rounds, progress.optimizer = number, optimizer.state_dict()
        yield epoch


def inputs_of(env: JoinedVecEnv, network: Network) -> NetworkInputs:
    """Return the format in which to store the observations of the environment's games."""
    games = [part.envs.games for part in env.parts]
    return NetworkInputs(games[0].spec, [part.config for part in games], device_of(network))


def collect(
    network: Network,
    inputs: NetworkInputs,
    env: JoinedVecEnv,
    teacher: Agent,
    samples: Samples,
    teacher_moves: float,
    rng: np.random.Generator,
) -> None:
    """Make one decision in every game, and add these decisions to the samples.

    In each game, the teacher's action is played with the probability `teacher_moves`; otherwise, an action is
    sampled from the network's policy.
    """
    views = [views_of(part.envs) for part in env.parts]
    observations, masks = map(np.concatenate, zip(*map(inputs.observe, views), strict=True))
    preferences = np.concatenate([query(teacher, part, rng) for part in views])
    best = preferences.argmax(axis=1)
    samples.add(observations, masks, preferences)
    with torch.no_grad():
        logits = network(inputs.of(torch.from_numpy(observations)))[0].cpu()
        logits = masked(logits, torch.from_numpy(masks != 0))
        sampled = torch.multinomial(logits.softmax(dim=1), 1).squeeze(1).numpy()
    env.step_async(np.where(rng.random(len(best)) < teacher_moves, best, sampled))
    _, rewards, dones, _ = env.step_wait()
    samples.end_games(dones, rewards)


def views_of(envs: SeatVectorEnv) -> Views:
    """Return the view of the learner's seat in each game."""
    return envs.games.views(np.arange(envs.num_envs), envs.seats)


def query(teacher: Agent, views: Views, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the teacher's preferences ``(n, NUM_ACTIONS)``, using seeds drawn from `rng`."""
    return preferences_of(teacher, views, rng.integers(0, 2**64, size=len(views), dtype=np.uint64))


def preferences_of(teacher: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Return a bot's preferences ``(n, NUM_ACTIONS)``; if it is not a `Teacher`, the chosen action gets 1."""
    if isinstance(teacher, Teacher):
        return teacher.preferences(views, seeds)
    preferences = np.zeros((len(views), views.spec.num_actions), dtype=np.float32)
    preferences[np.arange(len(views)), choose_actions(teacher, views, seeds)] = 1.0
    return preferences


def train_epoch(
    network: Network,
    inputs: NetworkInputs,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    rng: np.random.Generator,
) -> Epoch:
    """Train the network for one pass over all samples, and return the mean metrics."""
    agreed = total = 0.0
    order = rng.permutation(samples.size)
    for first in range(0, samples.size, BATCH_SIZE):
        rows = np.sort(order[first : first + BATCH_SIZE])
        columns = samples.observations, samples.masks, samples.preferences, samples.returns
        tensors = (to_device(torch.from_numpy(column[rows]), inputs.device) for column in columns)
        observations, masks, preferences, returns = tensors
        logits, values = network(inputs.of(observations))
        logits, preferences = masked(logits, masks), preferences.float()
        loss = functional.kl_div(logits.log_softmax(dim=1), preferences, reduction="batchmean")
        agreed += (logits.argmax(dim=1) == preferences.argmax(dim=1)).sum().item()
        total += loss.item() * len(rows)
        known = ~returns.isnan()
        if known.any():
            loss = loss + VALUE_WEIGHT * functional.mse_loss(values[known], returns[known])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # untyped in PyTorch
        optimizer.step()
    return Epoch(agreed / samples.size, total / samples.size)
