"""Algorithms on small games: they approach an equilibrium, and runs are reproducible and resumable."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from baselines import curves
from baselines.results import read_lines
from baselines.small import page as small_page
from baselines.small.__main__ import PAGE, RESULTS, app
from baselines.small.learning_game import Games
from baselines.small.page import BEGIN, END, ranking, tables, write_page
from baselines.small.psro import META_SOLVERS
from baselines.small.reservoir import Reservoir
from baselines.small.runs import ALGORITHMS, GAMES, Point, Run, points
from baselines.small.small_game import SmallGame
from baselines.small.vrpo import expected_sarsa
from pocketmars_agents.exact.strategies import strategy_of
from pocketmars_agents.registry import make_agent

ROOT = Path(__file__).parents[2]
GAME = "skirmish"
QUICK: dict[str, dict[str, Any]] = {
    "rnad": {"games": 32, "learning_rate": 3e-3},
    "psro": {"decisions_per_oracle": 8_000, "payoff_games": 20, "games": 128},
    "nfsp": {"decisions_per_gradient_step": 64},
    "deep_cfr": {"decisions_per_traversal": 2_000, "gradient_steps": 60},
}
"""Changes to the settings with which a few thousand decisions are enough."""


@pytest.fixture(scope="module")
def game() -> SmallGame:
    return SmallGame(GAME)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, changes in QUICK.items():
        module = importlib.import_module(f"baselines.small.{name}")
        monkeypatch.setattr(module, "SETTINGS", module.SETTINGS | changes)


def invented(**changes: Any) -> Run:
    """Create an invented result of a run."""
    curve = tuple(Point(10**k, float(k), 1.5 / (k + 1), 1.0) for k in range(4))
    return replace(Run("ppo", GAME, 1, 1_000_000, curve, "command", "abc", {"python": "3.11"}, {}), **changes)


# --- games ------------------------------------------------------------------------------------------


def test_games_on_the_tree_have_the_value_of_their_policy(game: SmallGame) -> None:
    network = game.network(game.num_actions, 16)
    policy = game.policy(network)
    games = game.play(policy, 20_000, np.random.default_rng(1))
    assert games.utilities[:, 0].mean() == pytest.approx(game.tree.value(game.strategy(policy)), abs=0.03)
    assert (games.utilities.sum(axis=1) == 0).all()
    assert (games.seats == game.seats[games.infosets]).all()


def test_the_observations_and_masks_are_those_of_agents(game: SmallGame) -> None:
    """The uniform policy on the masks is the strategy of the random bot."""
    masks = game.masks.numpy()
    strategy = game.strategy(lambda infosets, _: masks[infosets] / masks[infosets].sum(axis=1, keepdims=True))
    assert np.allclose(strategy, strategy_of(game.tree, make_agent("random")))
    assert ((game.observations >= 0) & (game.observations <= 1)).all()
    assert ((game.other_observations >= 0) & (game.other_observations <= 1)).all()


def three_decisions() -> Games:
    """One game in which seat 0 plays twice and seat 1 once; seat 0 wins."""
    column = np.array([0, 1, 0])
    return Games(
        steps=[slice(0, 1), slice(1, 2), slice(2, 3)],
        games=np.zeros(3, dtype=np.int64),
        nodes=np.arange(3),
        infosets=np.arange(3),
        seats=column,
        actions=np.zeros(3, dtype=np.int64),
        probabilities=np.full((3, 2), 0.5, dtype=np.float32),
        utilities=np.array([[1, -1]], dtype=np.float32),
    )


def test_advantages_follow_the_decisions_of_each_seat() -> None:
    games, values = three_decisions(), np.array([0.5, 0.25, 0.75], dtype=np.float32)
    assert games.advantages(values, 0.0).tolist() == [0.25, -1.25, 0.25]
    assert games.advantages(values, 1.0).tolist() == [0.5, -1.25, 0.25]
    rewards = np.array([0.0, 0.5, 0.0], dtype=np.float32)
    assert games.advantages(values, 1.0, rewards).tolist() == [0.0, -0.75, 0.25]
    assert games.next_decisions().tolist() == [2, -1, -1]


def test_expected_sarsa_averages_over_the_policy() -> None:
    values = np.array([[0.0, 1.0], [-1.0, 0.5], [0.0, 0.0]], dtype=np.float32)
    targets, advantages = expected_sarsa(three_decisions(), values, 0.0)
    assert targets.tolist() == [
        0.25,
        0.0,
        1.0,
    ]  # for the seat to play: minus the mean of seat 1, of seat 0, win
    assert advantages.tolist() == [-0.25, 0.25, 1.0]
    targets, _ = expected_sarsa(three_decisions(), values, 1.0)
    assert targets.tolist() == [0.25, -1.0, 1.0]


# --- parts of algorithms ----------------------------------------------------------------------------


def test_a_reservoir_keeps_a_uniform_sample() -> None:
    rng = np.random.default_rng(1)
    kept = np.zeros(100)
    for _ in range(400):
        reservoir = Reservoir(20, rng)
        for first in range(0, 100, 10):
            reservoir.add(np.arange(first, first + 10)[:, None])
        assert len(np.unique(reservoir.rows)) == 20
        kept[reservoir.rows.ravel()] += 1
    assert (abs(kept / 400 - 0.2) < 0.1).all()


@pytest.mark.parametrize("meta_solver", META_SOLVERS.values())
def test_meta_solvers_mix_rock_paper_scissors(meta_solver: Callable[[Any], Any]) -> None:
    payoffs = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=np.float64)
    assert meta_solver(payoffs) == pytest.approx(np.full(3, 1 / 3))
    assert meta_solver(np.array([[0.0, -1.0], [1.0, 0.0]])) == pytest.approx([0, 1])
    assert meta_solver(np.zeros((1, 1))) == pytest.approx([1])


def test_meta_solvers_differ_in_a_cycle_with_unequal_payoffs() -> None:
    payoffs = np.array([[0, -3, 1], [3, 0, -1], [-1, 1, 0]], dtype=np.float64)
    assert META_SOLVERS["nash"](payoffs) == pytest.approx([1 / 5, 1 / 5, 3 / 5])
    assert META_SOLVERS["alpha_rank"](payoffs) == pytest.approx(np.full(3, 1 / 3))


# --- runs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.usefixtures("quick")
def test_an_algorithm_approaches_an_equilibrium(game: SmallGame, name: str) -> None:
    algorithm = ALGORITHMS[name]
    module = importlib.import_module(f"baselines.small.{algorithm.module}")
    for decisions, strategy in module.train(game, 1, algorithm.settings()):
        if decisions == 0:
            assert game.tree.nash_conv(strategy()) == pytest.approx(
                game.tree.nash_conv(game.tree.uniform()), abs=0.05
            )
        if decisions >= 20_000:
            break
    assert game.tree.nash_conv(strategy()) < 1.3  # uniform: 1.48


@pytest.mark.usefixtures("quick")
def test_an_interrupted_series_of_runs_continues_with_equal_results(tmp_path: Path) -> None:
    words = ["--decisions", "6000", "--results"]
    series = {"whole": [["1", "2"]], "in_parts": [["1"], ["1", "2"]]}
    for name, parts in series.items():
        for seeds in parts:
            command = ["run", "ppo", GAME, *seeds, *words, str(tmp_path / name)]
            done = CliRunner().invoke(app, command, catch_exceptions=False)
            assert done.exit_code == 0
    assert f"ppo {GAME} seed 1: already done, {tmp_path / 'in_parts'}" in done.stdout

    def curves(name: str) -> list[tuple[Any, ...]]:
        return [
            (run.seed, *[(point.decisions, point.nash_conv, point.average) for point in run.curve])
            for run in read_lines(tmp_path / name, Run)
        ]

    assert [curve[0] for curve in curves("whole")] == [1, 2]
    assert curves("whole") == curves("in_parts")


def test_points_are_evenly_spaced_on_a_logarithmic_axis() -> None:
    assert points(1_000_000)[[0, 6, 12]].round().tolist() == [10_000, 100_000, 1_000_000]
    assert points(6_000).tolist() == [6_000]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["run", "sarsa", GAME], "algorithm must be one of ppo"),
        (["run", "ppo", "chess"], "game must be one of"),
        (["run", "ppo", GAME, "4096"], "seed must be in 0..4095, got 4096"),
        (["run", "cfr_plus", GAME, "2"], "cfr_plus does not depend on the seed, which must be 1, got 2"),
    ],
)
def test_wrong_arguments_are_explained(words: list[str], named: str) -> None:
    found = CliRunner().invoke(app, words)
    assert found.exit_code != 0
    assert named in found.output


# --- page -------------------------------------------------------------------------------------------


def test_the_table_ranks_algorithms_by_their_mean_rank() -> None:
    better = (Point(0, 0.0, 1.5, 1.5), Point(1_000_000, 9.0, 0.1, 0.2))
    results = [invented(game=game, seed=seed) for game in GAMES for seed in (1, 2)]
    results += [invented(algorithm="mmd", game=game, curve=better) for game in GAMES]
    lines = ranking(results).splitlines()
    assert lines[2].startswith("| MMD | 0.1000 (1 seed) |")
    assert lines[3].startswith("| PPO, low entropy | 0.375 [0.375, 0.375] (2 seeds) |")


def test_the_committed_page_shows_the_committed_results(tmp_path: Path) -> None:
    results = read_lines(ROOT / RESULTS, Run)
    assert results
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert tables(results) == page.partition(BEGIN)[2].partition(END)[0].strip()
    copy = tmp_path / "page.md"
    copy.write_text(page, encoding="utf-8")
    write_page(results, copy)
    assert copy.read_text(encoding="utf-8") == page
    assert all(run.algorithm in ALGORITHMS and run.last.decisions >= run.total for run in results)


def test_many_algorithms_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"algorithm {number}" for number in range(2 * len(curves.COLORS))]
    monkeypatch.setattr(small_page, "ALGORITHMS", dict.fromkeys(names, ALGORITHMS["mmd"]))
    assert "stroke-dasharray" in small_page.plot(
        [invented(algorithm=name, game="skirmish") for name in names]
    )
    assert len({str(curves.look(number)) for number in range(len(names))}) == len(names)
    curves.draw({"task": []}, dict(zip(names, names, strict=True)))
