"""Kernels of PUCT search with a policy and value network.

Each simulation samples a determinization and descends the tree of information sets (`search_tree.py`) to a
node where some legal action has no edge, to the end of the game, or to the depth `MAX_DEPTH`. Unless the game
is over, the network then returns the priors of the actions and the value of the position. Actions are
selected by PUCT (Silver et al., "Mastering the game of Go without human knowledge", Nature 2017), with the
availability counts of the edges instead of the visit count of the node, as in `search_tree.py`.

Networks that `mlp.py` supports are evaluated inside the kernel `simulate`, one position at a time. Other
networks are evaluated in batches: `descend` runs several simulations up to the positions to evaluate, and
`learn` finishes these simulations with the network's outputs. Until `learn` is called, each of these
simulations counts as a visit with value 0 to the edges on its path (virtual loss), so that the next
simulations tend to take other paths.

Unless a docstring says otherwise, the arguments of the kernels are:

- states: ``(1,)`` state in the information set of `seat`.
- seat: the seat to play; the search looks for its best action.
- seed: seed of all determinizations, the same for all calls during one search.
- number: number of simulations.
- row: the simulation's row in `leaves`.
- settings: settings of the search.
- weights: weights of the game's evaluation function.
- tree: the tree, which is updated.
- leaves: leaf positions; the rows of the simulations are overwritten.
- scratch: buffers, which are overwritten.
"""

from typing import Any

import numpy as np

from pocketmars_agents.network.mlp import Activations, CompactMlp, evaluate
from pocketmars_agents.search.arrays import (
    ADDED,
    MADE,
    MAX_DEPTH,
    Leaves,
    PuctScratch,
    PuctSettings,
    Tree,
)
from pocketmars_agents.search.evaluation_kernels import Weights, write_chances
from pocketmars_agents.search.objectives import WIN
from pocketmars_agents.search.rollouts import write_final_values
from pocketmars_agents.search.search_tree import (
    ROOT,
    add_edge,
    child_node,
    edge_key,
    find_edges,
    place_in,
    place_of,
    write_determinization,
)
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import (
    is_automaton,
    number_of_seats,
    seen_action,
    step,
    write_observation,
)
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States

EPSILON = 1e-9
"""Added to each estimated win probability, to avoid a division by 0 if all opponents' estimates are 0."""


# --- entry points ---------------------------------------------------------------------------------


@entry_point
def simulate(
    states: States,
    seat: int,
    seed: np.uint64,
    number: int,
    settings: PuctSettings,
    weights: Weights,
    networks: tuple[CompactMlp, CompactMlp],
    buffers: tuple[Activations, Activations],
    tree: Tree,
    leaves: Leaves,
    scratch: PuctScratch,
) -> None:
    """Run `number` complete simulations, one after another, in the first row of `leaves`.

    Args:
        networks: a network for the players and one for the automaton.
        buffers: buffers for each network.

    """
    for _ in range(number):
        first = begin(states, 0, seat, seed, settings, tree, leaves, scratch)
        state = leaves.states[0]
        follow(state, 0, seat, first, settings, tree, leaves, scratch)
        if not leaves.is_valued[0]:
            index = 1 if is_automaton(state, state.to_play) else 0
            buffer, to_play = buffers[index], int(state.to_play)
            reward = evaluate(
                leaves.observations[0], leaves.masks[0], to_play, False, networks[index], buffer
            )
            add_legal_actions(state, leaves.nodes[0], buffer.logits, settings.temperature, tree, scratch)
            if len(buffer.opponent_win_split) > 0:
                write_win_shares(state, reward, buffer.opponent_win_split, leaves.values[0])
            else:
                write_estimated_win_shares(state, reward, weights, leaves.values[0])
        learn_values(0, tree, leaves)


@entry_point
def descend(
    states: States,
    seat: int,
    seed: np.uint64,
    number: int,
    settings: PuctSettings,
    tree: Tree,
    leaves: Leaves,
    scratch: PuctScratch,
) -> None:
    """Run `number` simulations, one per row of `leaves`, up to the positions to evaluate.

    Each edge on the paths gets a virtual loss.
    """
    for row in range(number):
        first = begin(states, row, seat, seed, settings, tree, leaves, scratch)
        follow(leaves.states[row], row, seat, first, settings, tree, leaves, scratch)


