"""Search tree of information sets, stored as a hash table of edges.

A *node* is a 64-bit hash of two things: its parent node, and what the searching seat observes of the action
that led to this node and of the next decision. An *edge* is an action at a node. The edge's key is a hash of
the node and the action, so the edges of the legal actions in a determinization can be looked up directly. The
values in an edge are those for the seat to play at the node.

A node represents an information set of the searching seat (Cowling, Powley and Whitehouse, "Information Set
Monte Carlo Tree Search", 2012). Two actions of another seat lead from a node to the same child if the
searching seat can distinguish neither the actions nor the next decisions. An example is the choice between
two hidden cards with the same back.
"""

from typing import Any

import numpy as np

from pocketmars_agents.search.arrays import ADDED, MADE, Edges, Tree
from pocketmars_env.core.compiled import chance
from pocketmars_env.core.compiled.chance import mixed
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import (
    MAX_SEATS,
    determinize,
    seen_action,
    with_private_knowledge,
)
from pocketmars_env.core.compiled.signatures import Vector
from pocketmars_env.core.compiled.states import States

ROOT = np.uint64(1)

# --- entry points ---------------------------------------------------------------------------------


@entry_point
def clear_tree(tree: Tree) -> None:
    """Empty the tree."""
    clear(tree.edges, tree.used, tree.counts[ADDED])
    tree.counts[MADE], tree.counts[ADDED] = 0, 0
    for seat in range(MAX_SEATS):
        tree.totals[seat] = 0.0


@entry_point
def read_node(node: np.uint64, actions: Vector[np.int64], tree: Tree, edges: Edges) -> None:
    """Copy a node's edges for `actions` into `edges`, ``(len(actions),)``.

    If an action's edge is not in the tree, all fields of its entry in `edges` are 0.
    """
    for i in range(len(actions)):
        edges[i] = tree.edges[place_of(tree.edges, edge_key(node, actions[i]))]


@entry_point
def write_first_determinization(states: States, line: States, seat: int, seed: np.uint64) -> None:
    """Write the determinization of the first simulation into ``line[0]``; see `simulate`."""
    write_determinization(states, line, seat, chance.long_word(seed, 0))


@entry_point
def label_at(states: States, action: int, seat: int) -> Any:
    """Return the label of a legal action in ``states[0]``: what `seat` observes of it, as a number."""
    return seen_action(states[0], action, seat)


@entry_point
def child_at(node: np.uint64, label: int, states: States, seat: int) -> Any:
    """Return the child of `node` that an action leads to, as a uint64 hash; see `child_node`.

    `label` is the label of an action at `node`; ``states[0]`` is the position after this action.
    """
    return child_node(node, label, states[0], seat)


# --- determinizations -----------------------------------------------------------------------------


@kernel
def write_determinization(states: Any, line: Any, seat: int, stream: Any) -> None:
    """Write a determinization of ``states[0]`` into ``line[0]``."""
    line[0] = states[0]
    determinize(states[0], line[0], seat, stream, True)


# --- hashes of nodes and edges --------------------------------------------------------------------


@kernel
def edge_key(node: Any, action: int) -> Any:
    return mixed(node, np.uint64(action + 1))


@kernel
def child_node(node: Any, label: int, state: Any, viewer: int) -> Any:
    """Return the child of `node` that an action leads to, in the tree of the searching seat `viewer`.

    Nodes are uint64 hashes. `label` is a number that encodes what `viewer` observes of the action; `state` is
    the position after the action. If `viewer` is to play in this position, the child also depends on the
    private knowledge of `viewer`.
    """
    decision = 0
    if not state.over:
        decision = 1 + int(state.decision) * 8 + int(state.to_play)
    node = mixed(node, np.uint64((label + 1) * 1024 + decision))
    if state.to_play == viewer:
        return with_private_knowledge(node, state, viewer)
    return node


# --- the table ------------------------------------------------------------------------------------


@kernel
def place_of(edges: Any, key: Any) -> Any:
    """Return the index of the edge with the hash `key` (uint64), or of the free entry for this edge."""
    last = len(edges) - 1
    place = np.int64(key & np.uint64(last))
    while edges[place].key != key and edges[place].key != 0:
        place = (place + 1) & last
    return place


@kernel
def find_edges(node: Any, number: int, tree: Any, scratch: Any) -> int:
    """Find the edges of `node` for the first `number` actions in ``scratch.actions``.

    Write the indices of the edges into ``scratch.places``, and return how many edges are missing.
    """
    missing = 0
    for choice in range(number):
        place = place_of(tree.edges, edge_key(node, scratch.actions[choice]))
        scratch.places[choice] = place
        missing += 1 if tree.edges[place].key == 0 else 0
    return missing


@kernel
def add_edge(edges: Any, place: int, key: Any, prior: float) -> None:
    edge = edges[place]
    edge.key, edge.prior, edge.total = key, prior, 0.0
    edge.visits, edge.available = 0, 0


@kernel
def clear(edges: Any, used: Any, number: int) -> None:
    """Free the entries at the first `number` indices in `used`."""
    for i in range(number):
        add_edge(edges, used[i], np.uint64(0), 0.0)


@kernel
def place_in(actions: Any, number: int, action: int) -> int:
    """Return the index of `action` among the first `number` of `actions`, or -1 if it is not among them."""
    for choice in range(number):
        if actions[choice] == action:
            return choice
    return -1


# --- selection ------------------------------------------------------------------------------------


@kernel
def select(edges: Any, places: Any, number: int, prior_weight: float, exploration: float) -> int:
    """Select the edge with the highest upper confidence bound and return its index in `places`.

    Only the first `number` entries of `places` are used; 1 is added to the availability counts of their
    edges. The bound is that of UCB1 with the availability count of the edge instead of the visit count of its
    node (Cowling et al., 2012). The prior counts as `prior_weight` initial simulations (Gelly and Silver,
    "Combining Online and Offline Knowledge in UCT", 2007).
    """
    best, highest = 0, -np.inf
    for choice in range(number):
        edge = edges[places[choice]]
        edge.available += 1
        made = prior_weight + edge.visits
        bound = np.inf
        if made > 0.0:
            mean = (prior_weight * edge.prior + edge.total) / made
            log_available = np.log(prior_weight * number + edge.available)
            bound = mean + exploration * np.sqrt(log_available / made)
        if bound > highest:
            best, highest = choice, bound
    return best
