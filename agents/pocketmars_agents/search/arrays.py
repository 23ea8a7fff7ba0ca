"""Data structures for search: trees, buffers and settings."""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States, blank_records
from pocketmars_env.core.game_spec import GameSpec

MAX_DECISIONS = 16
"""Maximum number of decisions that a look-ahead search considers for one seat in one turn.

In later decisions of the turn, default actions are played; see `look_ahead.py`.
"""
MAX_DEPTH = 256
"""Maximum number of edges on the path of a simulation.

At this depth, the descent ends and the position is evaluated.
"""

MADE, ADDED = 0, 1
"""Indices in `Tree.counts` of the number of finished simulations and the number of edges in the tree."""

ANY = -1
"""Value of `root_action` that allows all legal actions at the root."""

EDGE = np.dtype(
    [
        ("key", np.uint64),  # hash; 0 in a free entry of the table
        ("total", np.float64),  # sum of the simulations' values for the seat to play
        ("prior", np.float64),  # ISMCTS: value at the end of the turn for the seat to play; PUCT: probability
        ("visits", np.int32),  # number of simulations through the edge
        ("available", np.int32),  # number of visits to the edge's node in which its action was legal
    ],
    align=True,
)

Edges = Annotated[NDArray[Any], EDGE]


def new_edges(places: int) -> Edges:
    """Return `places` free entries for edges; for a hash table, `places` must be a power of two."""
    edges = np.zeros(places, dtype=EDGE)
    # without Numba, only a recarray gives access to fields as attributes
    return edges if IS_COMPILED else edges.view(np.recarray)


# --- the tree -------------------------------------------------------------------------------------


class Tree(NamedTuple):
    """Search tree, stored as a hash table of edges; see `search_tree.py`."""

    edges: Edges  # (a power of two,) EDGE
    used: Vector[np.int64]  # (maximum number of edges,) indices of the edges in the table
    counts: Vector[np.int64]  # (2,) number of finished simulations, number of edges
    totals: Vector[np.float64]  # (MAX_SEATS,) sum of the simulations' values for each seat


def new_tree(most_edges: int, max_seats: int) -> Tree:
    """Return an empty tree for up to `most_edges` edges."""
    places = 1 << (2 * most_edges - 1).bit_length()  # so the table is at most half full
    used, counts = np.zeros(most_edges, dtype=np.int64), np.zeros(2, dtype=np.int64)
    return Tree(new_edges(places), used, counts, np.zeros(max_seats, dtype=np.float64))


# --- look-ahead -----------------------------------------------------------------------------------


class Line(NamedTuple):
    """Buffers for one line of play in a look-ahead search."""

    states: States  # (MAX_DECISIONS + 3,) STATE: before each decision, at the end, and 2 for the replies
    tried: Vector[np.int64]  # (MAX_DECISIONS + 1,) number of actions tried in each state


def new_line(spec: GameSpec) -> Line:
    """Return the buffers for one line of play."""
    return Line(blank_records(MAX_DECISIONS + 3, spec.state), np.zeros(MAX_DECISIONS + 1, dtype=np.int64))


# --- search with rollouts -------------------------------------------------------------------------


class Settings(NamedTuple):
    """Settings of information-set MCTS with rollouts."""

    rollout: int  # RANDOM, GREEDY or PLANNER
    objective: int  # WIN or SCORE
    exploration: float  # weight of the exploration term
    prior_weight: float  # weight of the prior, as a number of simulations
    root_action: int = ANY  # the only action to search at the root, or ANY


class Scratch(NamedTuple):
    """Buffers for one simulation of information-set MCTS."""

    line: States  # (MAX_DECISIONS + 3,) STATE: the determinization and a line of play from it
    tried: Vector[np.int64]  # (MAX_DECISIONS + 1,) number of actions tried in each state
    actions: Vector[np.int64]  # (NUM_ACTIONS,) legal actions of a node
    places: Vector[np.int64]  # (NUM_ACTIONS,) indices of the edges for these actions
    path: Vector[np.int64]  # (MAX_DEPTH,) indices of the edges on the path
    path_seats: Vector[np.int64]  # (MAX_DEPTH,) seats that chose the edges on the path
    values: Vector[np.float64]  # (MAX_SEATS,) value of the simulation for each seat
    prior: Vector[np.float64]  # (MAX_SEATS,) value of a new edge for each seat
    candidate: Vector[np.float64]  # (MAX_SEATS,) value of one line of play for each seat


