"""Strategies of bots and from files, and the command ``pocketmars exact``."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from pocketmars_agents.cli.command_line import app_of
from pocketmars_agents.exact.game_tree import GameTree, tree_of
from pocketmars_agents.exact.strategies import load, name_of, save, small_config, strategy_of
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.game import View, Views
from pocketmars_env.core.game_spec import GAMES, default_game
from tests.agents.exact.test_game_tree import SMALLEST

NAME = SMALLEST["project_mars"]


@pytest.fixture(scope="module")
def game() -> GameTree:
    return tree_of(small_config(NAME))


class First:
    """Agent that plays the first legal action."""

    name = "first"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return view.legal[0]


class Halves(First):
    """Agent whose probabilities are those of the first and the last legal action, one half each."""

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        probabilities = np.zeros(views.masks.shape, dtype=np.float32)
        for row, mask in zip(probabilities, views.masks):
            legal = np.flatnonzero(mask)
            row[legal[0]] += 0.5
            row[legal[-1]] += 0.5
        return probabilities


class Wrong(First):
    """Agent with an illegal probability."""

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        return (1 - views.masks).astype(np.float32)


def test_a_bot_plays_its_actions_or_its_probabilities(game: GameTree) -> None:
    firsts = game.tree.slots[:-1]
    strategy = strategy_of(game, First())
    assert strategy.sum() == game.num_infosets
    assert (strategy[firsts] == 1).all()
    halves = strategy_of(game, Halves())
    assert (halves[firsts] == 0.5).all()
    assert (halves[game.tree.slots[1:] - 1] == 0.5).all()
    assert (strategy_of(game, Halves(), play="actions") == strategy).all()
    with pytest.raises(ValueError, match="legal actions"):
        strategy_of(game, Wrong())


def test_samples_are_averaged_and_repeatable(game: GameTree) -> None:
    bot = make_agent("greedy:1")
    strategies = [strategy_of(game, bot, "actions", samples=4) for _ in range(2)]
    assert (strategies[0] == strategies[1]).all()
    assert np.isin(strategies[0] * 4, np.arange(5)).all()


def test_a_bot_is_asked_once_per_view(game: GameTree) -> None:
    seen = list[bytes]()

    class Recorder(First):
        def act(self, view: View, rng: np.random.Generator) -> int:
            seen.append(view.states.tobytes())
            return super().act(view, rng)

    strategy_of(game, Recorder())
    assert len(set(seen)) == len(seen) < game.num_infosets


def test_the_random_bot_is_uniform(game: GameTree) -> None:
    assert (strategy_of(game, make_agent("random")) == game.uniform()).all()


def test_a_strategy_is_stored_in_a_file(game: GameTree, tmp_path: Path) -> None:
    strategy = game.normalized(np.random.default_rng(1).random(game.num_slots))
    save(tmp_path / "strategy.npz", game, strategy)
    assert load(game, tmp_path / "strategy.npz") == pytest.approx(strategy, abs=1e-15)
    assert name_of(game) == f"project_mars {NAME}"
    with pytest.raises(ValueError, match="cannot read"):
        load(game, tmp_path / "missing.npz")
    other = tree_of(small_config(SMALLEST["pocket_mars"]))
    with pytest.raises(ValueError, match="is a strategy for project_mars"):
        load(other, tmp_path / "strategy.npz")


def test_the_command_prints_exact_values(game: GameTree, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app_of(default_game()), ["exact", *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    values = json.loads(run(NAME, "random", "--json"))
    assert values["NashConv"] == pytest.approx(game.nash_conv(game.uniform()))
    assert values["value of seat 0"] == pytest.approx(game.value(game.uniform()))
    out = str(tmp_path / "solved.npz")
    solved = run(NAME, "cfr+", "--nash-conv", "0.01", "--out", out)
    assert solved.splitlines()[-1] == run(NAME, out).splitlines()[-1]
    assert 0 <= float(solved.split()[-1]) <= 0.01


@pytest.mark.parametrize(
    ("policy", "options", "played"),
    [
        ("cfr+", ["--iterations", "2"], {"iterations": 2}),
        ("greedy:1", [], {"play": "probabilities"}),
        ("greedy:1", ["--play", "actions", "--samples", "3"], {"play": "actions", "samples": 3}),
        ("tests.agents.exact.test_strategies:First", [], {"play": "actions", "samples": 1}),
    ],
)
def test_the_command_says_what_was_played(policy: str, options: list[str], played: dict[str, object]) -> None:
    result = CliRunner().invoke(app_of(default_game()), ["exact", NAME, policy, *options, "--json"])
    values = json.loads(result.stdout)
    assert {name: values[name] for name in ("play", "samples", "iterations") if name in values} == played


@pytest.mark.parametrize(
    "arguments", [["huge", "random"], [NAME, "nobody"], [NAME, "random", "--play", "all"]]
)
def test_wrong_arguments_are_explained(arguments: list[str]) -> None:
    result = CliRunner().invoke(app_of(default_game()), ["exact", *arguments])
    assert result.exit_code == 2
    assert len(result.output.strip().splitlines()) == 1


def test_both_games_have_a_smallest_game() -> None:
    assert set(SMALLEST) == set(GAMES)
