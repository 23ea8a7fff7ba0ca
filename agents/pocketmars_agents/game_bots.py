"""`GameBots`: what a game adds to the bots, such as an evaluation of its positions and trained policies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.ladder.division import Division
from pocketmars_agents.network.mlp import CompactMlp
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec


@dataclass(frozen=True)
class Evaluation:
    """Evaluation function for the positions of a game."""

    kernels: Mapping[str, Any]
    """`REPLY_TOLERANCE` and the kernels declared in `search/evaluation_kernels.py`, keyed by name."""
    weights_of: Callable[[States], Any]
    """Returns the kernels' argument `weights` for states that all have the same configuration."""


class Network:
    """Base class of the networks for PUCT search; its own `evaluate` returns only zeros."""

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        """Return two networks for the search kernels: one for the players, one for the automaton's seat.

        Return None if the kernels cannot evaluate the networks; the search then calls `evaluate`.
        """
        return None

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits ``(n, NUM_ACTIONS)`` and expected final rewards ``(n,)``, both float32.

        Args:
            states: ``(n,)`` `STATE` records, all in the same game mode.
            observations: ``(n, OBSERVATION_SIZE)`` float32 observations of the seats to play.
            masks: ``(n, NUM_ACTIONS)`` int8 action masks.

        """
        return np.zeros(masks.shape, dtype=np.float32), np.zeros(len(states), dtype=np.float32)


@dataclass(frozen=True, kw_only=True)
class GameBots:
    """A game's evaluation, its trained policies, its own agents and its divisions of the ladder.

    Attributes:
        game: the game.
        evaluation: the evaluation function for `greedy`, `planner` and the tree searches; if None, these bots
            use `search/score_evaluation.py`.
        network: a function that creates the default network of `puct`; if None, `puct` needs a policy or a
            network.
        policies: the ONNX files of trained policies, keyed by the names of the bots that play them.
        earlier_names: the earlier names of policies, keyed by their current names. Earlier names are accepted
            wherever names of bots are read, and the random streams of these policies still depend on them.
        agents: the classes of other agents that play only this game, each with a note for the list of bots;
            the name of such a bot is the class attribute `name`.
        divisions: the divisions of the ladder.

    """

    game: GameSpec
    evaluation: Evaluation | None = None
    network: Callable[[], Network] | None = None
    policies: Mapping[str, Path] = field(default_factory=dict)
    earlier_names: Mapping[str, str] = field(default_factory=dict)
    agents: Mapping[type[Any], str] = field(default_factory=dict)
    divisions: tuple[Division, ...] = ()


_GAME_BOTS: dict[str, GameBots] = {}


def add_game_bots(bots: GameBots) -> None:
    """Register what a game adds to the bots. Call this function before a bot plays the game."""
    _GAME_BOTS[bots.game.name] = bots


def game_bots_of(spec: GameSpec) -> GameBots:
    """Return what a game adds to the bots, with default values for a game without registered `GameBots`."""
    return _GAME_BOTS.get(spec.name) or GameBots(game=spec)


def all_game_bots() -> tuple[GameBots, ...]:
    """Return the registered `GameBots`, in the order of their registration."""
    return tuple(_GAME_BOTS.values())


def policy_file(name: str) -> Path | str:
    """Return the file of a shipped policy, given its name; any other name is a path and returned as it is."""
    files = {policy: path for bots in all_game_bots() for policy, path in bots.policies.items()}
    return files.get(current_name(name), name)


# --- earlier names ----------------------------------------------------------------------------------


def current_name(bot: str) -> str:
    """Return a bot's name with the current name of its policy."""
    return renamed(bot, {old: new for bots in all_game_bots() for new, old in bots.earlier_names.items()})


def earlier_name(bot: str) -> str:
    """Return a bot's name with the earlier name of its policy, if it has one."""
    return renamed(bot, {new: old for bots in all_game_bots() for new, old in bots.earlier_names.items()})


def renamed(bot: str, names: Mapping[str, str]) -> str:
    policy, colon, play = bot.partition(":")
    return f"{names.get(policy, policy)}{colon}{play}"
