"""A bot that searches: information-set Monte Carlo tree search, see `ismcts.py`."""

import functools
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import ismcts
from agents.look_ahead_weights import CARD_WEIGHTS, MODULE_WEIGHTS, POSITION_WEIGHTS
from agents.rollouts import SCORE, WIN
from agents.search_tree import ROOT, Edges, new_edges
from pocketmars_env import Game, View, Views
from pocketmars_env.engine import batch
from pocketmars_env.engine.actions import NUM_ACTIONS
from pocketmars_env.engine.compiling import compile_all
from pocketmars_env.engine.state import States, copy_states

ROLLOUTS = {"planner": ismcts.PLANNER, "greedy": ismcts.GREEDY, "random": ismcts.RANDOM}
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

MAX_SIMULATIONS = 10_000_000
MAX_SECONDS = 3_600.0
EDGES_PER_SIMULATION = 16
SIMULATIONS_PER_SECOND = 250_000
MAX_EDGES = 1 << 21
"""A tree with so many edges (some 150 MB) stops growing; the search goes on."""
CHUNK = 10_000
"""Simulations in one call of the kernel, which Ctrl-C does not interrupt."""
CHUNK_SECONDS = 0.001
"""How long a search with a time limit runs between two looks at the clock."""
LONGEST_LINE = 32


@dataclass(frozen=True)
class SearchResult:
    """What a search has found.

    Attributes:
        actions: ``(n,)`` int64: the legal actions, ascending.
        visits: ``(n,)`` int64: simulations that began with each.
        values: ``(n,)`` float64: what each is worth to the searching seat, on average of those; for
            the objective "win" nearly the chance to win.
        priors: ``(n,)`` float64: what each was worth at the end of the turn in the first world; zeros
            with the rollout "random".
        seat_values: ``(seats,)`` float64: what the position is worth to every seat, on average of all
            simulations; they sum to 1. NaN without simulations.
        simulations: how many were made; 0 if there was but one legal action.
        line: the most visited answers, from the searching seat's on, in the first sampled world.

    """

    actions: NDArray[np.int64]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    priors: NDArray[np.float64]
    seat_values: NDArray[np.float64]
    simulations: int
    line: tuple[int, ...]

    @property
    def best(self) -> int:
        """The answer: the action with most visits; of those the one worth most; of those the lowest."""
        return most_visited(self.actions, self.visits, self.values)


def most_visited(actions: NDArray[np.int64], visits: NDArray[np.int64], values: NDArray[np.float64]) -> int:
    return int(actions[np.lexsort((-values, -visits))[0]])


