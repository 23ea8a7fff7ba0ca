"""The look-ahead against a plain one: every action, in every world, to the end of the turn."""

from collections.abc import Callable

import numpy as np
import pytest

from pocketmars_agents.bots.greedy_agent import GreedyAgent
from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent
from pocketmars_agents.bots.planner_agent import PlannerAgent
from pocketmars_agents.search.evaluations import evaluation_of, search_module
from pocketmars_env import Game
from pocketmars_env.core.compiled import chance
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.modes import MODES

LOOK_AHEAD = search_module("look_ahead", SPEC)
WORLDS = 3


def value(game: Game, seat: int) -> float:
    weights = evaluation_of(SPEC).weights_of(game._states)
    return float(LOOK_AHEAD.value(game._states[0], seat, weights))


def is_turn_over(game: Game) -> bool:
    return bool(LOOK_AHEAD.is_turn_over(game._states[0]))


def of_highest_answers(game: Game, seat: int) -> float:
    """The value if every further answer of the turn is the one with the highest number."""
    while not is_turn_over(game):
        game.step(game.legal()[-1])
    return value(game, seat)


def of_best_answers(game: Game, seat: int) -> float:
    """The value if the seat's further answers of the turn are the best."""
    while not is_turn_over(game) and game.to_play != seat:
        game.step(game.legal()[-1])
    if is_turn_over(game):
        return value(game, seat)
    return max(of_best_answers(after(game, action), seat) for action in game.legal())


def after(game: Game, action: int) -> Game:
    following = game.clone()
    following.step(action)
    return following


def plain_choice(game: Game, seed: int, value_of_turn: Callable[[Game, int], float]) -> int:
    """The best action; of equally good ones the lowest."""
    view, seat = game.view(), game.to_play or 0
    sums = dict.fromkeys(view.legal, 0.0)
    for world in range(WORLDS):
        states = blank_records(1, SPEC.state)
        word = np.uint64(chance.long_word(np.uint64(seed), world))
        SPEC.batch.determinize_at(view.states, 0, seat, word, True, states, 0)
        for action in sums:
            sums[action] += value_of_turn(after(Game._of(states), action), seat)
    return max(sums, key=lambda action: (sums[action], -action))


@pytest.mark.parametrize("mode", ["two", "three_draft", "solo_cyborg", "solo_da_agent"])
@pytest.mark.parametrize(
    ("bot", "value_of_turn"),
    [(GreedyAgent(WORLDS), of_highest_answers), (PlannerAgent(WORLDS), of_best_answers)],
)
def test_it_chooses_as_a_plain_look_ahead(
    bot: LookAheadAgent, value_of_turn: Callable[[Game, int], float], mode: str
) -> None:
    rng, compared = np.random.default_rng(2), 0
    game = Game(**MODES[mode], seed=5)
    while not game.over and compared < 25:
        if len(game.legal()) > 1:
            seed = int(rng.integers(2**62))
            views = game.view().as_batch()
            chosen = int(bot.act_batch(views, np.array([seed], dtype=np.uint64))[0])
            assert chosen == plain_choice(game, seed, value_of_turn)
            compared += 1
        game.step(int(rng.choice(game.legal())))
    assert compared == 25
