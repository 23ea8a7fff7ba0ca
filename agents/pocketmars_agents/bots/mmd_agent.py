"""Bot that improves a policy with rollouts of the policy; see `search/mmd.py`."""

import functools
from typing import Annotated, Literal

import numpy as np
import scipy
from msgspec import Meta
from numpy.typing import NDArray

from pocketmars_agents.bots.bot_options import SearchOptions
from pocketmars_agents.bots.per_thread import PerThread
from pocketmars_agents.bots.policy_agent import PolicyAgent, gumbel_noise
from pocketmars_agents.bots.puct_agent import OnePolicy, network_for
from pocketmars_agents.bots.tree_searcher import Root, TreeSearcher, legal_in, roots_of
from pocketmars_agents.game_bots import Network, policy_file
from pocketmars_agents.network.mlp import CompactMlp, check_sizes, evaluate_all, new_activations
from pocketmars_agents.search import arrays
from pocketmars_agents.search.arrays import ANY, Edges
from pocketmars_agents.search.evaluations import compile_search, evaluation_of, search_module
from pocketmars_agents.search.search_tree import ROOT
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GameSpec

DEPTH, STEP, TEMPERATURE, AGAINST_TEMPERATURE = 32, 10.0, 0.5, 0.01
MOST_LEAVES = 256
"""Maximum number of positions in one call of a network that kernels cannot evaluate."""
MOST_CANDIDATES, LEAST_PROBABILITY, SURE = 8, 0.003, 0.99
"""The candidates are the policy's most probable actions, at most 8 and with a probability of at least 0.003.
If the most probable action has at least 0.99, it is played without a search."""
ACCEPTED_NAMES = (
    "'mmd', 'mmd:400' (rollouts) or 'mmd:0.1s' (seconds for each decision), optionally followed by "
    "':policy=path/to/policy.onnx', ':against=path/to/policy.onnx', ':depth=32', ':step=10', ':magnet=0.1', "
    "':temperature=0.5', ':against_temperature=1' or ':play=sample'"
)


class MmdOptions(SearchOptions):
    """The settings in the name of an `MmdAgent`."""

    bot, usual, policies = "mmd", 400, ("policy", "against")

    policy: str | None = None
    against: str | None = None
    depth: Annotated[int, Meta(ge=0, le=1_000)] = DEPTH
    step: Annotated[float, Meta(ge=0, le=100)] = STEP
    magnet: Annotated[float, Meta(ge=0, le=100)] = 0.0
    temperature: Annotated[float, Meta(ge=0.01, le=100)] = TEMPERATURE
    against_temperature: Annotated[float, Meta(ge=0.01, le=100)] = AGAINST_TEMPERATURE
    play: Literal["best", "sample"] = "best"


