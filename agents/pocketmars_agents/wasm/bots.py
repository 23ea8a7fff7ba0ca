"""The entry points, tables and network files of the bots in `bots.js`."""

from pathlib import Path
from typing import Any

import numpy as np

from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent, PlannerAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.bots.tree_searcher import CHUNK, EDGES_PER_SIMULATION
from pocketmars_agents.game_bots import game_bots_of
from pocketmars_agents.network.mlp import CompactMlp, evaluate_all, new_activations
from pocketmars_agents.search import arrays
from pocketmars_agents.search.evaluations import evaluation_of, search_module
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.wasm.building import build, layout_of, packed
from pocketmars_env.wasm.compiler import check

SCRIPT = Path(__file__).parent / "bots.js"
MOST_EDGES = 1 << 17
"""The maximum number of edges in the search tree, enough for about 8,000 simulations."""
ROUNDED = 4
"""The number of lower bits of 16-bit weights that are 0 in network files, so that they compress well."""


def build_for(spec: GameSpec, folder: Path) -> None:
    """Write a game's module, its script and its networks into a folder; see `build`."""
    check()  # before the policies, which take long to load
    networks = networks_of(spec)
    build(spec, entry_points, tables_of(spec, networks), [SCRIPT], folder)
    for name, mlp in networks.items():
        (folder / f"{name}.network").write_bytes(network_file(mlp, spec))


def entry_points(spec: GameSpec) -> dict[str, Any]:
    """Return the entry points of the bots, of random play and, if the game has one, of the end of a round."""
    names = {
        "look_ahead": ("best_actions",),
        "search_tree": ("clear_tree", "read_node"),
        "ismcts": ("simulate",),
        "puct": ("simulate",),
    }
    searches = {
        f"{module}_{name}": getattr(search_module(module, spec), name)
        for module, functions in names.items()
        for name in functions
    }
    random_play = compiled_for("pocketmars_env.core.compiled.random_play", spec.kernels)
    to_end_of_round = presentation_of(spec).to_end_of_round
    ends = {"to_end_of_round": to_end_of_round} if to_end_of_round else {}
    return {**searches, **ends, "evaluate_all": evaluate_all, "play_all": random_play.play_all}


def tables_of(spec: GameSpec, networks: dict[str, CompactMlp]) -> dict[str, Any]:
    """Return the weights and the names of the networks for each configuration, and buffers and settings."""
    positions = {name: spec.codec.blank(1, config) for name, config in spec.config.measured().items()}
    network = game_bots_of(spec).network
    chosen = {
        name: [name_in(networks, mlp) for mlp in (network().mlps(states) if network else None) or ()]
        for name, states in positions.items()
    }
    ismcts, puct = IsmctsAgent(), PuctAgent()
    return {
        "weights": {name: evaluation_of(spec).weights_of(states) for name, states in positions.items()},
        "networks": chosen,
        "edge": layout_of(arrays.EDGE),
        "edges": arrays.new_edges(spec.num_actions),
        "line": arrays.new_line(spec),
        "tree": arrays.new_tree(MOST_EDGES, spec.max_seats),
        "scratch": {"ismcts": arrays.new_scratch(spec), "puct": arrays.new_puct_scratch(spec)},
        "leaves": arrays.new_leaves(spec, 1),
        "settings": {"ismcts": ismcts.settings, "puct": puct.settings},
        "budgets": {
            **{agent.kind: agent.default for agent in (GreedyAgent, PlannerAgent)},
            **{agent.options.bot: agent.options.limit for agent in (ismcts, puct)},
        },
        "one": {
            "seat": np.zeros(1, np.int64),
            "seed": np.zeros(1, np.uint64),
            "action": np.zeros(1, np.int64),
            "value": np.zeros(1, np.float32),
            "values": np.zeros((1, spec.num_actions), np.float64),
            "logits": np.zeros((1, spec.num_actions), np.float32),
        },
        "chunk": CHUNK,
        "edges_per_simulation": EDGES_PER_SIMULATION,
    }


# --- networks -------------------------------------------------------------------------------------


def networks_of(spec: GameSpec) -> dict[str, CompactMlp]:
    """Return the networks of a game's policies that kernels can evaluate."""
    policies = game_bots_of(spec).policies.items()
    networks = {name: PolicyAgent(path, name=name).compact_mlp for name, path in policies}
    return {name: network for name, network in networks.items() if network is not None}


def name_in(networks: dict[str, CompactMlp], network: CompactMlp) -> str:
    """Return the name under which a network is in `networks`."""
    return next(name for name, other in networks.items() if np.array_equal(other.others, network.others))


def network_file(network: CompactMlp, spec: GameSpec) -> bytes:
    """Return a network with rounded weights, and the buffers for its evaluation, as a file for `bots.js`."""
    step = 1 << ROUNDED
    most = np.iinfo(np.int16).max // step
    others = np.clip(np.rint(network.others / step), -most, most).astype(np.int16) * np.int16(step)
    unused = network.mlp.others[:0]  # kernels read `CompactMlp.others` instead
    mlp = CompactMlp(network.mlp._replace(others=unused), others, network.units)
    return packed({"mlp": mlp, "activations": new_activations(network.mlp, spec.max_seats)})
