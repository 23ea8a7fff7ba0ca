"""Policies whose exact exploitability is known, attacked by the responders of `pocketmars exploit`.

The policies are bots and *imitations*: networks that imitate the strategy of an algorithm after some number
of decisions. Responders, searches and `pocketmars exact` can all play them.
"""

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import optim

from pocketmars_agents.exact.game_tree import Floats, GameTree
from pocketmars_agents.exact.strategies import batches, strategy_of
from pocketmars_agents.registry import make_agent
from pocketmars_env.core import gate
from pocketmars_training.certificates import respond
from pocketmars_training.common.export import export
from pocketmars_training.common.network import Network, masked
from pocketmars_training.common.revision import versions_of
from pocketmars_training.common.training_spec import training_of
from pocketmars_training.flawed import AlwaysPasses, name_of

from .runs import ALGORITHMS
from .small_game import SmallGame

ATTACKED = ("skirmish", "ambush", "pebble", "crater")
"""The games whose policies are attacked."""
SAMPLES = 32
"""The number of actions that a bot without probabilities chooses in an information set; see `strategy_of`."""
IMITATED = {
    "ppo": (10_000, 100_000),
    "mmd": (10_000, 100_000),
    "nfsp": (100_000,),
    "cfr_plus": (4, 64),
}
"""The numbers of decisions after which an algorithm is imitated; for CFR+, of iterations."""
IMITATION: dict[str, Any] = {"steps": 2_000, "batch_size": 256, "learning_rate": 3e-3, "net_arch": (64, 64)}
SEED = 1
BUDGETS: dict[str, dict[str, Any]] = {
    "ppo": {
        "total_timesteps": 100_000,
        "n_envs": 256,
        "train_freq": 4_096,
        "batch_size": 512,
        "n_epochs": 4,
        "learning_rate": 2e-3,
        "net_arch": (64, 64),
        "eval_freq": 100_000,
        "seed": SEED,
    },
    "search": {"budget": "128"},
    "search_start": {"budget": "128"},
    "population": {"selection_episodes": 100},
}
"""The settings of the responders, equal for all policies. ``search_start`` is ``search`` with the attacked
policy as `start`, instead of the policy that is shipped for the full game; it is for imitations only."""
GAMES_PER_RESPONSE = 1_024
"""Every deal is played from both seats."""


class Target(NamedTuple):
    """A policy to attack."""

    name: str  # in the results
    bot: str  # the name of the bot, or the path of a policy file with the way to play it
    play: str = "actions"  # as in `strategy_of`
    start: Path | None = None  # the policy file of an imitation


class Found(gate.Record):
    """What a responder has found: its win rate in games not used for training or selection."""

    responder: str  # the bot that has played
    win_share: float
    interval: tuple[float, float]
    games: int
    processor_seconds: float | None  # of training or selection, and of the games; None if interrupted


class Attack(gate.Record):
    """The attacks on a policy, and the format of their line."""

    game: str
    policy: str
    play: str  # this and `samples` as in `strategy_of`
    samples: int
    best_responses: tuple[float, float]  # the exact values of the best responses of both seats
    value: float  # the exact value of seat 0 if the policy plays both seats
    exact_seconds: float  # the processor time of these values, without building the tree
    found: dict[str, Found]  # by responder
    command: str  # this and the following fields as in `RunResult`
    revision: str
    versions: dict[str, str]
    settings: dict[str, Any]

    @property
    def exact(self) -> float:
        """The win share of a best response, the mean of both seats; a draw is half a win."""
        return 0.5 + sum(self.best_responses) / 4


# --- policies ---------------------------------------------------------------------------------------


def targets(game: SmallGame, folder: Path) -> Iterator[Target]:
    """Yield the policies of a small game; imitations are written into the folder when they are due."""
    shipped = training_of(game.tree.spec).policy_name
    for bot in ("random", "greedy", "planner", name_of(AlwaysPasses), shipped):
        yield Target(bot.rpartition(":")[2], bot)
    yield Target(f"{shipped}:sample", f"{shipped}:sample", "probabilities")
    for algorithm, points in IMITATED.items():
        for point in points:
            path = folder / f"{game.name}_{algorithm}_{point}.onnx"
            if not path.exists():
                export_imitations(game, algorithm, points, folder)
            yield Target(f"{algorithm}_{point}", f"{path}:sample", "probabilities", path)
            if point == max(points) and algorithm == "mmd":
                yield Target(f"{algorithm}_{point}_best", str(path), start=path)