class MmdAgent(TreeSearcher):
    """Agent that improves a policy in the current position with rollouts of the policy.

    Args:
        simulations: number of rollouts per decision, in 1..10,000,000; by default 400.
        seconds: time per decision in seconds, instead of `simulations`; above 0, up to 3,600.
        policy: name of a shipped policy or path of an ONNX file, see `PolicyAgent`; by default, the policy
            shipped for the game mode and the seat to play. A game without shipped policies requires
            `policy` or `network`.
        against: name or path of a policy that plays all other seats in rollouts, so that the search responds
            to this policy; by default, the policy of the searching seat also plays the other seats.
        depth: maximum number of decisions in a rollout, in 0..1,000; by default 32.
        step: step size η of the improvement, divided by the square root of the number of rollouts per
            action, in 0..100; by default 10.
        magnet: weight τ of the uniform policy in the improvement, in 0..100; by default 0. It makes the
            improved policy flatter and matters only for ``play="sample"``.
        temperature: divisor of the logits in rollouts, in 0.01..100; by default 0.5.
        against_temperature: divisor of the logits of `against`, in 0.01..100; by default 0.01, with which it
            plays its most probable actions.
        play: ``"best"`` for the most probable action of the improved policy, or ``"sample"``.
        network: a network to use instead of a policy from a file.

    """

    options_type = MmdOptions

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        policy: str | None = None,
        against: str | None = None,
        depth: int = DEPTH,
        step: float = STEP,
        magnet: float = 0.0,
        temperature: float = TEMPERATURE,
        against_temperature: float = AGAINST_TEMPERATURE,
        play: str = "best",
        network: Network | None = None,
    ) -> None:
        options = MmdOptions.of(
            simulations=simulations,
            seconds=seconds,
            policy=policy,
            against=against,
            depth=depth,
            step=step,
            magnet=magnet,
            temperature=temperature,
            against_temperature=against_temperature,
            play=play,
        )
        super().__init__(options)
        self._against = None if against is None else against_network(against)
        self.settings = arrays.MmdSettings(
            depth, options.temperature, 0.0 if against is None else options.against_temperature
        )
        self.step, self.magnet, self.is_sampling = options.step, options.magnet, play == "sample"
        self._given_network = network or (
            None if policy is None else OnePolicy(PolicyAgent(policy_file(policy)))
        )
        self._network = functools.cache(lambda spec: network_for(self.name, self._given_network, spec))
        self._leaves = PerThread(lambda spec: arrays.new_leaves(spec, MOST_LEAVES))
        self._scratch = PerThread(arrays.new_puct_scratch)

    def prepare(self, spec: GameSpec) -> None:
        compile_search(spec, "policy-based search", 10, "search_tree", "puct", "mmd", further=(evaluate_all,))

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return an action for every view; see `BatchAgent`. Each view gets the full budget."""
        if not self.is_sampling:
            return super().act_batch(views, seeds)
        with np.errstate(divide="ignore"):
            logits = np.log(self.preferences(views, seeds)) + gumbel_noise(seeds, views.spec.num_actions)
        chosen: NDArray[np.int64] = np.where(views.masks != 0, logits, -np.inf).argmax(axis=1)
        return chosen

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the improved policy as targets for imitation learning, ``(n, NUM_ACTIONS)`` float32."""
        policies = np.zeros((len(views), views.spec.num_actions), dtype=np.float32)
        for k, root in enumerate(roots_of(views, seeds)):
            actions = self._explore(root)
            policies[k, actions] = self._improved(self._edges_of(root.spec, ROOT, actions))
        return policies

    def _best(self, root: Root, actions: NDArray[np.int64], edges: Edges) -> int:
        return int(actions[self._improved(edges).argmax()])

    def _improved(self, edges: Edges) -> NDArray[np.float64]:
        """Return the improved policy: softmax((log prior + η · value) / (1 + η · τ)) over the candidates."""
        rollouts = edges["visits"]
        if not rollouts.any():
            return edges["prior"] / edges["prior"].sum() if len(edges) > 1 else np.ones(1)
        eta = self.step * np.sqrt(rollouts.max())
        with np.errstate(divide="ignore"):
            logits = (np.log(edges["prior"]) + eta * self._values_of(edges)) / (1.0 + eta * self.magnet)
        policy: NDArray[np.float64] = scipy.special.softmax(np.where(rollouts > 0, logits, -np.inf))
        return policy

    def _simulate(self, root: Root) -> None:
        spec, states, end = root.spec, root.states, self._end()
        mmd, network = search_module("mmd", spec), self._network(spec)
        weights = evaluation_of(spec).weights_of(states)
        mlps = network.mlps(states)
        tree, leaves, scratch = self._tree(spec), self._leaves(spec), self._scratch(spec)
        if mlps is None:
            if self._against is not None:
                raise ValueError(
                    f"{self.name} needs a policy that search kernels can evaluate; see `PolicyAgent.mlp`"
                )
            self._simulate_in_batches(root, network, end)
            return
        networks = (*mlps, self._against or mlps[0])
        for compact_mlp in networks:
            check_sizes(compact_mlp.mlp, spec)
        buffers = tuple(new_activations(compact_mlp.mlp, spec.max_seats) for compact_mlp in networks)
        mmd.write_root(states, networks, buffers, tree, leaves, scratch)
        actions = self._candidates(root)
        rest = self.settings, weights, networks, buffers, tree, leaves, scratch
        while len(actions) and (number := self._next_number(tree, end)) > 0:
            rounds = max(1, number // len(actions))
            mmd.roll_out(states, root.seat, root.seed, rounds, actions, *rest)

    def _simulate_in_batches(self, root: Root, network: Network, end: float) -> None:
        """Run the rollouts with a network that kernels cannot evaluate."""
        spec, states = root.spec, root.states
        mmd, weights = search_module("mmd", spec), evaluation_of(spec).weights_of(states)
        tree, leaves, scratch = self._tree(spec), self._leaves(spec), self._scratch(spec)
        mmd.observe_root(states, leaves)
        mmd.add_root(
            states, network.evaluate(states, leaves.observations[:1], leaves.masks[:1])[0], tree, scratch
        )
        candidates, made = self._candidates(root), 0
        rounds = MOST_LEAVES // max(1, len(candidates))
        while len(candidates) and (number := self._next_number(tree, end, rounds * len(candidates))) > 0:
            rows = max(1, number // len(candidates)) * len(candidates)
            actions = np.resize(candidates, rows)
            samples = made + np.arange(rows) // len(candidates)
            mmd.start_rows(states, root.seat, root.seed, samples, actions, leaves, scratch)
            for depth in range(self.settings.depth + 1):
                logits, rewards = network.evaluate(
                    leaves.states[:rows], leaves.observations[:rows], leaves.masks[:rows]
                )
                if depth < self.settings.depth:
                    mmd.play_rows(depth, root.seed, samples, logits, self.settings, leaves, scratch)
            mmd.record_rows(root.seat, actions, rewards, weights, tree, leaves)
            made += rows // len(candidates)

    def _candidates(self, root: Root) -> NDArray[np.int64]:
        """Return the actions to evaluate, ascending; none if the policy is sure."""
        if root.action != ANY:
            return np.array([root.action])
        actions = legal_in(root.spec, root.states)
        priors = self._edges_of(root.spec, ROOT, actions)["prior"]
        order = np.lexsort((actions, -priors))[:MOST_CANDIDATES]
        kept = order[priors[order] >= LEAST_PROBABILITY]
        return np.sort(actions[kept]) if priors[order[0]] < SURE and len(kept) > 1 else actions[:0]


def against_network(name: str) -> CompactMlp:
    """Return the network of the policy that plays the other seats in rollouts."""
    network = PolicyAgent(policy_file(name)).compact_mlp
    if network is None:
        raise ValueError(f"against must be a policy that search kernels can evaluate, got {quoted(name)}")
    return network
