"""The arrays that searches work with: the tree, and room for one simulation or several."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.core.compiled.states import States, blank_records
from pocketmars_env.core.game_spec import GameSpec

MAX_DECISIONS = 16
"""Answers of the seat in one turn that are searched; after so many it takes the highest number."""
MAX_DEPTH = 256
"""Answers of one simulation that learn; a game is seldom longer."""

MADE, ADDED = 0, 1
"""Entries of `Tree.counts`."""

EDGE = np.dtype(
    [
        ("key", np.uint64),  # its number; 0 in a free place of the table
        ("total", np.float64),  # values of the simulations through it, for the seat that answers
        ("prior", np.float64),  # value one ply ahead, for the same seat; or how likely a network finds it
        ("visits", np.int32),  # simulations through it
        ("available", np.int32),  # simulations through its node in whose world it was legal
    ],
    align=True,
)

Edges = NDArray[Any]


def new_edges(places: int) -> Edges:
    """A table without edges; `places` is a power of two."""
    edges = np.zeros(places, dtype=EDGE)
    # In plain Python only a recarray's records have their fields as attributes.
    return edges if IS_COMPILED else edges.view(np.recarray)


# --- the tree -------------------------------------------------------------------------------------


class Tree(NamedTuple):
    """The tree of one search."""

    edges: Edges  # (a power of two,) EDGE
    used: NDArray[np.int64]  # (most edges,) the places taken in `edges`
    counts: NDArray[np.int64]  # (2,) simulations made, edges added
    totals: NDArray[np.float64]  # (MAX_SEATS,) every seat's values of the simulations


def new_tree(most_edges: int, max_seats: int) -> Tree:
    """An empty tree with room for so many edges."""
    places = 1 << (2 * most_edges - 1).bit_length()  # at least half of the places stay free
    used, counts = np.zeros(most_edges, dtype=np.int64), np.zeros(2, dtype=np.int64)
    return Tree(new_edges(places), used, counts, np.zeros(max_seats, dtype=np.float64))


# --- look-ahead -----------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line of play within a turn; overwritten."""

    states: States  # (MAX_DECISIONS + 1,) STATE: its positions
    tried: NDArray[np.int64]  # (MAX_DECISIONS + 1,) how many answers of each were tried


def new_line(spec: GameSpec) -> Line:
    """Room for one line of play."""
    return Line(blank_records(MAX_DECISIONS + 1, spec.state), np.zeros(MAX_DECISIONS + 1, dtype=np.int64))


# --- search with rollouts -------------------------------------------------------------------------


class Settings(NamedTuple):
    """How a search is done."""

    rollout: int  # RANDOM, GREEDY or PLANNER
    objective: int  # WIN or SCORE
    exploration: float  # the weight of what has seldom been tried
    prior_weight: float  # as how many simulations an edge's prior counts
    perfect_information: bool  # whether the searcher sees all cards


class Scratch(NamedTuple):
    """What a simulation works with; overwritten."""

    line: States  # (MAX_DECISIONS + 1,) STATE: the world, and a line of play from there
    tried: NDArray[np.int64]  # (MAX_DECISIONS + 1,) how many answers of each were tried
    actions: NDArray[np.int64]  # (NUM_ACTIONS,) the legal actions of a node
    places: NDArray[np.int64]  # (NUM_ACTIONS,) the places of their edges
    path: NDArray[np.int64]  # (MAX_DEPTH,) places of the edges that were followed
    path_seats: NDArray[np.int64]  # (MAX_DEPTH,) who answered there
    values: NDArray[np.float64]  # (MAX_SEATS,) of the simulation
    prior: NDArray[np.float64]  # (MAX_SEATS,) of an edge that is added
    trial: NDArray[np.float64]  # (MAX_SEATS,) of one line of play


def new_scratch(spec: GameSpec) -> Scratch:
    """Room for one simulation at a time."""
    line, number = new_line(spec), spec.num_actions
    actions, places = np.zeros((2, number), dtype=np.int64)
    path, path_seats = np.zeros((2, MAX_DEPTH), dtype=np.int64)
    values, prior, trial = np.zeros((3, spec.max_seats), dtype=np.float64)
    return Scratch(line.states, line.tried, actions, places, path, path_seats, values, prior, trial)


# --- search guided by a network -------------------------------------------------------------------


class PuctSettings(NamedTuple):
    """How a search is done."""

    exploration: float  # the weight of the network's probabilities
    temperature: float  # of those: above 1 they are more even
    perfect_information: bool  # whether the searcher sees all cards


class Leaves(NamedTuple):
    """Simulations that wait for the network, a row each."""

    worlds: States  # (most,) STATE: where they have come to
    nodes: NDArray[np.uint64]  # (most,) the new nodes there
    is_valued: NDArray[np.bool_]  # (most,) whether the values are known already: the game is over
    values: NDArray[np.float64]  # (most, MAX_SEATS) what the position is worth to every seat
    depths: NDArray[np.int64]  # (most,) the answers on the way that learn
    paths: NDArray[np.int64]  # (most, MAX_DEPTH) places of their edges
    path_seats: NDArray[np.int64]  # (most, MAX_DEPTH) who gave them
    observations: NDArray[np.float32]  # (most, OBSERVATION_SIZE) of the seats that are asked
    masks: NDArray[np.int8]  # (most, NUM_ACTIONS)


class PuctScratch(NamedTuple):
    """What a simulation works with; overwritten."""

    actions: NDArray[np.int64]  # (NUM_ACTIONS,) the legal actions of a node
    places: NDArray[np.int64]  # (NUM_ACTIONS,) the places of their edges
    probabilities: NDArray[np.float64]  # (NUM_ACTIONS,) how likely they are


def new_leaves(spec: GameSpec, most: int) -> Leaves:
    """Room for so many simulations."""
    return Leaves(
        worlds=blank_records(most, spec.state),
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
    """Room for one simulation at a time."""
    actions, places = np.zeros((2, spec.num_actions), dtype=np.int64)
    return PuctScratch(actions, places, np.zeros(spec.num_actions, dtype=np.float64))
