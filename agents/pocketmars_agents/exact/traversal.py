"""Kernels that play every line of a small game and write its tree; compiled separately for each game.

A *memory* is a hash of a seat's information state, as in `pocketmars_env.adapters.moments`: of the seat's own
actions and of its observations at all decisions so far, including those of the other seat. It consists of two
independent 64-bit words. A stack of positions holds the line that is being played.
"""

import numpy as np

from pocketmars_env.core.compiled import legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import (
    OBSERVATION_TYPE,
    new_game,
    step,
    winners,
    write_observation,
)
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States

FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
SHIFT = np.uint64(32)
NO_ACTION = 0
NODES, EDGES, DEPTH, STARTER = range(4)
"""The entries of `counts`: the numbers of decisions and of their actions, the most decisions in a line, and
the seat with the first decision after the setup."""


@kernel
def start_line(blank, deal, stack, tried):
    """Put the first position of a deal onto the stack."""
    stack[0] = blank[0]
    new_game(stack[0], np.uint64(deal))
    tried[0] = 0


@kernel
def play_on(stack, tried, depth):
    """Play the next action that has not been tried in the position at `depth`, onto `depth` + 1."""
    action = legal_actions.nth_legal_action(stack[depth], tried[depth])
    tried[depth] += 1
    stack[depth + 1] = stack[depth]
    step(stack[depth + 1], action)
    tried[depth + 1] = 0
    return action


@kernel
def is_tried(stack, tried, depth):
    """Return whether all actions in the position at `depth` have been tried."""
    return tried[depth] == legal_actions.count_legal_actions(stack[depth])


@entry_point
def count_deal(
    blank: States,
    deal: int,
    first_turn: int,
    most: int,
    stack: States,
    tried: Vector[np.int64],
    counts: Vector[np.int64],
) -> bool:
    """Write the size of a deal's tree into `counts`; return False if it has more than `most` edges.

    `first_turn` is the number of the first kind of decision after the setup.
    """
    start_line(blank, deal, stack, tried)
    counts[NODES], counts[EDGES], counts[DEPTH], counts[STARTER] = 0, 0, 0, -1
    depth = 0
    while depth >= 0:
        if tried[depth] == 0:
            counts[NODES] += 1
            counts[EDGES] += legal_actions.count_legal_actions(stack[depth])
            counts[DEPTH] = max(counts[DEPTH], depth + 1)
            if counts[STARTER] < 0 and stack[depth].decision == first_turn:
                counts[STARTER] = stack[depth].to_play
            if counts[EDGES] > most or depth + 2 == len(stack):
                return False
        if is_tried(stack, tried, depth):
            depth -= 1
        else:
            play_on(stack, tried, depth)
            if not stack[depth + 1].over:
                depth += 1
    return True


@entry_point
def write_deal(
    blank: States,
    deal: int,
    node: int,
    edge: int,
    stack: States,
    tried: Vector[np.int64],
    path: Vector[np.int64],
    memories: Matrix[np.uint64],
    observation: Vector[OBSERVATION_TYPE],
    words: Vector[np.uint64],
    edges: Vector[np.int32],
    children: Vector[np.int32],
    owners: Vector[np.int8],
    keys: Matrix[np.uint64],
) -> None:
    """Write the tree of a deal from the index `node` and the edge `edge` on.

    `path`, ``(depth,)``, and `memories`, ``(depth, 4)``, belong to the stack. `words` is the memory of
    `observation`. For the other arrays, see `GameTree`; `keys`, ``(nodes, 2)``, are the memories of the seats
    to play.
    """
    start_line(blank, deal, stack, tried)
    for seat in range(2):
        memories[0, 2 * seat], memories[0, 2 * seat + 1] = np.uint64(seat), np.uint64(seat)
    path[0] = -1
    depth, action = 0, NO_ACTION
    while depth >= 0:
        if tried[depth] == 0:
            path[depth] = node
            remember(stack, depth, action, memories, observation, words)
            seat = int(stack[depth].to_play)
            owners[node] = seat
            keys[node, 0], keys[node, 1] = memories[depth, 2 * seat], memories[depth, 2 * seat + 1]
            edges[node] = edge
            edge += legal_actions.count_legal_actions(stack[depth])
            node += 1
        if is_tried(stack, tried, depth):
            depth -= 1
        else:
            place = edges[path[depth]] + tried[depth]
            action = play_on(stack, tried, depth) + 1
            if stack[depth + 1].over:
                children[place] = terminal(winners(stack[depth + 1]))
            else:
                children[place] = node
                depth += 1


@kernel
def terminal(winning):
    """Return the child of the last action of a game: -1, -2 or -3 if seat 0 loses, draws or wins."""
    if winning == 1:
        return -3
    return -1 if winning == 2 else -2


@kernel
def remember(stack, depth, action, memories, observation, words):
    """Write the memories of both seats in the position at `depth`, after `action` (counted from 1)."""
    state = stack[depth]
    for seat in range(2):
        first, second = np.uint64(seat), np.uint64(seat)
        own = NO_ACTION
        if depth > 0:
            first, second = memories[depth - 1, 2 * seat], memories[depth - 1, 2 * seat + 1]
            if stack[depth - 1].to_play == seat:
                own = action
        first, second = absorb(first, own, 0), absorb(second, own, 1)
        write_observation(state, seat, observation)
        for place in range(len(words)):
            if words[place] != 0:
                word = words[place] + np.uint64(place) * FACTORS[1]
                first, second = absorb(first, word, 0), absorb(second, word, 1)
        if state.to_play == seat:
            for word in state.legal_actions:
                first, second = absorb(first, word, 0), absorb(second, word, 1)
        memories[depth, 2 * seat], memories[depth, 2 * seat + 1] = first, second


@kernel
def absorb(memory, word, which):
    """Return a hash of `memory` (uint64) and `word`; `which` selects one of two hashes."""
    memory = (memory ^ np.uint64(word)) * FACTORS[which] + FACTORS[1 - which]
    return memory ^ (memory >> SHIFT)


@entry_point
def write_states(
    blank: States,
    deal: int,
    node: int,
    stack: States,
    tried: Vector[np.int64],
    is_wanted: Vector[np.bool_],
    targets: States,
) -> int:
    """Write the positions of a deal's wanted nodes into `targets`, in order; return their number.

    `node` is the deal's first node.
    """
    start_line(blank, deal, stack, tried)
    depth, number = 0, 0
    while depth >= 0:
        if tried[depth] == 0:
            if is_wanted[node]:
                targets[number] = stack[depth]
                number += 1
            node += 1
        if is_tried(stack, tried, depth):
            depth -= 1
        else:
            play_on(stack, tried, depth)
            if not stack[depth + 1].over:
                depth += 1
    return number
