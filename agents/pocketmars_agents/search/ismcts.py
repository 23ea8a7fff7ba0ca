"""Information-set Monte Carlo tree search, compiled like the engine.

Every simulation samples a world that the searching seat cannot tell from the true one, and follows the
tree of `search_tree.py`: whoever is asked takes the answer that looks best to it, of those that are
legal in that world. At a node with none of them yet in the tree it adds them, values the position as
`rollouts.py` does, and all answers on the way learn that value, each as it is for the seat that gave it
(max^n). What chance brings in a world, that world's own stream decides.
"""

from typing import Any

import numpy as np

from pocketmars_agents.search.arrays import ADDED, MADE, MAX_DEPTH
from pocketmars_agents.search.rollouts import (
    go_to_end_of_turn,
    keep_better,
    play_randomly,
    write_best_values,
    write_values,
)
from pocketmars_agents.search.search_tree import (
    ROOT,
    add_edge,
    child_node,
    clear,
    edge_key,
    place_of,
    select,
)
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import (
    MAX_SEATS,
    determinize,
    number_of_seats,
    seen_action,
    step,
)

RANDOM, GREEDY, PLANNER = 0, 1, 2
"""Rollouts."""


# --- entry points ---------------------------------------------------------------------------------


@entry_point
def clear_tree(tree: Any) -> None:
    """Forget the last search."""
    clear(tree.edges, tree.used, tree.counts[ADDED])
    tree.counts[MADE], tree.counts[ADDED] = 0, 0
    for seat in range(MAX_SEATS):
        tree.totals[seat] = 0.0


@entry_point
def simulate(
    states: Any, seat: int, seed: Any, number: int, settings: Any, weights: Any, tree: Any, scratch: Any
) -> None:
    """Make `number` more simulations.

    Args:
        states: ``(1,)`` `STATE`: a world that fits the view of `seat`, which is asked.
        seat: the searching seat.
        seed: uint64, decides all worlds and choices; the same for all calls of one search.
        number: how many simulations.
        settings: `Settings`.
        weights: one mode's entries of the three tables of weights.
        tree: `Tree`; grows.
        scratch: `Scratch`.

    """
    for _ in range(number):
        stream = chance.long_word(seed, tree.counts[MADE])
        begin_world(states, scratch.line, seat, stream, settings.perfect_information)
        world = scratch.line[0]
        depth, is_valued = descend(world, seat, settings, weights, tree, scratch)
        if not is_valued:
            play_on(world, stream, settings.rollout)
            write_values(world, settings.objective, weights, scratch.values)
        learn(tree, depth, number_of_seats(world), scratch)


@entry_point
def read_node(node: Any, actions: Any, tree: Any, edges: Any) -> None:
    """Copy a node's edges of some actions into `edges`, ``(len(actions),)`` `EDGE`.

    An edge that is not in the tree gets the key 0.
    """
    for i in range(len(actions)):
        edges[i] = tree.edges[place_of(tree.edges, edge_key(node, actions[i]))]


@entry_point
def world_at(states: Any, line: Any, seat: int, seed: Any, perfect_information: bool) -> None:
    """Write the world of the first simulation into ``line[0]``; arguments as `simulate`."""
    begin_world(states, line, seat, chance.long_word(seed, 0), perfect_information)


@entry_point
def label_at(states: Any, action: int, seat: int, perfect_information: bool) -> Any:
    """What the searcher sees of an answer in the one state of `states`."""
    return label_of(states[0], action, seat, perfect_information)


@entry_point
def child_at(node: Any, label: int, states: Any, seat: int) -> Any:
    """The node (uint64) behind an answer, which led from `node` to the one state of `states`."""
    return child_node(node, label, states[0], seat)


# --- a simulation ---------------------------------------------------------------------------------


@kernel
def begin_world(states: Any, line: Any, seat: int, stream: Any, perfect_information: bool) -> None:
    """Write a sampled world into ``line[0]``; a searcher that sees all cards samples the shuffles alone."""
    line[0] = states[0]
    if perfect_information:
        line[0].seed, line[0].draws = stream, 0
    else:
        determinize(states[0], line[0], seat, stream, True)


