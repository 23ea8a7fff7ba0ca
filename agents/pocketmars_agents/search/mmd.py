"""Kernels of a policy-based search: rollouts of a policy from each candidate action at the root.

The policy is improved in the current position, without a tree: each candidate action is played in sampled
determinizations, the *policy itself* plays on for some decisions, and the network estimates the value of the
final position. The search then takes one regularized step from the policy toward the actions with higher
values (magnetic mirror descent: Sokota et al., "The Update Equivalence Framework for Decision-Time Planning",
ICLR 2024). A tree over determinizations would choose different actions in positions that the seat cannot
distinguish (strategy fusion); a policy cannot.

The n-th rollouts of all candidates use the same determinization and the same random numbers, so that no
action is preferred because of a more favorable deal. The results are stored as edges at the root of a `Tree`:
prior (probability), visits (rollouts) and total (sum of the values for the searching seat).

`networks` has one network for the players, one for the automaton's seat, and one that can play all seats
except that of the searching seat (`against`); then the search responds to this policy. Arguments as in
`puct.py`.
"""

from typing import Any

import numpy as np

from pocketmars_agents.network.mlp import Activations, CompactMlp, evaluate
from pocketmars_agents.search.arrays import MADE, Leaves, MmdSettings, PuctScratch, Tree
from pocketmars_agents.search.evaluation_kernels import Weights
from pocketmars_agents.search.objectives import WIN
from pocketmars_agents.search.puct import (
    add_legal_actions,
    write_estimated_win_shares,
    write_probabilities,
    write_win_shares,
)
from pocketmars_agents.search.rollouts import write_final_values
from pocketmars_agents.search.search_tree import ROOT, edge_key, place_of, write_determinization
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import is_automaton, number_of_seats, step, write_observation
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States

WORD = 2.0**-32


# --- entry points for networks in kernels ---------------------------------------------------------


@entry_point
def write_root(
    states: States,
    networks: tuple[CompactMlp, CompactMlp, CompactMlp],
    buffers: tuple[Activations, Activations, Activations],
    tree: Tree,
    leaves: Leaves,
    scratch: PuctScratch,
) -> None:
    """Add an edge with the policy's probability for each legal action at the root."""
    state = states[0]
    observe_row(state, 0, leaves)
    index = 1 if is_automaton(state, state.to_play) else 0
    evaluate(
        leaves.observations[0], leaves.masks[0], int(state.to_play), False, networks[index], buffers[index]
    )
    add_legal_actions(state, ROOT, buffers[index].logits, 1.0, tree, scratch)


@entry_point
def roll_out(
    states: States,
    seat: int,
    seed: np.uint64,
    rounds: int,
    actions: Vector[np.int64],
    settings: MmdSettings,
    weights: Weights,
    networks: tuple[CompactMlp, CompactMlp, CompactMlp],
    buffers: tuple[Activations, Activations, Activations],
    tree: Tree,
    leaves: Leaves,
    scratch: PuctScratch,
) -> None:
    """Play `rounds` rollouts from each of `actions`, which have equal numbers of rollouts so far."""
    observation, mask = leaves.observations[0], leaves.masks[0]
    for _ in range(rounds):
        sample = tree.edges[place_of(tree.edges, edge_key(ROOT, actions[0]))].visits
        for action in actions:
            start(states, 0, seat, seed, sample, action, leaves, scratch)
            state, depth = leaves.states[0], 0
            while depth < settings.depth and not leaves.is_valued[0]:
                index, temperature = 1 if is_automaton(state, state.to_play) else 0, settings.temperature
                if settings.against_temperature > 0.0 and state.to_play != seat:
                    index, temperature = 2, settings.against_temperature
                buffer = buffers[index]
                evaluate(observation, mask, int(state.to_play), True, networks[index], buffer)
                play_on(0, depth, seed, sample, buffer.logits, temperature, leaves, scratch)
                depth += 1
            if not leaves.is_valued[0]:
                index = 1 if is_automaton(state, state.to_play) else 0
                buffer = buffers[index]
                reward = evaluate(observation, mask, int(state.to_play), False, networks[index], buffer)
                if len(buffer.opponent_win_split) > 0:
                    write_win_shares(state, reward, buffer.opponent_win_split, leaves.values[0])
                else:
                    write_estimated_win_shares(state, reward, weights, leaves.values[0])
            record(0, seat, action, tree, leaves)


