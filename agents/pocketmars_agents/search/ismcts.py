"""Kernels of information-set Monte Carlo tree search.

Each simulation samples a determinization and descends the tree of `search_tree.py`: the seat to play takes
the legal action with the highest upper confidence bound. At every node on the path, the simulation adds the
missing edges of the legal actions, unless the tree is full. The position at the end of the path is evaluated
with a rollout; see `rollouts.py`. Each edge on the path is updated with the value for the seat that chose it
(max^n). The seed of the search and the index of a simulation determine all random events of the simulation.
"""

from typing import Any

import numpy as np

from pocketmars_agents.search.arrays import ADDED, MADE, MAX_DEPTH, Scratch, Settings, Tree
from pocketmars_agents.search.evaluation_kernels import Weights
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
    edge_key,
    find_edges,
    place_in,
    place_of,
    select,
    write_determinization,
)
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import number_of_seats, seen_action, step
from pocketmars_env.core.compiled.states import States

RANDOM, GREEDY, PLANNER = 0, 1, 2
"""Rollout types; see the argument `rollout` of `IsmctsAgent`."""


@entry_point
def simulate(
    states: States,
    seat: int,
    seed: np.uint64,
    number: int,
    settings: Settings,
    weights: Weights,
    tree: Tree,
    scratch: Scratch,
) -> None:
    """Run `number` more simulations.

    Args:
        states: ``(1,)`` state in the information set of `seat`.
        seat: the seat to play; the search looks for its best action.
        seed: seed of all determinizations and rollouts, the same for all calls during one search.
        number: number of simulations to run.
        settings: settings of the search.
        weights: weights of the game's evaluation function.
        tree: the tree, which is updated.
        scratch: buffers, which are overwritten.

    """
    for _ in range(number):
        stream = chance.long_word(seed, tree.counts[MADE])
        write_determinization(states, scratch.line, seat, stream)
        state = scratch.line[0]
        depth, is_valued = descend(state, seat, settings, weights, tree, scratch)
        if not is_valued:
            if settings.rollout == RANDOM:
                play_randomly(state, ~stream)
            else:
                go_to_end_of_turn(state)
            write_values(state, settings.objective, weights, scratch.values)
        learn(tree, depth, number_of_seats(state), scratch)


# --- a simulation ---------------------------------------------------------------------------------


@kernel
def descend(state: Any, seat: int, settings: Any, weights: Any, tree: Any, scratch: Any) -> Any:
    """Descend the tree to a position to evaluate; `state` is advanced in place.

    With random rollouts, the descent ends after the first edge without visits; with other rollouts, it ends
    at the first node where no legal action has an edge. The descent also ends if the game is over, if the
    path has `MAX_DEPTH` edges, or if the tree has no room for the missing edges of a node.

    Return the length of the path, and whether the values of the position are already in ``scratch.values``.
    """
    node, depth = ROOT, 0
    while not state.over and depth < MAX_DEPTH:
        number = legal_actions.write_legal(state, scratch.actions)
        missing = find_edges(node, number, tree, scratch)
        if missing > 0:
            if tree.counts[ADDED] + missing > len(tree.used):
                return depth, False
            add_missing(node, number, settings, weights, tree, scratch)
            if missing == number and settings.rollout != RANDOM:
                return depth, True
        choice = place_in(scratch.actions, number, settings.root_action) if node == ROOT else -1
        if choice < 0:
            choice = select(tree.edges, scratch.places, number, settings.prior_weight, settings.exploration)
        action, place = scratch.actions[choice], scratch.places[choice]
        scratch.path[depth], scratch.path_seats[depth] = place, state.to_play
        depth += 1
        label = seen_action(state, action, seat)
        step(state, action)
        if settings.rollout == RANDOM and tree.edges[place].visits == 0:
            return depth, False
        node = child_node(node, label, state, seat)
    return depth, False


@kernel
def add_missing(node: Any, number: int, settings: Any, weights: Any, tree: Any, scratch: Any) -> None:
    """Add the edges of `node` that `find_edges` did not find.

    Also writes the values of one added edge, the best one for the seat to play, into ``scratch.values``; with
    random rollouts, these values have no meaning.
    """
    to_play = int(scratch.line[0].to_play)
    scratch.values[to_play] = -np.inf
    for choice in range(number):
        if tree.edges[scratch.places[choice]].key == 0:
            value_action(scratch.actions[choice], to_play, settings, weights, scratch)
            keep_better(scratch.prior, scratch.values, to_play)
            key = edge_key(node, scratch.actions[choice])
            # the entry from `find_edges` may now hold an edge added in this loop
            place = place_of(tree.edges, key)
            add_edge(tree.edges, place, key, scratch.prior[to_play])
            scratch.places[choice] = place
            tree.used[tree.counts[ADDED]] = place
            tree.counts[ADDED] += 1


@kernel
def value_action(action: int, to_play: int, settings: Any, weights: Any, scratch: Any) -> None:
    """Write the values of an action for every seat into ``scratch.prior``.

    Greedy and planner rollouts play to the end of the turn, and the values are those of the position reached.
    With random rollouts, only a value of 0 for the seat to play is written.
    """
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
            line, scratch.tried, to_play, settings.objective, weights, scratch.candidate, scratch.prior
        )


@kernel
def learn(tree: Any, depth: int, seats: int, scratch: Any) -> None:
    """Add the values of a simulation to the tree's totals and to the edges on the path."""
    tree.counts[MADE] += 1
    for seat in range(seats):
        tree.totals[seat] += scratch.values[seat]
    for ply in range(depth):
        edge = tree.edges[scratch.path[ply]]
        edge.visits += 1
        edge.total += scratch.values[scratch.path_seats[ply]]