@kernel
def label_of(world: Any, action: int, seat: int, perfect_information: bool) -> Any:
    """What the searcher sees of an answer."""
    return action if perfect_information else seen_action(world, action, seat)


@kernel
def descend(world: Any, seat: int, settings: Any, weights: Any, tree: Any, scratch: Any) -> Any:
    """Follow the tree to a new node.

    Returns the length of the path, and whether ``scratch.values`` holds the values already.
    """
    node, depth = ROOT, 0
    while not world.over and depth < MAX_DEPTH:
        number = legal_actions.write_legal(world, scratch.actions)
        missing = find_edges(node, number, tree, scratch)
        if missing > 0:
            if tree.counts[ADDED] + missing > len(tree.used):
                return depth, False
            add_missing(node, number, settings, weights, tree, scratch)
            if missing == number and settings.rollout != RANDOM:
                return depth, True
        choice = select(tree.edges, scratch.places, number, settings.prior_weight, settings.exploration)
        action, place = scratch.actions[choice], scratch.places[choice]
        scratch.path[depth], scratch.path_seats[depth] = place, world.to_play
        depth += 1
        label = label_of(world, action, seat, settings.perfect_information)
        step(world, action)
        if settings.rollout == RANDOM and tree.edges[place].visits == 0:
            return depth, False
        node = child_node(node, label, world, seat)
    return depth, False


@kernel
def find_edges(node: Any, number: int, tree: Any, scratch: Any) -> int:
    """Look up the edges of the first `number` of ``scratch.actions``; returns how many are missing."""
    missing = 0
    for choice in range(number):
        place = place_of(tree.edges, edge_key(node, scratch.actions[choice]))
        scratch.places[choice] = place
        missing += 1 if tree.edges[place].key == 0 else 0
    return missing


@kernel
def add_missing(node: Any, number: int, settings: Any, weights: Any, tree: Any, scratch: Any) -> None:
    """Add the missing ones; ``scratch.values`` become those of the best for the seat that is asked."""
    to_play = int(scratch.line[0].to_play)
    scratch.values[to_play] = -np.inf
    for choice in range(number):
        if tree.edges[scratch.places[choice]].key == 0:
            value_action(scratch.actions[choice], to_play, settings, weights, scratch)
            keep_better(scratch.prior, scratch.values, to_play)
            key = edge_key(node, scratch.actions[choice])
            place = place_of(tree.edges, key)  # another one may have taken the place found before
            add_edge(tree.edges, place, key, scratch.prior[to_play])
            scratch.places[choice] = place
            tree.used[tree.counts[ADDED]] = place
            tree.counts[ADDED] += 1


@kernel
def value_action(action: int, to_play: int, settings: Any, weights: Any, scratch: Any) -> None:
    """Write what an answer is worth in this world by the end of the turn into ``scratch.prior``."""
    if settings.rollout == RANDOM:
        scratch.prior[to_play] = 0.0
        return
    line = scratch.line
    line[1] = line[0]
    step(line[1], action)
    if settings.rollout == GREEDY:
        go_to_end_of_turn(line[1])
        write_values(line[1], settings.objective, weights, scratch.prior)
    else:
        write_best_values(
            line, scratch.tried, to_play, settings.objective, weights, scratch.trial, scratch.prior
        )


@kernel
def play_on(world: Any, stream: Any, rollout: int) -> None:
    """Play to where the position can be valued."""
    if rollout == RANDOM:
        play_randomly(world, ~stream)
    else:
        go_to_end_of_turn(world)


@kernel
def learn(tree: Any, depth: int, seats: int, scratch: Any) -> None:
    """Let the tree and the edges of the path learn the simulation's values."""
    tree.counts[MADE] += 1
    for seat in range(seats):
        tree.totals[seat] += scratch.values[seat]
    for ply in range(depth):
        edge = tree.edges[scratch.path[ply]]
        edge.visits += 1
        edge.total += scratch.values[scratch.path_seats[ply]]
