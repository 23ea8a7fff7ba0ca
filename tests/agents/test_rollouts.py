"""Tests of the values that searches assign to positions, at the end of a turn and of a game."""

from typing import Any

import numpy as np
import pytest

from pocketmars_agents.search.evaluations import evaluation_of, search_module
from pocketmars_agents.search.objectives import SCORE, WIN
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from tests.third_game.pairs import SPEC as PAIRS

TABLES = [(POCKET_MARS, {"players": 3}), (POCKET_MARS, {"mode": "solo"}), (PAIRS, {"players": 4})]


def values_of(game: Game, objective: int) -> Any:
    """Return the value of a position for each seat, shape ``(seats,)``."""
    spec: GameSpec = game.spec
    values = np.zeros(spec.max_seats)
    weights = evaluation_of(spec).weights_of(game.states)
    search_module("rollouts", spec).write_values(game.states[0], objective, weights, values)
    return values[: game.seats]


@pytest.mark.parametrize("objective", [WIN, SCORE])
@pytest.mark.parametrize(("spec", "settings"), TABLES)
def test_values_of_all_seats_sum_to_1(spec: GameSpec, settings: dict[str, Any], objective: int) -> None:
    rollouts, rng = search_module("rollouts", spec), np.random.default_rng(0)
    for seed in range(3):
        game: Game = Game(spec, seed=seed, **settings)
        while not game.over:
            game.step(int(rng.choice(game.legal())))
            if game.over or rollouts.is_turn_over(game.states[0]):
                assert values_of(game, objective).sum() == pytest.approx(1)
        assert values_of(game, objective).argmax() in game.winners()


@pytest.mark.parametrize(("spec", "settings"), TABLES)
def test_random_play_ends_the_game_and_depends_on_its_seed_alone(
    spec: GameSpec, settings: dict[str, Any]
) -> None:
    rollouts, ends = search_module("rollouts", spec), []
    for seed in (1, 1, 2, 3, 4, 5):
        game: Game = Game(spec, seed=7, **settings)
        rollouts.play_randomly(game.states[0], np.uint64(seed))
        assert game.over
        ends.append(game.to_bytes())
    assert ends[0] == ends[1]
    assert len(set(ends)) > 1


@pytest.mark.parametrize(("spec", "settings"), TABLES)
def test_default_answers_lead_to_the_end_of_the_turn(spec: GameSpec, settings: dict[str, Any]) -> None:
    rollouts, rng = search_module("rollouts", spec), np.random.default_rng(3)
    game: Game = Game(spec, seed=4, **settings)
    while not game.over:
        game.step(int(rng.choice(game.legal())))
        by_hand = game.clone()
        while not rollouts.is_turn_over(by_hand.states[0]):
            by_hand.step(by_hand.legal()[-1])
        compiled = game.clone()
        rollouts.go_to_end_of_turn(compiled.states[0])
        assert compiled.to_bytes() == by_hand.to_bytes()