@entry_point
def learn(
    number: int,
    logits: Matrix[np.float32],
    rewards: Vector[np.float32],
    settings: PuctSettings,
    weights: Weights,
    tree: Tree,
    leaves: Leaves,
    scratch: PuctScratch,
) -> None:
    """Finish the `number` simulations that `descend` began.

    Args:
        logits: ``(number, NUM_ACTIONS)`` logits of the network.
        rewards: ``(number,)`` expected final rewards of the seats to play. A reward determines the win share
            of the seat to play; the game's evaluation splits the rest among the other seats.

    """
    for row in range(number):
        if not leaves.is_valued[row]:
            state = leaves.states[row]
            add_legal_actions(state, leaves.nodes[row], logits[row], settings.temperature, tree, scratch)
            write_estimated_win_shares(state, rewards[row], weights, leaves.values[row])
        learn_values(row, tree, leaves)


# --- a simulation ---------------------------------------------------------------------------------


@kernel
def begin(
    states: Any, row: int, seat: int, seed: Any, settings: Any, tree: Any, leaves: Any, scratch: Any
) -> int:
    """Write a simulation's determinization into ``leaves.states[row]`` and select the action at the root.

    Return the index of this action among the legal actions; 0 if the root has no edges yet.

    The n-th visits of all root actions use the same determinization (common random numbers), so that no
    action is preferred because of more favorable determinizations.
    """
    choice, sample = 0, tree.counts[MADE] + row  # values for a root with one legal action or without edges
    number = legal_actions.write_legal(states[0], scratch.actions)
    if number > 1 and find_edges(ROOT, number, tree, scratch) == 0:
        choice = place_in(scratch.actions, number, settings.root_action)
        if choice < 0:
            choice = select(tree.edges, scratch.places, number, settings.exploration)
        sample = tree.edges[scratch.places[choice]].visits
    stream = chance.long_word(seed, sample)
    write_determinization(states, leaves.states[row : row + 1], seat, stream)
    return choice


@kernel
def follow(
    state: Any, row: int, seat: int, first: int, settings: Any, tree: Any, leaves: Any, scratch: Any
) -> None:
    """Descend the tree until a legal action has no edge, the game is over, or the depth is `MAX_DEPTH`.

    If only one action is legal, it is played without an edge. Each edge on the path gets one visit.

    Args:
        state: the determinization that `begin` wrote, which is advanced in place.
        first: the index of the action at the root, from `begin`.

    """
    node, depth, is_known = ROOT, 0, True
    while not state.over and is_known and depth < MAX_DEPTH:
        number = legal_actions.write_legal(state, scratch.actions)
        action = scratch.actions[0]
        if number > 1:
            is_known = find_edges(node, number, tree, scratch) == 0
            if not is_known:
                break
            choice = first
            if node != ROOT:
                choice = select(tree.edges, scratch.places, number, settings.exploration)
            action, place = scratch.actions[choice], scratch.places[choice]
            tree.edges[place].visits += 1
            leaves.paths[row, depth], leaves.path_seats[row, depth] = place, state.to_play
            depth += 1
        label = seen_action(state, action, seat)
        step(state, action)
        node = child_node(node, label, state, seat)
    leaves.nodes[row], leaves.depths[row], leaves.is_valued[row] = node, depth, state.over
    if state.over:
        write_final_values(state, WIN, leaves.values[row])
    else:
        write_observation(state, state.to_play, leaves.observations[row])
        legal_actions.write_mask(state, leaves.masks[row])


@kernel
def learn_values(row: int, tree: Any, leaves: Any) -> None:
    """Add the values of a simulation to the tree's totals and to the edges on the path."""
    values = leaves.values[row]
    tree.counts[MADE] += 1
    for seat in range(number_of_seats(leaves.states[row])):
        tree.totals[seat] += values[seat]
    for ply in range(leaves.depths[row]):
        tree.edges[leaves.paths[row, ply]].total += values[leaves.path_seats[row, ply]]


