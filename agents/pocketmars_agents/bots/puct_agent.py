"""Bot that uses PUCT search with a policy and value network; see `search/puct.py`."""

import functools
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from pocketmars_agents.bots.bot_options import SearchOptions
from pocketmars_agents.bots.per_thread import PerThread
from pocketmars_agents.bots.policy_agent import PolicyAgent, check_game
from pocketmars_agents.bots.tree_searcher import Root, TreeSearcher
from pocketmars_agents.game_bots import Network, game_bots_of, policy_file
from pocketmars_agents.network.mlp import (
    CompactMlp,
    Mlp,
    check_sizes,
    compact,
    evaluate_all,
    new_activations,
)
from pocketmars_agents.search import arrays
from pocketmars_agents.search.arrays import MADE
from pocketmars_agents.search.evaluations import compile_search, evaluation_of, search_module
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec

ACCEPTED_NAMES = (
    "'puct', 'puct:400' (simulations) or 'puct:0.5s' (seconds for each decision), optionally "
    "followed by ':policy=path/to/policy.onnx', ':exploration=0.5' or ':temperature=3'"
)

EXPLORATION = 0.5
TEMPERATURE = 3.0
"""Default temperature of the priors; at 1, the priors of trained policies give too little exploration."""

MOST_LEAVES = 32
"""Maximum number of positions in one network call."""
LEAF_SHARE = 8
"""After `n` simulations, a network call evaluates at most ``1 + n // LEAF_SHARE`` positions. In a small tree,
larger batches would waste simulations, because the simulations of a batch cannot use each other's results."""


class PuctOptions(SearchOptions):
    """The settings in the name of a `PuctAgent`."""

    bot, usual, policies = "puct", 400, ("policy",)

    policy: str | None = None
    exploration: Annotated[float, Meta(ge=0, le=100)] = EXPLORATION
    temperature: Annotated[float, Meta(ge=0.01, le=100)] = TEMPERATURE


class CompiledNetwork(Network):
    """A single network for all seats, evaluated in the search kernels."""

    def __init__(self, mlp: Mlp) -> None:
        self.set_mlp(mlp)

    def set_mlp(self, mlp: Mlp) -> None:
        """Replace the network with `mlp`, a network for the same game; later searches use `mlp`."""
        self._mlp = compact(mlp)

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp]:
        return self._mlp, self._mlp


class OnePolicy(Network):
    """A network that uses the same policy for all seats."""

    def __init__(self, policy: PolicyAgent) -> None:
        self.policy = policy

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        network = self.policy.compact_mlp
        return None if network is None else (network, network)

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return self.policy.evaluate(observations, masks)


def network_for(name: str, given: Network | None, spec: GameSpec) -> Network:
    """Return the network `given` to the agent `name`, or the game's default network."""
    if isinstance(given, OnePolicy):
        check_game(name, given.policy.spec, spec)
    if given is not None:
        return given
    new_network = game_bots_of(spec).network
    if new_network is None:
        bot = name.partition(":")[0]
        raise ValueError(f"{bot} has no policy for {spec.title}: add ':policy=path/to/policy.onnx'")
    return new_network()


class PuctAgent(TreeSearcher):
    """Agent that uses PUCT search with the priors and values of a network.

    Args:
        simulations: number of simulations per decision, in 1..10,000,000; by default 400.
        seconds: time per decision in seconds, instead of `simulations`; above 0, up to 3,600.
        policy: name of a shipped policy or path of an ONNX file, see `PolicyAgent`; by default, the policy
            shipped for the game mode and the seat to play. A game without shipped policies requires
            `policy` or `network`.
        exploration: weight of the exploration term in PUCT, in 0..100; by default 0.5.
        temperature: divisor of the logits, in 0.01..100; by default 3. Values above 1 flatten the priors.
        network: a network to use instead of a policy from a file.

    """

    options_type = PuctOptions

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        policy: str | None = None,
        exploration: float = EXPLORATION,
        temperature: float = TEMPERATURE,
        network: Network | None = None,
    ) -> None:
        options = PuctOptions.of(
            simulations=simulations,
            seconds=seconds,
            policy=policy,
            exploration=exploration,
            temperature=temperature,
        )
        super().__init__(options)
        self.settings = arrays.PuctSettings(options.exploration, options.temperature)
        self._given_network = network or (
            None if policy is None else OnePolicy(PolicyAgent(policy_file(policy)))
        )
        self._network = functools.cache(lambda spec: network_for(self.name, self._given_network, spec))
        self._leaves = PerThread(lambda spec: arrays.new_leaves(spec, MOST_LEAVES))
        self._scratch = PerThread(arrays.new_puct_scratch)

    def prepare(self, spec: GameSpec) -> None:
        compile_search(spec, "network-guided search", 10, "search_tree", "puct", further=(evaluate_all,))

    def _simulate(self, root: Root) -> None:
        settings = self.settings._replace(root_action=root.action)
        spec, states = root.spec, root.states
        puct, network = search_module("puct", spec), self._network(spec)
        weights = evaluation_of(spec).weights_of(states)
        mlps, end = network.mlps(states), self._end()
        for compact_mlp in mlps or ():
            check_sizes(compact_mlp.mlp, spec)
        tree, leaves, scratch = self._tree(spec), self._leaves(spec), self._scratch(spec)
        if mlps is not None:
            buffers = tuple(new_activations(compact_mlp.mlp, spec.max_seats) for compact_mlp in mlps)
            rest = settings, weights, mlps, buffers, tree, leaves, scratch
            while (number := self._next_number(tree, end)) > 0:
                puct.simulate(states, root.seat, root.seed, number, *rest)
            return
        number = 1  # the first simulation evaluates the root; later batches are larger
        while number > 0:
            puct.descend(states, root.seat, root.seed, number, settings, tree, leaves, scratch)
            logits, rewards = network.evaluate(
                leaves.states[:number], leaves.observations[:number], leaves.masks[:number]
            )
            puct.learn(number, logits, rewards, settings, weights, tree, leaves, scratch)
            most = min(MOST_LEAVES, 1 + int(tree.counts[MADE]) // LEAF_SHARE)
            number = self._next_number(tree, end, most)
