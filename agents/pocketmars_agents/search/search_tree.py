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

from pocketmars_env.core.compiled.chance import mixed
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.game_kernels import with_private_knowledge

ROOT = np.uint64(1)

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
