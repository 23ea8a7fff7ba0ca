"""A bot whose search is guided by a network, see `guided.py`."""

import functools
import time
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.per_game import PerGame
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.bots.tree_searcher import TreeSearcher
from pocketmars_agents.network.mlp import CompactMlp, blank_mlp, compact, new_activations
from pocketmars_agents.search import arrays
from pocketmars_agents.search.arrays import MADE, Edges
from pocketmars_agents.search.evaluations import compile_for, evaluation_of, search_module
from pocketmars_agents.search.search_settings import (
    Budget,
    check_exploration,
    check_temperature,
    read_number,
    settings_of,
)
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec

ACCEPTED_NAMES = (
    "'guided', 'guided:400' (simulations) or 'guided:0.5s' (seconds for each answer), with "
    "':policy=path/to/policy.onnx', ':exploration=0.5' or ':temperature=3' behind it"
)

SIMULATIONS = 400
EXPLORATION = 0.5
TEMPERATURE = 3.0
"""Trained policies are so sure of themselves that with 1 the search hardly tries anything else."""

AT_ONCE = 64
"""Simulations between two looks at the clock."""
MOST_LEAVES = 32
"""Positions about which the network is asked in one call."""
LEAF_SHARE = 8
"""A call asks about as many positions as an eighth of the simulations before it: in a small tree
simulations that do not know each other's results would be wasted."""


