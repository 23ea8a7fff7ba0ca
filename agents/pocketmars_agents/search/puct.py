"""Search that a network guides, compiled but for the network: its kernels.

The tree is that of `ismcts.py`, and so is a simulation: it samples a world that the searching seat cannot
tell from the true one, and follows the tree to a node that is new to it. There the network says how
likely each answer is, and what the position is worth. Answers are chosen by PUCT (Silver et al., "Mastering
the game of Go without human knowledge", Nature 2017), with the edges' availability in place of the node's
visits, as in `search_tree.py`.

A network that `mlp.py` can compute is asked within the kernel, position by position: `simulate`. Any other
is asked about many positions at once: `descend` makes several simulations up to their new nodes, and `learn`
goes on with its answers. Between the two, every edge on the way counts as if the simulation had been lost
there, so that the next ones look elsewhere.
"""

from typing import Any

import numpy as np

from pocketmars_agents.network.mlp import evaluate
from pocketmars_agents.search.arrays import ADDED, MADE, MAX_DEPTH
from pocketmars_agents.search.evaluation_kernels import write_chances
from pocketmars_agents.search.ismcts import begin_world, label_of
from pocketmars_agents.search.objectives import WIN
from pocketmars_agents.search.rollouts import write_final_values
from pocketmars_agents.search.search_tree import ROOT, add_edge, child_node, edge_key, place_of
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import (
    is_automaton,
    number_of_seats,
    step,
    write_observation,
)

LEAST = 1e-9
"""Added to every other seat's estimate, so that there is something to share in proportion to."""


# --- entry points ---------------------------------------------------------------------------------


@entry_point
def simulate(
    states: Any,
    seat: int,
    seed: Any,
    number: int,
    settings: Any,
    weights: Any,
    networks: Any,
    rooms: Any,
    tree: Any,
    leaves: Any,
    scratch: Any,
) -> None:
    """Make `number` simulations from their beginning to their end.

    Args:
        states: ``(1,)`` `STATE`: a world that fits the view of `seat`, which is asked.
        seat: the searching seat.
        seed: uint64, decides all worlds; the same for all calls of one search.
        number: how many simulations.
        settings: `PuctSettings`.
        weights: as of `learn`.
        networks: two `CompactMlp`: who answers for the players, and for an automaton.
        rooms: two `Activations`, for them.
        tree: `Tree`; grows and learns.
        leaves: `Leaves`, of which the first row is used.
        scratch: `PuctScratch`.

    """
    for _ in range(number):
        first = begin(states, 0, seat, seed, settings, tree, leaves, scratch)
        world = leaves.worlds[0]
        follow(world, 0, seat, first, settings, tree, leaves, scratch)
        if not leaves.is_valued[0]:
            who = 1 if is_automaton(world, world.to_play) else 0
            room, to_play = rooms[who], int(world.to_play)
            reward = evaluate(leaves.observations[0], leaves.masks[0], to_play, networks[who], room)
            add_legal_actions(world, leaves.nodes[0], room.logits, settings.temperature, tree, scratch)
            if len(room.opponent_win_split) > 0:
                write_win_shares(world, reward, room.opponent_win_split, leaves.values[0])
            else:
                write_estimated_win_shares(world, reward, weights, leaves.values[0])
        learn_values(0, tree, leaves)


@entry_point
def descend(
    states: Any, seat: int, seed: Any, number: int, settings: Any, tree: Any, leaves: Any, scratch: Any
) -> None:
    """Make `number` simulations up to where the network is asked.

    Args:
        states: ``(1,)`` `STATE`: a world that fits the view of `seat`, which is asked.
        seat: the searching seat.
        seed: uint64, decides all worlds; the same for all calls of one search.
        number: how many simulations, at most as many as `leaves` has rows.
        settings: `PuctSettings`.
        tree: `Tree`; the edges on the way count a loss more.
        leaves: `Leaves`; the first rows are overwritten.
        scratch: `PuctScratch`.

    """
    for row in range(number):
        first = begin(states, row, seat, seed, settings, tree, leaves, scratch)
        follow(leaves.worlds[row], row, seat, first, settings, tree, leaves, scratch)


@entry_point
def learn(
    number: int,
    logits: Any,
    rewards: Any,
    settings: Any,
    weights: Any,
    tree: Any,
    leaves: Any,
    scratch: Any,
) -> None:
    """End the simulations that `descend` has begun.

    Args:
        number: how many they are.
        logits: ``(number, NUM_ACTIONS)`` float32, the network's.
        rewards: ``(number,)`` float32: the final rewards that it expects for the seats that are asked.
        settings: `PuctSettings`.
        weights: of the game's evaluation, which says how the others share what is left.
        tree: `Tree`; grows and learns.
        leaves: `Leaves`.
        scratch: `PuctScratch`.

    """
    for row in range(number):
        if not leaves.is_valued[row]:
            world = leaves.worlds[row]
            add_legal_actions(world, leaves.nodes[row], logits[row], settings.temperature, tree, scratch)
            write_estimated_win_shares(world, rewards[row], weights, leaves.values[row])
        learn_values(row, tree, leaves)


# --- a simulation ---------------------------------------------------------------------------------