@kernel
def select(edges: Any, places: Any, number: int, exploration: float) -> int:
    """Select one of the first `number` edges in `places` by PUCT, and return its index in `places`.

    The availability counts of these edges increase by 1. The value of an edge without visits is the mean
    value of all visits to these edges, or 0 if none of them has been visited.
    """
    visits, total = 0, 0.0
    for choice in range(number):
        edge = edges[places[choice]]
        edge.available += 1
        visits += edge.visits
        total += edge.total
    mean = total / visits if visits > 0 else 0.0
    best, highest = 0, -np.inf
    for choice in range(number):
        edge = edges[places[choice]]
        value = edge.total / edge.visits if edge.visits > 0 else mean
        bound = value + exploration * edge.prior * np.sqrt(edge.available) / (1.0 + edge.visits)
        if bound > highest:
            best, highest = choice, bound
    return best


# --- outputs of the network -----------------------------------------------------------------------


@kernel
def add_legal_actions(
    state: Any, node: Any, logits: Any, temperature: float, tree: Any, scratch: Any
) -> None:
    """Add the missing edges of a node, unless the tree is full.

    The priors of the edges are the network's probabilities of the actions; see `write_probabilities`.
    """
    number = legal_actions.write_legal(state, scratch.actions)
    write_probabilities(logits, number, temperature, scratch)
    for choice in range(number):
        key = edge_key(node, scratch.actions[choice])
        place = place_of(tree.edges, key)
        if tree.edges[place].key == 0 and tree.counts[ADDED] < len(tree.used):
            add_edge(tree.edges, place, key, scratch.probabilities[choice])
            tree.used[tree.counts[ADDED]] = place
            tree.counts[ADDED] += 1


@kernel
def write_probabilities(logits: Any, number: int, temperature: float, scratch: Any) -> None:
    """Write the probabilities of the first `number` of ``scratch.actions`` into ``scratch.probabilities``.

    The probabilities are the softmax of ``logits / temperature`` over these actions.
    """
    highest, total = -np.inf, 0.0
    for choice in range(number):
        highest = max(highest, float(logits[scratch.actions[choice]]))
    for choice in range(number):
        scratch.probabilities[choice] = np.exp((logits[scratch.actions[choice]] - highest) / temperature)
        total += scratch.probabilities[choice]
    for choice in range(number):
        scratch.probabilities[choice] /= total


@kernel
def write_win_shares(state: Any, reward: float, opponent_win_split: Any, values: Any) -> None:
    """Write the win share of every seat into `values`, given the expected final reward of the seat to play.

    `opponent_win_split` contains the network's logits for the split of the remaining share among the
    opponents; see `Mlp`.
    """
    seats, to_play = number_of_seats(state), int(state.to_play)
    own, total, highest = own_win_share(reward, seats), 0.0, opponent_win_split[0]
    for opponent in range(1, seats - 1):
        highest = max(highest, opponent_win_split[opponent])
    for distance in range(1, seats):
        values[(to_play + distance) % seats] = np.exp(opponent_win_split[distance - 1] - highest)
        total += values[(to_play + distance) % seats]
    for distance in range(1, seats):
        values[(to_play + distance) % seats] *= (1.0 - own) / total
    values[to_play] = own


@kernel
def own_win_share(reward: float, seats: int) -> Any:
    """Return the win share, in 0..1, that corresponds to an expected final reward."""
    return min(max((reward * (seats - 1) + 1.0) / seats, 0.0), 1.0)


@kernel
def write_estimated_win_shares(state: Any, reward: float, weights: Any, values: Any) -> None:
    """Write win shares like `write_win_shares`, but the game's evaluation splits the remaining share."""
    seats, to_play = number_of_seats(state), int(state.to_play)
    write_chances(state, weights, values)
    own = own_win_share(reward, seats)
    left = 1.0 - values[to_play] + (seats - 1) * EPSILON
    for seat in range(seats):
        values[seat] = (values[seat] + EPSILON) / left * (1.0 - own)
    values[to_play] = own
