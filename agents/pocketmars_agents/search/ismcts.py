"""Information-set Monte Carlo tree search, compiled like the engine.

Every simulation samples a world that the searching seat cannot tell from the true one, and follows the
tree of `search_tree.py`: whoever is asked takes the answer that looks best to it, of those that are
legal in that world. At a node with none of them yet in the tree it adds them, values the position as
`rollouts.py` does, and all answers on the way learn that value, each as it is for the seat that gave it
(max^n). What chance brings in a world, that world's own stream decides.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.search.look_ahead import MAX_ANSWERS
from pocketmars_agents.search.rollouts import (
    go_to_end_of_turn,
    keep_better,
    play_randomly,
    write_best_values,
    write_values,
)
from pocketmars_agents.search.search_tree import (
    ROOT,
    Edges,
    add_edge,
    child_node,
    clear,
    edge_key,
    new_edges,
    place_of,
    seen_answer,
    select,
)
from pocketmars_env import NUM_ACTIONS
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules import turns
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS
from pocketmars_env.games.pocket_mars.rules.determinize import determinize
from pocketmars_env.games.pocket_mars.rules.state import new_states, number_of_seats

MAX_DEPTH = 256
"""Answers of one simulation that learn; a game is seldom longer."""

RANDOM, GREEDY, PLANNER = 0, 1, 2
"""Rollouts."""

MADE, ADDED = 0, 1
"""Entries of `Tree.counts`."""


class Settings(NamedTuple):
    """How a search is done."""

    rollout: int  # RANDOM, GREEDY or PLANNER
    objective: int  # WIN or SCORE
    exploration: float  # the weight of what has seldom been tried
    trust: float  # as how many simulations an edge's prior counts
    is_open: bool  # whether the searcher sees all cards


class Tree(NamedTuple):
    """The tree of one search."""

    edges: Edges  # (a power of two,) EDGE
    used: NDArray[np.int64]  # (most edges,) the places taken in `edges`
    counts: NDArray[np.int64]  # (2,) simulations made, edges added
    totals: NDArray[np.float64]  # (MAX_SEATS,) every seat's values of the simulations


class Scratch(NamedTuple):
    """What a simulation works with; overwritten."""

    line: States  # (MAX_ANSWERS + 1,) STATE: the world, and a line of play from there
    tried: NDArray[np.int64]  # (MAX_ANSWERS + 1,) how many answers of each were tried
    actions: NDArray[np.int64]  # (NUM_ACTIONS,) the legal actions of a node
    places: NDArray[np.int64]  # (NUM_ACTIONS,) the places of their edges
    path: NDArray[np.int64]  # (MAX_DEPTH,) places of the edges that were followed
    path_seats: NDArray[np.int64]  # (MAX_DEPTH,) who answered there
    values: NDArray[np.float64]  # (MAX_SEATS,) of the simulation
    prior: NDArray[np.float64]  # (MAX_SEATS,) of an edge that is added
    trial: NDArray[np.float64]  # (MAX_SEATS,) of one line of play


def new_tree(most_edges: int) -> Tree:
    """An empty tree with room for so many edges."""
    places = 1 << (2 * most_edges - 1).bit_length()  # at least half of the places stay free
    used, counts = np.zeros(most_edges, dtype=np.int64), np.zeros(2, dtype=np.int64)
    return Tree(new_edges(places), used, counts, np.zeros(MAX_SEATS, dtype=np.float64))


def new_scratch() -> Scratch:
    """Room for one simulation at a time."""
    tried, actions, places, path, path_seats = (
        np.zeros(size, dtype=np.int64)
        for size in (MAX_ANSWERS + 1, NUM_ACTIONS, NUM_ACTIONS, MAX_DEPTH, MAX_DEPTH)
    )
    values, prior, trial = np.zeros((3, MAX_SEATS), dtype=np.float64)
    return Scratch(
        new_states(MAX_ANSWERS + 1), tried, actions, places, path, path_seats, values, prior, trial
    )


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
        begin_world(states, scratch.line, seat, stream, settings.is_open)
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
def world_at(states: Any, line: Any, seat: int, seed: Any, is_open: bool) -> None:
    """Write the world of the first simulation into ``line[0]``; arguments as `simulate`."""
    begin_world(states, line, seat, chance.long_word(seed, 0), is_open)


@entry_point
def label_at(states: Any, action: int, seat: int, is_open: bool) -> Any:
    """What the searcher sees of an answer in the one state of `states`."""
    return label_of(states[0], action, seat, is_open)


@entry_point
def child_at(node: Any, label: int, states: Any, seat: int) -> Any:
    """The node (uint64) behind an answer, which led from `node` to the one state of `states`."""
    return child_node(node, label, states[0], seat)


# --- a simulation ---------------------------------------------------------------------------------


@kernel
def begin_world(states: Any, line: Any, seat: int, stream: Any, is_open: bool) -> None:
    """Write a sampled world into ``line[0]``; a searcher that sees all cards samples the shuffles alone."""
    line[0] = states[0]
    if is_open:
        line[0].seed, line[0].draws = stream, 0
    else:
        determinize(states[0], line[0], seat, stream, True)


@kernel
def label_of(world: Any, action: int, seat: int, is_open: bool) -> Any:
    """What the searcher sees of an answer."""
    return action if is_open else seen_answer(world, action, seat)


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
        choice = select(tree.edges, scratch.places, number, settings.trust, settings.exploration)
        action, place = scratch.actions[choice], scratch.places[choice]
        scratch.path[depth], scratch.path_seats[depth] = place, world.asked_seat
        depth += 1
        label = label_of(world, action, seat, settings.is_open)
        turns.step(world, action)
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
    asked = int(scratch.line[0].asked_seat)
    scratch.values[asked] = -np.inf
    for choice in range(number):
        if tree.edges[scratch.places[choice]].key == 0:
            value_answer(scratch.actions[choice], asked, settings, weights, scratch)
            keep_better(scratch.prior, scratch.values, asked)
            key = edge_key(node, scratch.actions[choice])
            place = place_of(tree.edges, key)  # another one may have taken the place found before
            add_edge(tree.edges, place, key, scratch.prior[asked])
            scratch.places[choice] = place
            tree.used[tree.counts[ADDED]] = place
            tree.counts[ADDED] += 1


@kernel
def value_answer(action: int, asked: int, settings: Any, weights: Any, scratch: Any) -> None:
    """Write what an answer is worth in this world by the end of the turn into ``scratch.prior``."""
    if settings.rollout == RANDOM:
        scratch.prior[asked] = 0.0
        return
    line = scratch.line
    line[1] = line[0]
    turns.step(line[1], action)
    if settings.rollout == GREEDY:
        go_to_end_of_turn(line[1])
        write_values(line[1], settings.objective, weights, scratch.prior)
    else:
        write_best_values(
            line, scratch.tried, asked, settings.objective, weights, scratch.trial, scratch.prior
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
    for step in range(depth):
        edge = tree.edges[scratch.path[step]]
        edge.visits += 1
        edge.total += scratch.values[scratch.path_seats[step]]
