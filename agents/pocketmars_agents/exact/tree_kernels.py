"""Kernels on the tree of a small game; they are the same for all games.

Utilities are those of seat 0: 1 for a win, 0 for a draw and -1 for a loss. A node has a lower number than its
children. A *reach* is the probability that a seat's own choices lead to a node.
"""

from typing import NamedTuple

import numpy as np

from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.signatures import Matrix, Vector

LOSS = -1
"""The child of a last action that seat 0 loses; -2 stands for a draw and -3 for a win."""
FREE = -1


class Tree(NamedTuple):
    """The tree of a small game; a node is a decision, and an edge is an action."""

    edges: Vector[np.int32]  # (nodes + 1,) the first edge of each node
    children: Vector[np.int32]  # (edges,) the node after each edge, or its utility; see `LOSS`
    infosets: Vector[np.int32]  # (nodes,) the information set of each node
    seats: Vector[np.int8]  # (information sets,) the seat to play
    slots: Vector[np.int32]  # (information sets + 1,) the place of its first action in a strategy
    firsts: Vector[np.int32]  # (information sets,) the first node
    order: Vector[np.int32]  # (nodes,) the nodes in the order of their depth
    levels: Vector[np.int32]  # (depth + 1,) the place in `order` of the first node of each depth


@kernel
def value_at(child, values):
    """Return the utility of a node's child, which is in `values` unless the game is over."""
    return values[child] if child >= 0 else np.float64(LOSS - 1 - child)


# --- building ---------------------------------------------------------------------------------------


@entry_point
def find_infosets(
    keys: Matrix[np.uint64],
    edges: Vector[np.int32],
    table: Vector[np.int32],
    infosets: Vector[np.int32],
    firsts: Vector[np.int32],
) -> int:
    """Assign numbers to the information sets, in the order of their first nodes; return how many there are.

    Return -1 if two memories differ in one word only or have different numbers of actions: a collision of
    hashes. `table`, of the length of a power of two, is filled with `FREE`.
    """
    number, last = 0, len(table) - 1
    for node in range(len(keys)):
        place = np.int64(keys[node, 0] & np.uint64(last))
        while table[place] != FREE and keys[firsts[table[place]], 0] != keys[node, 0]:
            place = (place + 1) & last
        if table[place] == FREE:
            table[place] = number
            firsts[number] = node
            number += 1
        infoset = table[place]
        first = firsts[infoset]
        if keys[first, 1] != keys[node, 1]:
            return -1
        if edges[first + 1] - edges[first] != edges[node + 1] - edges[node]:
            return -1
        infosets[node] = infoset
    return number


@entry_point
def sort_by_depth(
    edges: Vector[np.int32],
    children: Vector[np.int32],
    depths: Vector[np.int32],
    order: Vector[np.int32],
    levels: Vector[np.int32],
) -> None:
    """Fill `order` and `levels` of a `Tree`; `depths`, ``(nodes,)``, contains zeros."""
    for node in range(len(depths)):
        levels[depths[node] + 1] += 1
        for edge in range(edges[node], edges[node + 1]):
            if children[edge] >= 0:
                depths[children[edge]] = depths[node] + 1
    for level in range(len(levels) - 1):
        levels[level + 1] += levels[level]
    for node in range(len(depths)):
        order[levels[depths[node]]] = node
        levels[depths[node]] += 1
    for level in range(len(levels) - 1, 0, -1):
        levels[level] = levels[level - 1]
    levels[0] = 0


# --- strategies -------------------------------------------------------------------------------------


@entry_point
def spread(tree: Tree, first: int, end: int, strategy: Vector[np.float64], reach: Matrix[np.float64]) -> None:
    """Write the reaches of both seats at all nodes of the deals with the nodes ``first..end - 1``.

    At the first node of a deal, `reach`, ``(nodes, 2)``, already is 1.
    """
    for node in range(first, end):
        infoset, edge = tree.infosets[node], tree.edges[node]
        seat, slot = tree.seats[infoset], tree.slots[infoset]
        for k in range(tree.edges[node + 1] - edge):
            child = tree.children[edge + k]
            if child >= 0:
                reach[child, seat] = reach[node, seat] * strategy[slot + k]
                reach[child, 1 - seat] = reach[node, 1 - seat]


@entry_point
def gather(
    tree: Tree,
    first: int,
    end: int,
    seat: int,
    strategy: Vector[np.float64],
    reach: Matrix[np.float64],
    values: Vector[np.float64],
    regrets: Vector[np.float64],
) -> None:
    """Write the utility of each node, and add the counterfactual regrets of `seat` (-1 for none)."""
    sign = 1.0 if seat == 0 else -1.0
    for node in range(end - 1, first - 1, -1):
        infoset, edge = tree.infosets[node], tree.edges[node]
        slot, number = tree.slots[infoset], tree.edges[node + 1] - edge
        total = 0.0
        for k in range(number):
            total += strategy[slot + k] * value_at(tree.children[edge + k], values)
        values[node] = total
        if tree.seats[infoset] == seat:
            weight = sign * reach[node, 1 - seat]
            for k in range(number):
                regrets[slot + k] += weight * (value_at(tree.children[edge + k], values) - total)