def export_imitations(game: SmallGame, name: str, points: tuple[int, ...], folder: Path) -> None:
    """Train an algorithm, and write a network that imitates its strategy at each of the points."""
    algorithm, due = ALGORITHMS[name], list(points)
    for number, (decisions, strategy) in enumerate(algorithm.train(game, SEED, algorithm.settings())):
        if (number if name == "cfr_plus" else decisions) >= due[0]:
            path = folder / f"{game.name}_{name}_{due.pop(0)}.onnx"
            export(imitation_of(game.tree, strategy()), path, {"name": path.stem}, game.tree.spec)
        if not due:
            return


@cache
def inputs_of(tree: GameTree) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the observations and the masks of all information sets."""
    parts = [(views.observations, views.masks != 0) for _, views in batches(tree)]
    observations, masks = (torch.from_numpy(np.concatenate(column)) for column in zip(*parts))
    return observations, masks


def imitation_of(tree: GameTree, strategy: Floats) -> Network:
    """Return a network trained on a strategy, which it sees as often as the strategy reaches a decision."""
    torch.manual_seed(SEED)
    rng, (observations, masks) = np.random.default_rng(SEED), inputs_of(tree)
    targets = torch.zeros(masks.shape)
    targets[masks] = torch.from_numpy(strategy).float()
    infosets = tree.tree.infosets
    reach = tree.reach(strategy)[np.arange(tree.num_nodes), tree.tree.seats[infosets]]
    weights = np.bincount(infosets, reach, tree.num_infosets)
    network, steps = Network.untrained(tree.spec, IMITATION["net_arch"]), IMITATION["steps"]
    optimizer = optim.Adam(network.parameters(), lr=IMITATION["learning_rate"])
    rows = rng.choice(len(weights), size=(steps, IMITATION["batch_size"]), p=weights / weights.sum())
    for step, batch in enumerate(torch.from_numpy(rows)):
        optimizer.param_groups[0]["lr"] = IMITATION["learning_rate"] * (1 - step / steps)
        logits, _ = network(observations[batch])
        loss = -(targets[batch] * masked(logits, masks[batch]).log_softmax(dim=1)).sum(dim=1).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # untyped in PyTorch
        optimizer.step()
    return network


# --- attacks ----------------------------------------------------------------------------------------


def attack(game: SmallGame, target: Target, folder: Path, revision: str) -> Attack:
    """Compute a policy's exact best responses, and let each responder attack it."""
    tree, started = game.tree, time.process_time()
    samples = SAMPLES if target.bot in ("greedy", "planner") else 1
    strategy = strategy_of(tree, make_agent(target.bot), target.play, samples)
    value, best_responses = tree.value(strategy), tree.best_response_values(strategy)
    seconds, found = time.process_time() - started, {}
    for name, budget in BUDGETS.items():
        if name == "search_start" and target.start is None:
            continue
        run = folder / f"{game.name}_{target.name.replace(':', '_')}_{name}"
        options = budget | {"responder": name.partition("_")[0], "small": game.name, "players": (2,)}
        options |= {"start": target.start} if name == "search_start" else {}
        options |= {"n_eval_episodes": GAMES_PER_RESPONSE, "threads": 1}
        result = respond(run, tree.spec, target.bot, **options)
        (response,) = result["best_response"].values()
        responder = response["responder"].replace(f"{folder}/", "")  # the folder can be anywhere
        found[name] = Found(
            responder=responder,
            win_share=response["win_share"],
            interval=response["interval"],
            games=response["games"],
            processor_seconds=result["processor_seconds"],
        )
    return Attack(
        game=game.name,
        policy=target.name,
        play=target.play,
        samples=samples,
        best_responses=best_responses,
        value=value,
        exact_seconds=round(seconds, 2),
        found=found,
        command=f"python -m training.baselines.small attack {game.name}",
        revision=revision,
        versions=versions_of(("numpy", "numba", "torch", "onnxruntime")),
        settings={"imitation": IMITATION, "budgets": BUDGETS, "seed": SEED},
    )