class IsmctsAgent:
    """Searches the same number of simulations, or the same time, for every answer.

    With a number of simulations an answer depends on the view and the random stream alone. With a
    number of seconds it also depends on how fast the machine is just then: such runs cannot be repeated.

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
        check_one_of("rollout", rollout, ROLLOUTS)
        check_one_of("objective", objective, OBJECTIVES)
        if simulations is not None and seconds is not None:
            raise ValueError("a search is limited by simulations or by seconds, not by both")
        if seconds is None and simulations is None:
            simulations = SIMULATIONS
        weight = EXPLORATION[rollout] if exploration is None else exploration
        self.simulations = None if simulations is None else check_simulations(simulations)
        self.seconds = None if seconds is None else check_seconds(seconds)
        self.settings = ismcts.Settings(
            ROLLOUTS[rollout], OBJECTIVES[objective], check_exploration(weight), TRUST[rollout], False
        )
        options = {"rollout": (rollout, "planner"), "objective": (objective, "win")}
        options["exploration"] = (f"{weight:g}", f"{EXPLORATION[rollout]:g}")
        changed = [f"{key}={value}" for key, (value, default) in options.items() if value != default]
        budget = f"{self.seconds:g}s" if self.simulations is None else str(self.simulations)
        self.name = ":".join(["ismcts", budget, *changed])
        self._tree = ismcts.new_tree(edges_for(self.simulations, self.seconds))
        self._scratch = ismcts.new_scratch()

    @classmethod
    def from_name(cls, name: str) -> "IsmctsAgent":
        """The agent of a name such as ``"ismcts:1000"`` or ``"ismcts:0.5s:objective=score"``.

        Raises:
            ValueError: names what is accepted.

        """
        return cls(**settings_of(name))

    def act(self, view: View[Game], rng: np.random.Generator) -> int:
        """The best action.

        Raises:
            ValueError: if the seat is not asked.

        """
        check_asked(view)
        views = Views(view.states, np.zeros(1, dtype=np.int64), np.array([view.seat]))
        return int(self.act_batch(views, rng.integers(0, 2**64, size=1, dtype=np.uint64))[0])

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The best action for every view; see `BatchAgent`. A time limit holds for each of them."""
        ensure_compiled()
        answers = np.empty(len(views), dtype=np.int64)
        for k in range(len(views)):
            actions = self._explore(views.states[k : k + 1], int(views.seats[k]), seeds[k], self.settings)
            answers[k] = most_visited(*self._root(actions))
        return answers

    def search(self, view: View[Game], rng: np.random.Generator) -> SearchResult:
        """Search as `act` does, and tell everything that was found: for analysis and hints.

        Raises:
            ValueError: if the seat is not asked.

        """
        check_asked(view)
        return self.search_states(view.states, view.seat, rng.integers(0, 2**64, dtype=np.uint64))

    def search_states(
        self, states: States, seat: int, seed: np.uint64, is_open: bool = False
    ) -> SearchResult:
        """Search from the one state in `states`, which puts a question to `seat`.

        Args:
            states: ``(1,)`` `STATE`; of a view, unless the search is open.
            seat: the searching seat.
            seed: uint64, decides all simulations.
            is_open: whether the searcher sees all cards; for `full_information.py` alone.

        """
        ensure_compiled()
        settings = self.settings._replace(is_open=is_open)
        actions = self._explore(states, seat, seed, settings)
        _, visits, values = self._root(actions)
        made = int(self._tree.counts[ismcts.MADE])
        seats = 2 if states["solo"][0] else int(states["players"][0])
        return SearchResult(
            actions=actions,
            visits=visits,
            values=values,
            priors=np.array(self._edges_of(ROOT, actions)["prior"]),
            seat_values=self._tree.totals[:seats] / made if made else np.full(seats, np.nan),
            simulations=made,
            line=self._principal_line(states, seat, seed, settings) if made else (int(actions[0]),),
        )

    def _explore(
        self, states: States, seat: int, seed: np.uint64, settings: ismcts.Settings
    ) -> NDArray[np.int64]:
        """Grow a new tree, unless there is only one answer; returns the legal actions, ascending."""
        ismcts.clear_tree(self._tree)
        legal = np.empty(NUM_ACTIONS, dtype=np.int64)
        actions = legal[: batch.legal_at(states, 0, legal)]
        if len(actions) > 1:
            self._simulate(states, seat, seed, settings)
        return actions

    def _simulate(self, states: States, seat: int, seed: np.uint64, settings: ismcts.Settings) -> None:
        """Make the simulations of one search."""
        mode = 0 if states["solo"][0] else 1
        weights = POSITION_WEIGHTS[mode], CARD_WEIGHTS[mode], MODULE_WEIGHTS[mode]
        rest = settings, weights, self._tree, self._scratch
        if self.simulations is not None:
            for made in range(0, self.simulations, CHUNK):
                ismcts.simulate(states, seat, seed, min(CHUNK, self.simulations - made), *rest)
            return
        now = time.perf_counter()
        end = now + (self.seconds or 0.0)
        number = 1
        while True:
            ismcts.simulate(states, seat, seed, number, *rest)
            before, now = now, time.perf_counter()
            left = end - now
            if left <= 0.0:
                return
            rate = number / max(now - before, 1e-9)
            number = max(1, min(4 * number, int(rate * min(CHUNK_SECONDS, left))))

    def _root(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """The actions, and the visits and mean values of the root's edges for them."""
        edges = self._edges_of(ROOT, actions)
        weights = self.settings.trust + edges["visits"]
        totals = self.settings.trust * edges["prior"] + edges["total"]
        values = totals / np.where(weights > 0.0, weights, 1.0)
        return actions, edges["visits"].astype(np.int64), values

    def _edges_of(self, node: np.uint64, actions: NDArray[np.int64]) -> Edges:
        """``(n,)`` `EDGE`: a node's edges; zeros where there is none."""
        edges = new_edges(len(actions))
        ismcts.read_node(node, actions, self._tree, edges)
        return edges

    def _principal_line(
        self, states: States, seat: int, seed: np.uint64, settings: ismcts.Settings
    ) -> tuple[int, ...]:
        """The most visited answers in the world of the first simulation."""
        world, line, node = copy_states(states), list[int](), ROOT
        ismcts.world_at(states, world, seat, seed, settings.is_open)
        legal = np.empty(NUM_ACTIONS, dtype=np.int64)
        while len(line) < LONGEST_LINE:
            actions = legal[: batch.legal_at(world, 0, legal)]
            visits = self._edges_of(node, actions)["visits"]
            if visits.sum() == 0:  # also at the end of the game
                break
            line.append(int(actions[visits.argmax()]))
            label = ismcts.label_at(world, line[-1], seat, settings.is_open)
            batch.step_at(world, 0, line[-1])
            node = np.uint64(ismcts.child_at(node, label, world, seat))
        return tuple(line)


def check_asked(view: View[Game]) -> None:
    if view.states["asked_seat"][0] != view.seat:
        raise ValueError(f"seat {view.seat} is not asked, so there is nothing to choose")


# --- settings -------------------------------------------------------------------------------------


def settings_of(name: str) -> dict[str, Any]:
    """The arguments of `IsmctsAgent` that a name stands for; the agent checks their values."""
    kind, *parts = name.split(":")
    if kind != "ismcts":
        raise ValueError(f"{name!r} is no search; accepted: {ACCEPTED_NAMES}")
    found: dict[str, Any] = {}
    for i, part in enumerate(parts):
        key, equals, value = part.partition("=")
        if i == 0 and not equals:
            key, value = "simulations", part
            if part.endswith("s"):
                key, value = "seconds", part[:-1]
        elif key not in ("rollout", "objective", "exploration"):
            raise ValueError(f"{part!r} in {name!r} is no setting of a search; accepted: {ACCEPTED_NAMES}")
        if key in found:
            raise ValueError(f"{name!r} says {key!r} twice; accepted: {ACCEPTED_NAMES}")
        found[key] = value if key in ("rollout", "objective") else number_in(name, key, value)
    return found


def number_in(name: str, key: str, digits: str) -> int | float:
    """A number in plain decimal digits: an integer for simulations."""
    is_plain = digits.isascii() and digits.replace(".", "", 0 if key == "simulations" else 1).isdigit()
    if not is_plain:
        raise ValueError(f"{key} in {name!r} must be a number, got {digits!r}; accepted: {ACCEPTED_NAMES}")
    return int(digits) if key == "simulations" else float(digits)


def check_one_of(what: str, value: str, known: dict[str, int]) -> None:
    if value not in known:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, known))}, got {value!r}")


