"""A bot that searches: information-set Monte Carlo tree search, see `ismcts.py`."""

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.estimates import CHANCE, SHARE
from pocketmars_agents.bots.per_game import PerGame
from pocketmars_agents.bots.tree_searcher import TreeSearcher
from pocketmars_agents.search import arrays
from pocketmars_agents.search.arrays import Edges
from pocketmars_agents.search.evaluations import compile_for, evaluation_of, search_module
from pocketmars_agents.search.ismcts import GREEDY, PLANNER, RANDOM
from pocketmars_agents.search.objectives import SCORE, WIN
from pocketmars_agents.search.search_settings import (
    Budget,
    check_exploration,
    check_one_of,
    read_number,
    settings_of,
)
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec

ROLLOUTS = {"planner": PLANNER, "greedy": GREEDY, "random": RANDOM}
OBJECTIVES = {"win": WIN, "score": SCORE}

ACCEPTED_NAMES = (
    "'ismcts', 'ismcts:1000' (simulations) or 'ismcts:0.5s' (seconds for each answer), with any of "
    f"':rollout={'|'.join(ROLLOUTS)}', ':objective={'|'.join(OBJECTIVES)}' and ':exploration=0.1' behind it"
)

SIMULATIONS = 1_000
EXPLORATION = {"planner": 0.05, "greedy": 0.05, "random": 0.5}
"""By rollout: its values are the less spread, the better it knows the game."""
TRUST = {"planner": 1.0, "greedy": 1.0, "random": 0.0}
"""By rollout: as how many simulations an estimate one ply ahead counts."""

CHUNK = 10_000
"""Simulations in one call of the kernel, which Ctrl-C does not interrupt."""
CHUNK_SECONDS = 0.001
"""How long a search with a time limit runs between two looks at the clock."""


class IsmctsAgent(TreeSearcher):
    """Searches with the values of a rollout.

    Args:
        simulations: how many for each answer, in 1..10,000,000; by default 1,000.
        seconds: how long for each answer, in place of `simulations`; above 0, up to 3,600.
        rollout: how a new position is valued: ``"planner"`` searches the rest of the turn and estimates
            the position there; ``"greedy"`` takes default answers to there; ``"random"`` plays random
            actions to the end of the game.
        objective: ``"win"`` (and among equal chances more points), or ``"score"``: as many points
            above the others' as possible.
        exploration: the weight of what has seldom been tried, 0 or more, up to 100; by default 0.05,
            with random rollouts 0.5.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        rollout: str = "planner",
        objective: str = "win",
        exploration: float | None = None,
    ) -> None:
        name = self.name_of(simulations, seconds, rollout, objective, exploration)
        super().__init__(name, Budget.of(simulations, seconds, SIMULATIONS))
        weight = EXPLORATION[rollout] if exploration is None else float(exploration)
        self.settings = arrays.Settings(
            ROLLOUTS[rollout], OBJECTIVES[objective], weight, TRUST[rollout], False
        )
        self.kind = CHANCE if objective == "win" else SHARE
        self._scratch = PerGame(arrays.new_scratch)

    @staticmethod
    def name_of(
        simulations: int | None = None,
        seconds: float | None = None,
        rollout: str = "planner",
        objective: str = "win",
        exploration: float | None = None,
    ) -> str:
        """The name of the agent with these settings; raises as the class."""
        check_one_of("rollout", rollout, ROLLOUTS)
        check_one_of("objective", objective, OBJECTIVES)
        budget = Budget.of(simulations, seconds, SIMULATIONS)
        weight = check_exploration(EXPLORATION[rollout] if exploration is None else exploration)
        options = {"rollout": (rollout, "planner"), "objective": (objective, "win")}
        options["exploration"] = (f"{weight:g}", f"{EXPLORATION[rollout]:g}")
        changed = [f"{key}={value}" for key, (value, default) in options.items() if value != default]
        return ":".join(["ismcts", str(budget), *changed])

    @staticmethod
    def settings_of(name: str) -> dict[str, Any]:
        """The settings that a name gives."""
        options: dict[str, Callable[[str], Any]] = {
            "rollout": str,
            "objective": str,
            "exploration": read_number,
        }
        return settings_of(name, "ismcts", options, ACCEPTED_NAMES)

    @classmethod
    def from_name(cls, name: str) -> "IsmctsAgent":
        """The agent of a name such as ``"ismcts:1000"`` or ``"ismcts:0.5s:objective=score"``.

        Raises:
            ValueError: names what is accepted.

        """
        return cls(**cls.settings_of(name))

    def ensure_ready(self, spec: GameSpec) -> None:
        """Compile the search for a game unless that has been done; says so when it takes long."""
        ensure_compiled(spec)

    def _simulate(self, spec: GameSpec, states: States, seat: int, seed: np.uint64, is_open: bool) -> None:
        settings, weights = self.settings._replace(is_open=is_open), evaluation_of(spec).weights_of(states)
        rest = settings, weights, self._tree.of(spec), self._scratch.of(spec)
        ismcts = search_module("ismcts", spec)
        if self.budget.simulations is not None:
            for made in range(0, self.budget.simulations, CHUNK):
                ismcts.simulate(states, seat, seed, min(CHUNK, self.budget.simulations - made), *rest)
            return
        now = time.perf_counter()
        end = now + (self.budget.seconds or 0.0)
        portion = 1
        while True:
            ismcts.simulate(states, seat, seed, portion, *rest)
            before, now = now, time.perf_counter()
            left = end - now
            if left <= 0.0:
                return
            rate = portion / max(now - before, 1e-9)
            portion = max(1, min(4 * portion, int(rate * min(CHUNK_SECONDS, left))))

    def _values_of(self, edges: Edges) -> NDArray[np.float64]:
        """The means of the simulations, the priors counting as `TRUST` says."""
        weights = self.settings.trust + edges["visits"]
        totals = self.settings.trust * edges["prior"] + edges["total"]
        values: NDArray[np.float64] = totals / np.where(weights > 0.0, weights, 1.0)
        return values


@functools.cache
def ensure_compiled(spec: GameSpec) -> None:
    """Compile the search for a game unless that has been done; says so when it takes long."""
    compile_for(spec, lambda: warm_up(spec), "search")


def warm_up(spec: GameSpec) -> None:
    """Make one search, in a game of its own."""
    game = spec.game(seed=0)
    states, seat = game.view().states, game.asked or 0
    agent = IsmctsAgent(simulations=1)
    agent._explore(spec, states, seat, np.uint64(0), False)
    agent._principal_line(spec, states, seat, np.uint64(0), False)
