"""Agent that plays the seat of Devious Automatics (DA) with the automaton policy from the rules."""

import functools

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_agents.bots.policy_agent import check_game
from pocketmars_env import Views
from pocketmars_env.core.compiled.compiling import entry_point
from pocketmars_env.core.compiled.signatures import Vector
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.precompile import compile_all
from pocketmars_env.games.pocket_mars.rules.actions import BUILDING, SHIFT
from pocketmars_env.games.pocket_mars.rules.automaton import best_settlement, best_upgrade
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.spec import SPEC

ITS_DECISIONS = (Decision.DA_UPGRADE, Decision.DA_SETTLE)


class AutomatonAgent(BatchedAgent):
    """Agent that plays the DA's seat exactly like the automaton in the rules.

    The game must be a solo game with ``da_agent=True``. The agent is deterministic and accepts only the
    decisions DA_UPGRADE and DA_SETTLE of seat 1.
    """

    name, spec = "automaton", SPEC

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the automaton's action for every view; see `BatchAgent`."""
        check_game(self.name, self.spec, views.spec)
        states = views.states
        is_its = (states["to_play"] == views.seats) & np.isin(states["decision"], ITS_DECISIONS)
        if not is_its.all():
            seat = int(views.seats[is_its.argmin()])
            raise ValueError(
                "automaton plays only the DA's seat (seat 1 of a solo game with da_agent=True), and only on "
                f"its turn; got a view of seat {seat}"
            )
        self.prepare(SPEC)
        actions = np.empty(len(views), dtype=np.int64)
        automaton_choices(copy_states(states), actions)
        return actions

    def prepare(self, spec: GameSpec) -> None:
        compile_automaton()


@functools.cache
def compile_automaton() -> None:
    """Compile the kernel and print messages on stderr, unless the machine code is cached."""
    compile_all(SPEC.kernels, [automaton_choices], SPEC.title, "automaton", seconds=3)


@entry_point
def automaton_choices(states: States, actions: Vector[np.int64]) -> None:
    """Write the automaton's action for each state into `actions`; `states` is changed temporarily."""
    for k in range(len(states)):
        if states[k].decision == Decision.DA_SETTLE:
            actions[k] = BUILDING + best_settlement(states[k])
        else:
            is_last = states[k].left == 0  # `left` is 1 at the first of two choices
            actions[k] = SHIFT + best_upgrade(states[k], is_last)