def check_simulations(number: int) -> int:
    if type(number) is not int or not 1 <= number <= MAX_SIMULATIONS:
        raise ValueError(f"simulations must be an integer in 1..{MAX_SIMULATIONS}, got {number!r}")
    return number


def check_seconds(number: float) -> float:
    if type(number) not in (int, float) or not 0.0 < number <= MAX_SECONDS:
        raise ValueError(f"seconds must be a number above 0, up to {MAX_SECONDS:g}, got {number!r}")
    return float(number)


def check_exploration(number: float) -> float:
    if type(number) not in (int, float) or not 0.0 <= number <= 100.0:
        raise ValueError(f"exploration must be a number in 0..100, got {number!r}")
    return float(number)


def edges_for(simulations: int | None, seconds: float | None) -> int:
    """Room in the tree for a budget."""
    most = simulations if simulations is not None else int((seconds or 0.0) * SIMULATIONS_PER_SECOND)
    return min(MAX_EDGES, NUM_ACTIONS + EDGES_PER_SIMULATION * most)


# --- compiling ------------------------------------------------------------------------------------


@functools.cache
def ensure_compiled() -> None:
    """Compile the search unless that has been done; says so when it takes long."""
    compile_all(warm_up, "search")


def warm_up() -> None:
    """Make one search, in a game of its own."""
    game = Game(seed=0)
    states, seat = game.view().states, game.asked
    agent = IsmctsAgent(simulations=1)
    agent._principal_line(states, seat or 0, np.uint64(0), agent.settings)
    agent._explore(states, seat or 0, np.uint64(0), agent.settings)
