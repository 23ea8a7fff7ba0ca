"""Devious Automatics' own choices, as an agent for the seat that makes them."""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.policy_agent import check_game
from pocketmars_env import Game, View, Views
from pocketmars_env.core.compiled.card_sets import has
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.core.precompile import compile_all
from pocketmars_env.games.pocket_mars.rules.actions import BUILDING, SHIFT
from pocketmars_env.games.pocket_mars.rules.automaton import (
    NUM_SHIFTS,
    WORST,
    choices_da_upgrade,
    value_of_first_upgrade,
    value_of_second_upgrade,
    value_of_settling,
)
from pocketmars_env.games.pocket_mars.rules.constants import NUM_BUILDINGS, Decision
from pocketmars_env.games.pocket_mars.spec import SPEC

ITS_DECISIONS = (Decision.DA_UPGRADE, Decision.DA_SETTLE)


class AutomatonAgent:
    """Answers in a solo game with ``da_agent=True`` as Devious Automatics does without.

    It uses no chance. What is asked of it are the decisions DA_UPGRADE and DA_SETTLE of seat 1; any other
    question is an error.
    """

    name = "automaton"

    def act(self, view: View, rng: np.random.Generator) -> int:
        """The automaton's choice.

        Raises:
            ValueError: if the seat is not asked, or is not that of Devious Automatics.

        """
        views = view.as_batch()
        return int(self.act_batch(views, np.zeros(1, dtype=np.uint64))[0])

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The automaton's choice for every view; see `BatchAgent`.

        Raises:
            ValueError: as `act`.

        """
        check_game(self.name, SPEC, views.spec)
        states = views.states
        is_its = (states["to_play"] == views.seats) & np.isin(states["decision"], ITS_DECISIONS)
        if not is_its.all():
            seat = int(views.seats[is_its.argmin()])
            raise ValueError(
                "automaton makes the choices of Devious Automatics alone (seat 1 of a solo game with "
                f"da_agent=True); seat {seat} is not asked for one"
            )
        ensure_compiled()
        actions = np.empty(len(views), dtype=np.int64)
        automaton_choices(copy_states(states), actions)
        return actions


@functools.cache
def ensure_compiled() -> None:
    """Compile the automaton's choices unless that has been done; says so when it takes long."""
    compile_all(precompile, "automaton", SPEC.title, seconds=3)


def precompile() -> None:
    """Ask for a choice in a game of its own, whatever is asked there."""
    states = Game(mode="solo", da_agent=True, seed=0).view().states
    automaton_choices(states, np.empty(1, dtype=np.int64))


@entry_point
def automaton_choices(states: Any, actions: Any) -> None:
    """Write the answer to the question of each of `states`, which are overwritten, into `actions`."""
    for k in range(len(states)):
        if states[k].decision == Decision.DA_SETTLE:
            actions[k] = BUILDING + best_settlement(states[k])
        else:
            actions[k] = SHIFT + best_upgrade(states[k])


@kernel
def best_settlement(state: Any) -> int:
    """The Building in which the automaton would settle."""
    best, best_value = 0, WORST
    for building in range(NUM_BUILDINGS):
        value = value_of_settling(state, building)
        if value > best_value:
            best, best_value = building, value
    return best


@kernel
def best_upgrade(state: Any) -> int:
    """The shift that the automaton would do: ``state.left`` says whether another one follows."""
    best, best_value = 0, WORST
    possible = choices_da_upgrade(state)
    for option in range(NUM_SHIFTS):
        if has(possible, option):
            is_last = state.left == 0
            value = (
                value_of_second_upgrade(state, option) if is_last else value_of_first_upgrade(state, option)
            )
            if value > best_value:
                best, best_value = option, value
    return best
