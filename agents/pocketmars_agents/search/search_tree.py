"""The tree of an information-set search: a hash table of edges, compiled.

An *edge* is one answer at one *node*, and keeps what the seat that answers there has learned about it.
Nodes are nothing but numbers of 64 bits: a node's number follows from its parent's and from what the
searching seat sees on the way, and an edge's from its node's and the action. So the edges that a
world allows are found at once, however many others the node has in other worlds.

Which nodes are one, is what makes it a tree of information sets (Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", 2012): after an answer that the searching seat does not
see, such as another seat's choice of a card to put down, the search goes on in the same node
whatever it was, but for the suit that the card's back shows.
"""

from typing import Any

import numpy as np

from pocketmars_env.core.compiled.chance import mixed
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.game_kernels import with_private_knowledge

ROOT = np.uint64(1)

# --- numbers of nodes and edges -------------------------------------------------------------------


@kernel
def edge_key(node: Any, action: int) -> Any:
    return mixed(node, np.uint64(action + 1))


@kernel
def child_node(node: Any, label: int, state: Any, viewer: int) -> Any:
    """The node that the seat `viewer` comes to from `node`.

    `label` is what it sees of the answer; `state` is the position after it.
    """
    question = 0
    if not state.over:
        question = 1 + int(state.decision) * 8 + int(state.to_play)
    node = mixed(node, np.uint64((label + 1) * 1024 + question))
    if state.to_play == viewer:
        return with_private_knowledge(node, state, viewer)
    return node


# --- the table ------------------------------------------------------------------------------------


@kernel
def place_of(edges: Any, key: Any) -> Any:
    """The place of the edge `key` (uint64), or the free one where it belongs."""
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
    """Free the first `number` places that the list `used` names."""
    for i in range(number):
        edges[used[i]].key = np.uint64(0)


# --- choosing -------------------------------------------------------------------------------------


@kernel
def worth(edge: Any, prior_weight: float) -> Any:
    """The mean value of an edge, the prior counting as `trust` simulations."""
    made = prior_weight + edge.visits
    return (prior_weight * edge.prior + edge.total) / made if made > 0.0 else 0.0


@kernel
def select(edges: Any, places: Any, number: int, prior_weight: float, exploration: float) -> int:
    """Which of the first `number` edges in `places` to follow: the highest upper confidence bound.

    UCB1 with the availability of the edge in place of its node's visits (Cowling et al., 2012), and
    with the prior as simulations made before the first (Gelly and Silver, "Combining Online and
    Offline Knowledge in UCT", 2007).
    """
    best, highest = 0, -np.inf
    for choice in range(number):
        edge = edges[places[choice]]
        edge.available += 1
        made = prior_weight + edge.visits
        bound = np.inf
        if made > 0.0:
            tried = np.log(prior_weight * number + edge.available)
            bound = worth(edge, prior_weight) + exploration * np.sqrt(tried / made)
        if bound > highest:
            best, highest = choice, bound
    return best