class Network(Protocol):
    """What the search asks."""

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits ``(n, NUM_ACTIONS)`` and values ``(n,)`` float32: the final rewards expected.

        Args:
            states: ``(n,)`` `STATE`: the positions.
            observations: ``(n, OBSERVATION_SIZE)`` float32, of the seats that are asked.
            masks: ``(n, NUM_ACTIONS)`` int8.

        """


@runtime_checkable
class Compilable(Network, Protocol):
    """A network that the kernels may be able to compute themselves."""

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        """The networks for the players and for an automaton in a game; None if they cannot."""


DEFAULT_NETWORKS: dict[str, Callable[[], Network]] = {}
"""What answers where no policy is given, by the name of the game."""


def default_network(spec: GameSpec) -> Network:
    """What answers in a game where no policy is given.

    Raises:
        ValueError: if there are no policies for the game.

    """
    if spec.name not in DEFAULT_NETWORKS:
        raise ValueError(
            f"guided has no policy for {spec.title}: give it one with ':policy=path/to/policy.onnx'"
        )
    return DEFAULT_NETWORKS[spec.name]()


class OnePolicy:
    """One policy for all seats.

    Args:
        policy: whose answers they are.

    """

    def __init__(self, policy: PolicyAgent) -> None:
        self.policy = policy

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        """As `Compilable` has it."""
        network = self.policy.compact_mlp
        return None if network is None else (network, network)

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """As `Network` has it."""
        return self.policy.evaluate(observations, masks)


class GuidedAgent(TreeSearcher):
    """Searches with a network's probabilities and values.

    Args:
        simulations: how many for each answer, in 1..10,000,000; by default 400.
        seconds: how long for each answer, in place of `simulations`; above 0, up to 3,600.
        policy: path of an ONNX file, see `PolicyAgent`; by default the policies that come with the
            package for the game, each for its own seats.
        exploration: the weight of the network's probabilities, 0..100; by default 0.5.
        temperature: its logits are divided by that, 0.01..100; by default 3. Above 1 the probabilities are
            more even.
        network: in place of a policy, what else answers.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        policy: str | None = None,
        exploration: float = EXPLORATION,
        temperature: float = TEMPERATURE,
        network: Network | None = None,
    ) -> None:
        name = self.name_of(simulations, seconds, policy, exploration, temperature)
        super().__init__(name, Budget.of(simulations, seconds, SIMULATIONS))
        self.settings = arrays.GuidedSettings(exploration, temperature, False)
        given = network or (None if policy is None else OnePolicy(PolicyAgent(policy)))
        self._networks = PerGame(default_network if given is None else lambda spec: given)
        self._leaves = PerGame(lambda spec: arrays.new_leaves(spec, MOST_LEAVES))
        self._scratch = PerGame(arrays.new_guided_scratch)

    @staticmethod
    def name_of(
        simulations: int | None = None,
        seconds: float | None = None,
        policy: str | None = None,
        exploration: float = EXPLORATION,
        temperature: float = TEMPERATURE,
    ) -> str:
        """The name of the agent with these settings; raises as the class, but no file is opened."""
        changed = [] if policy is None else [f"policy={policy}"]
        if check_exploration(exploration) != EXPLORATION:
            changed.append(f"exploration={exploration:g}")
        if check_temperature(temperature) != TEMPERATURE:
            changed.append(f"temperature={temperature:g}")
        return ":".join(["guided", str(Budget.of(simulations, seconds, SIMULATIONS)), *changed])

    @staticmethod
    def settings_of(name: str) -> dict[str, Any]:
        """The settings that a name gives."""
        options: dict[str, Callable[[str], Any]] = {
            "policy": str,
            "exploration": read_number,
            "temperature": read_number,
        }
        return settings_of(name, "guided", options, ACCEPTED_NAMES)

    @classmethod
    def from_name(cls, name: str) -> "GuidedAgent":
        """The agent of a name such as ``"guided:400"`` or ``"guided:0.5s:policy=my.onnx"``.

        Raises:
            ValueError: names what is accepted.

        """
        return cls(**cls.settings_of(name))

    def ensure_ready(self, spec: GameSpec) -> None:
        """Compile the search for a game unless that has been done; says so when it takes long."""
        ensure_compiled(spec)

    def _simulate(self, spec: GameSpec, states: States, seat: int, seed: np.uint64, is_open: bool) -> None:
        settings, weights = self.settings._replace(is_open=is_open), evaluation_of(spec).weights_of(states)
        network = self._networks.of(spec)
        mlps = network.mlps(states) if isinstance(network, Compilable) else None
        guided, tree = search_module("guided", spec), self._tree.of(spec)
        leaves, scratch = self._leaves.of(spec), self._scratch.of(spec)
        end = time.perf_counter() + (self.budget.seconds or 0.0)
        if mlps is not None:
            rooms = tuple(new_activations(one.mlp, spec.max_seats) for one in mlps)
            rest = settings, weights, mlps, rooms, tree, leaves, scratch
            while (number := self._within_budget(tree, AT_ONCE, end)) > 0:
                guided.simulate(states, seat, seed, number, *rest)
            return
        number = 1  # at first only the root is new, then the network is asked about more and more positions
        while number > 0:
            guided.descend(states, seat, seed, number, settings, tree, leaves, scratch)
            logits, rewards = network.evaluate(
                leaves.worlds[:number], leaves.observations[:number], leaves.masks[:number]
            )
            guided.learn(number, logits, rewards, settings, weights, tree, leaves, scratch)
            made = int(tree.counts[MADE])
            number = self._within_budget(tree, min(MOST_LEAVES, 1 + made // LEAF_SHARE), end)

    def _within_budget(self, tree: arrays.Tree, number: int, end: float) -> int:
        """How many simulations of so many may be made next; 0 if the budget is spent."""
        made = int(tree.counts[MADE])
        if self.budget.simulations is not None:
            return min(number, self.budget.simulations - made)
        return number if made == 0 or time.perf_counter() < end else 0

    def _values_of(self, edges: Edges) -> NDArray[np.float64]:
        """The means of the simulations."""
        values: NDArray[np.float64] = edges["total"] / np.maximum(edges["visits"], 1)
        return values


@functools.cache
def ensure_compiled(spec: GameSpec) -> None:
    """Compile the search for a game unless that has been done; says so when it takes long."""
    compile_for(spec, lambda: warm_up(spec), "guided search")


class Indifferent:
    """A network that finds all answers and all seats alike."""

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Zeros."""
        return np.zeros(masks.shape, dtype=np.float32), np.zeros(len(states), dtype=np.float32)


class Blank(Indifferent):
    """The same as a network of zeros.

    Args:
        spec: the game.

    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp]:
        """As `Compilable` has it."""
        return compact(blank_mlp(self.spec)), compact(blank_mlp(self.spec))


def warm_up(spec: GameSpec) -> None:
    """Make a search of either kind, in a game of its own."""
    game = spec.game(seed=0)
    for network in (Indifferent(), Blank(spec)):
        agent = GuidedAgent(simulations=2, network=network)
        agent._explore(spec, game.view().states, game.asked or 0, np.uint64(0), False)