@kernel
def begin(
    states: Any, row: int, seat: int, seed: Any, settings: Any, tree: Any, leaves: Any, scratch: Any
) -> int:
    """Write the world of a simulation into ``leaves.worlds[row]``; returns the root's choice to be followed.

    Every answer is tried first in the same world, then in the same second one, and so on, so that none
    looks better because it met the luckier worlds: common random numbers.
    """
    choice, world_number = 0, tree.counts[MADE] + row  # as long as there is nothing to choose
    number = legal_actions.write_legal(states[0], scratch.actions)
    if number > 1 and find_edges(ROOT, number, tree, scratch):
        choice = select(tree.edges, scratch.places, number, settings.exploration)
        world_number = tree.edges[scratch.places[choice]].visits
    stream = chance.long_word(seed, world_number)
    begin_world(states, leaves.worlds[row : row + 1], seat, stream, settings.perfect_information)
    return choice


@kernel
def follow(
    world: Any, row: int, seat: int, first: int, settings: Any, tree: Any, leaves: Any, scratch: Any
) -> None:
    """Follow the tree to a node that lacks an answer of this world, or to the end of the game.

    Args:
        world: as `begin` has written it.
        row: of `leaves`, for what is found.
        seat: the searching seat.
        first: the choice at the root.
        settings: `PuctSettings`.
        tree: `Tree`; the edges on the way count a visit more.
        leaves: `Leaves`.
        scratch: `PuctScratch`.

    """
    node, depth, is_known = ROOT, 0, True
    while not world.over and is_known and depth < MAX_DEPTH:
        number = legal_actions.write_legal(world, scratch.actions)
        action = scratch.actions[0]
        if number > 1:
            is_known = find_edges(node, number, tree, scratch)
            if not is_known:
                break
            choice = first
            if node != ROOT:
                choice = select(tree.edges, scratch.places, number, settings.exploration)
            action, place = scratch.actions[choice], scratch.places[choice]
            tree.edges[place].visits += 1
            leaves.paths[row, depth], leaves.path_seats[row, depth] = place, world.to_play
            depth += 1
        label = label_of(world, action, seat, settings.perfect_information)
        step(world, action)
        node = child_node(node, label, world, seat)
    leaves.nodes[row], leaves.depths[row], leaves.is_valued[row] = node, depth, world.over
    if world.over:
        write_final_values(world, WIN, leaves.values[row])
    else:
        write_observation(world, world.to_play, leaves.observations[row])
        legal_actions.write_mask(world, leaves.masks[row])


@kernel
def learn_values(row: int, tree: Any, leaves: Any) -> None:
    """Let the tree and the edges of the path learn the values of one simulation."""
    values = leaves.values[row]
    tree.counts[MADE] += 1
    for seat in range(number_of_seats(leaves.worlds[row])):
        tree.totals[seat] += values[seat]
    for ply in range(leaves.depths[row]):
        tree.edges[leaves.paths[row, ply]].total += values[leaves.path_seats[row, ply]]


@kernel
def find_edges(node: Any, number: int, tree: Any, scratch: Any) -> bool:
    """Look up the edges of the first `number` of ``scratch.actions``; returns whether all are there."""
    for choice in range(number):
        place = place_of(tree.edges, edge_key(node, scratch.actions[choice]))
        scratch.places[choice] = place
        if tree.edges[place].key == 0:
            return False
    return True


@kernel
def select(edges: Any, places: Any, number: int, exploration: float) -> int:
    """Which of the first `number` edges in `places` to follow, by PUCT.

    An answer that has never been tried is taken to be worth as much as the tried ones on average.
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


# --- what the network says ------------------------------------------------------------------------


@kernel
def add_legal_actions(
    world: Any, node: Any, logits: Any, temperature: float, tree: Any, scratch: Any
) -> None:
    """Add the answers that the node lacks, with the network's probabilities as their priors."""
    number = legal_actions.write_legal(world, scratch.actions)
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
    """The softmax over the first `number` of ``scratch.actions``, more even at a higher temperature."""
    highest, total = -np.inf, 0.0
    for choice in range(number):
        highest = max(highest, float(logits[scratch.actions[choice]]))
    for choice in range(number):
        scratch.probabilities[choice] = np.exp((logits[scratch.actions[choice]] - highest) / temperature)
        total += scratch.probabilities[choice]
    for choice in range(number):
        scratch.probabilities[choice] /= total


@kernel
def write_win_shares(world: Any, reward: float, opponent_win_split: Any, values: Any) -> None:
    """Write every seat's chance to win, from the final reward that the seat expects which is asked.

    What that leaves to the others, they share as the network says, see `Mlp`.
    """
    seats, to_play = number_of_seats(world), int(world.to_play)
    own, total = own_win_share(reward, seats), 0.0
    for distance in range(1, seats):
        values[(to_play + distance) % seats] = np.exp(
            opponent_win_split[distance - 1] - np.max(opponent_win_split[: seats - 1])
        )
        total += values[(to_play + distance) % seats]
    for distance in range(1, seats):
        values[(to_play + distance) % seats] *= (1.0 - own) / total
    values[to_play] = own


@kernel
def own_win_share(reward: float, seats: int) -> Any:
    """The chance to win of a seat that expects this final reward."""
    return min(max((reward * (seats - 1) + 1.0) / seats, 0.0), 1.0)


@kernel
def write_estimated_win_shares(world: Any, reward: float, weights: Any, values: Any) -> None:
    """The same, where the network does not say it: the others share as the look-ahead's estimates have it."""
    seats, to_play = number_of_seats(world), int(world.to_play)
    write_chances(world, weights, values)
    own = own_win_share(reward, seats)
    left = 1.0 - values[to_play] + (seats - 1) * LEAST
    for seat in range(seats):
        values[seat] = (values[seat] + LEAST) / left * (1.0 - own)
    values[to_play] = own