def new_scratch(spec: GameSpec) -> Scratch:
    """Return the buffers for one simulation of information-set MCTS."""
    line, number = new_line(spec), spec.num_actions
    actions, places = np.zeros((2, number), dtype=np.int64)
    path, path_seats = np.zeros((2, MAX_DEPTH), dtype=np.int64)
    values, prior, candidate = np.zeros((3, spec.max_seats), dtype=np.float64)
    return Scratch(line.states, line.tried, actions, places, path, path_seats, values, prior, candidate)


# --- PUCT search ----------------------------------------------------------------------------------


class PuctSettings(NamedTuple):
    """Settings of a PUCT search."""

    exploration: float  # weight of the exploration term
    temperature: float  # divisor of the logits
    root_action: int = ANY  # the only action to search at the root, or ANY


# --- policy-based search --------------------------------------------------------------------------


class MmdSettings(NamedTuple):
    """Settings of the rollouts of a policy-based search."""

    depth: int  # maximum number of decisions of the policy in a rollout
    temperature: float  # divisor of the logits
    against_temperature: float = 0.0  # divisor of the logits of `against`, or 0 without this policy


# --- positions to evaluate ------------------------------------------------------------------------


class Leaves(NamedTuple):
    """Leaf positions of up to `most` simulations (see `new_leaves`), one per row.

    The network evaluates the positions in which the game is not over.
    """

    states: States  # (most,) STATE: the leaf positions
    nodes: Vector[np.uint64]  # (most,) nodes of the positions
    is_valued: Vector[np.bool_]  # (most,) whether the game is over and the values are therefore known
    values: Matrix[np.float64]  # (most, MAX_SEATS) value for each seat
    depths: Vector[np.int64]  # (most,) lengths of the paths
    paths: Matrix[np.int64]  # (most, MAX_DEPTH) indices of the edges on the paths
    path_seats: Matrix[np.int64]  # (most, MAX_DEPTH) seats that chose the edges on the paths
    observations: Matrix[np.float32]  # (most, OBSERVATION_SIZE) observations of the seats to play
    masks: Matrix[np.int8]  # (most, NUM_ACTIONS) action masks of the positions


class PuctScratch(NamedTuple):
    """Buffers for one simulation of PUCT search."""

    actions: Vector[np.int64]  # (NUM_ACTIONS,) legal actions of a node
    places: Vector[np.int64]  # (NUM_ACTIONS,) indices of the edges for these actions
    probabilities: Vector[np.float64]  # (NUM_ACTIONS,) priors of the actions


def new_leaves(spec: GameSpec, most: int) -> Leaves:
    """Return buffers for the leaf positions of up to `most` simulations."""
    return Leaves(
        states=blank_records(most, spec.state),
        nodes=np.zeros(most, dtype=np.uint64),
        is_valued=np.zeros(most, dtype=np.bool_),
        values=np.zeros((most, spec.max_seats), dtype=np.float64),
        depths=np.zeros(most, dtype=np.int64),
        paths=np.zeros((most, MAX_DEPTH), dtype=np.int64),
        path_seats=np.zeros((most, MAX_DEPTH), dtype=np.int64),
        observations=np.zeros((most, spec.observation_size), dtype=np.float32),
        masks=np.zeros((most, spec.num_actions), dtype=np.int8),
    )


def new_puct_scratch(spec: GameSpec) -> PuctScratch:
    """Return the buffers for one simulation of PUCT search."""
    actions, places = np.zeros((2, spec.num_actions), dtype=np.int64)
    return PuctScratch(actions, places, np.zeros(spec.num_actions, dtype=np.float64))