# --- entry points for other networks, which evaluate many positions at once -----------------------


@entry_point
def observe_root(states: States, leaves: Leaves) -> None:
    """Write the observation and the mask of ``states[0]`` into the first row of `leaves`."""
    observe_row(states[0], 0, leaves)


@entry_point
def add_root(states: States, logits: Matrix[np.float32], tree: Tree, scratch: PuctScratch) -> None:
    """Add an edge for each legal action at the root, given the logits ``(1, NUM_ACTIONS)``."""
    add_legal_actions(states[0], ROOT, logits[0], 1.0, tree, scratch)


@entry_point
def start_rows(
    states: States,
    seat: int,
    seed: np.uint64,
    samples: Vector[np.int64],
    actions: Vector[np.int64],
    leaves: Leaves,
    scratch: PuctScratch,
) -> None:
    """Start a rollout in each row of `leaves`, with the given numbers of determinizations and actions."""
    for row in range(len(actions)):
        start(states, row, seat, seed, samples[row], actions[row], leaves, scratch)


@entry_point
def play_rows(
    depth: int,
    seed: np.uint64,
    samples: Vector[np.int64],
    logits: Matrix[np.float32],
    settings: MmdSettings,
    leaves: Leaves,
    scratch: PuctScratch,
) -> None:
    """Play an action of the policy in each row in which the game is not over."""
    for row in range(len(samples)):
        if not leaves.is_valued[row]:
            play_on(row, depth, seed, samples[row], logits[row], settings.temperature, leaves, scratch)


@entry_point
def record_rows(
    seat: int,
    actions: Vector[np.int64],
    rewards: Vector[np.float32],
    weights: Weights,
    tree: Tree,
    leaves: Leaves,
) -> None:
    """Record the rollouts, given the expected final reward of the seat to play in each row."""
    for row in range(len(actions)):
        if not leaves.is_valued[row]:
            write_estimated_win_shares(leaves.states[row], rewards[row], weights, leaves.values[row])
        record(row, seat, actions[row], tree, leaves)


# --- a rollout ------------------------------------------------------------------------------------


@kernel
def start(
    states: Any, row: int, seat: int, seed: Any, sample: int, action: int, leaves: Any, scratch: Any
) -> None:
    """Play `action` in the determinization number `sample`, in ``leaves.states[row]``."""
    write_determinization(states, leaves.states[row : row + 1], seat, chance.long_word(seed, 2 * sample))
    step(leaves.states[row], action)
    go_to_choice(row, leaves, scratch)


@kernel
def play_on(
    row: int, depth: int, seed: Any, sample: int, logits: Any, temperature: float, leaves: Any, scratch: Any
) -> None:
    """Play an action sampled from the policy."""
    state = leaves.states[row]
    number = legal_actions.write_legal(state, scratch.actions)
    write_probabilities(logits, number, temperature, scratch)
    left = chance.random_word(chance.long_word(seed, 2 * sample + 1), depth) * WORD
    choice = 0
    while choice < number - 1 and left >= scratch.probabilities[choice]:
        left -= scratch.probabilities[choice]
        choice += 1
    step(state, scratch.actions[choice])
    go_to_choice(row, leaves, scratch)


@kernel
def go_to_choice(row: int, leaves: Any, scratch: Any) -> None:
    """Play forced actions up to a choice, and observe it, or up to the end, and write its values."""
    state = leaves.states[row]
    while not state.over and legal_actions.write_legal(state, scratch.actions) == 1:
        step(state, scratch.actions[0])
    leaves.is_valued[row] = state.over
    if state.over:
        write_final_values(state, WIN, leaves.values[row])
    else:
        observe_row(state, row, leaves)


@kernel
def observe_row(state: Any, row: int, leaves: Any) -> None:
    write_observation(state, state.to_play, leaves.observations[row])
    legal_actions.write_mask(state, leaves.masks[row])


@kernel
def record(row: int, seat: int, action: int, tree: Any, leaves: Any) -> None:
    """Add the values of a rollout to the action's edge and to the totals."""
    values = leaves.values[row]
    tree.counts[MADE] += 1
    for other in range(number_of_seats(leaves.states[row])):
        tree.totals[other] += values[other]
    edge = tree.edges[place_of(tree.edges, edge_key(ROOT, action))]
    edge.visits += 1
    edge.total += values[seat]