@entry_point
def foresee(tree: Tree, seat: int, strategy: Vector[np.float64], values: Vector[np.float64]) -> None:
    """Write the utility of each node if `seat` sees everything and plays a best response to `strategy`."""
    sign = 1.0 if seat == 0 else -1.0
    for node in range(len(values) - 1, -1, -1):
        infoset, edge = tree.infosets[node], tree.edges[node]
        slot, total, best = tree.slots[infoset], 0.0, -2.0
        for k in range(tree.edges[node + 1] - edge):
            value = value_at(tree.children[edge + k], values)
            total += strategy[slot + k] * value
            best = max(best, sign * value)
        values[node] = sign * best if tree.seats[infoset] == seat else total


@entry_point
def respond(
    tree: Tree,
    seat: int,
    strategy: Vector[np.float64],
    reach: Matrix[np.float64],
    gains: Vector[np.float64],
    choices: Vector[np.int32],
    values: Vector[np.float64],
) -> None:
    """Write a best response of `seat` into `choices`, ``(information sets,)``, and the nodes' utilities.

    A level's information sets depend only on deeper levels, because all nodes of an information set have the
    same depth. Of several best actions, the first one is chosen. `gains`, the size of a strategy, contains
    zeros, and `choices` contains `FREE`.
    """
    sign = 1.0 if seat == 0 else -1.0
    for level in range(len(tree.levels) - 2, -1, -1):
        for place in range(tree.levels[level], tree.levels[level + 1]):
            node = tree.order[place]
            infoset, edge = tree.infosets[node], tree.edges[node]
            slot, total = tree.slots[infoset], 0.0
            is_own = tree.seats[infoset] == seat
            for k in range(tree.edges[node + 1] - edge):
                value = value_at(tree.children[edge + k], values)
                if is_own:
                    gains[slot + k] += sign * reach[node, 1 - seat] * value
                else:
                    total += strategy[slot + k] * value
            values[node] = total
        for place in range(tree.levels[level], tree.levels[level + 1]):
            node = tree.order[place]
            infoset = tree.infosets[node]
            if tree.seats[infoset] != seat:
                continue
            slot = tree.slots[infoset]
            if choices[infoset] == FREE:
                best = 0
                for k in range(1, tree.slots[infoset + 1] - slot):
                    if gains[slot + k] > gains[slot + best]:
                        best = k
                choices[infoset] = best
            values[node] = value_at(tree.children[tree.edges[node] + choices[infoset]], values)


# --- counterfactual regret minimization -------------------------------------------------------------


@entry_point
def match_regrets(tree: Tree, seat: int, regrets: Vector[np.float64], strategy: Vector[np.float64]) -> None:
    """Make the seat's strategy proportional to its positive regrets; uniform if there are none."""
    for infoset in range(len(tree.seats)):
        if tree.seats[infoset] == seat:
            first, end = tree.slots[infoset], tree.slots[infoset + 1]
            total = 0.0
            for slot in range(first, end):
                total += max(0.0, regrets[slot])
            for slot in range(first, end):
                strategy[slot] = max(0.0, regrets[slot]) / total if total > 0 else 1.0 / (end - first)


@entry_point
def update_regrets(
    tree: Tree, seat: int, kept: float, least: float, new: Matrix[np.float64], regrets: Vector[np.float64]
) -> None:
    """Multiply the seat's regrets by `kept`, add the `new` ones of all threads, and raise them to `least`."""
    for infoset in range(len(tree.seats)):
        if tree.seats[infoset] == seat:
            for slot in range(tree.slots[infoset], tree.slots[infoset + 1]):
                total = kept * regrets[slot]
                for part in range(len(new)):
                    total += new[part, slot]
                    new[part, slot] = 0.0
                regrets[slot] = max(least, total)


@entry_point
def add_to_average(
    tree: Tree,
    seat: int,
    weight: float,
    strategy: Vector[np.float64],
    reach: Matrix[np.float64],
    sums: Vector[np.float64],
) -> None:
    """Add the seat's strategy, weighted by `weight` and its own reach, to the sums of the average."""
    for infoset in range(len(tree.seats)):
        if tree.seats[infoset] == seat:
            share = weight * reach[tree.firsts[infoset], seat]
            for slot in range(tree.slots[infoset], tree.slots[infoset + 1]):
                sums[slot] += share * strategy[slot]
