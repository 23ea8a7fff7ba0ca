"""Compiled functions for setting up games, and for creating and restoring snapshots."""

import numpy as np

from pocketmars_env.core.compiled import legal_actions
from pocketmars_env.core.compiled.compiling import atomic_entry_point, entry_point
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.project_mars.rules import field, legality, scoring, setup, turns
from pocketmars_env.games.project_mars.rules.constants import LANES, SEATS, SLOTS


@entry_point
def clear_tables(states: States) -> None:
    """Reset the states of all games, but keep the settings, the deck lists and the decks."""
    for i in range(len(states)):
        setup.clear_table(states[i])


@atomic_entry_point
def set_up_at(states: States, i: int) -> None:
    """Draw the first hands of game `i` from the decks in its record, and advance to the first decision."""
    setup.set_up(states[i])
    turns.advance(states[i])


@atomic_entry_point
def list_legal_at(states: States, i: int) -> int:
    """Write the legal actions of game `i` into its record; return their number, or 0 if the game is over."""
    if states[i].over:
        return 0
    legality.list_legal_actions(states[i])
    return legal_actions.count_legal_actions(states[i])


@atomic_entry_point
def write_derived(
    states: States,
    i: int,
    power: Matrix[np.int64],
    works: Matrix[np.int64],
    tpr: Vector[np.int64],
    lanes: Vector[np.int64],
) -> None:
    """Write what follows from the state of game `i`: PWR and `field.works` of each slot, TPR, lane winners.

    The arrays have the shapes ``(SEATS, SLOTS)``, ``(SEATS, SLOTS)``, ``(SEATS,)`` and ``(LANES,)``.
    """
    state = states[i]
    for seat in range(SEATS):
        tpr[seat] = scoring.tpr(state, seat)
        for slot in range(SLOTS):
            power[seat, slot] = field.power(state, seat, slot)
            works[seat, slot] = field.works(state, seat, slot)
    for lane in range(LANES):
        lanes[lane] = scoring.lane_winner(state, lane)
