"""Tests of the value estimates that agents report with their actions."""

import numpy as np
import pytest

from pocketmars_agents.bots.estimates import CHANCE, REWARD, SHARE, Estimate, ValuedAgent, advice
from pocketmars_agents.registry import make_agent
from pocketmars_env import Game, View
from tests.agents.bots import illegal_in
from tests.fixed_play import play_on

KINDS = {
    "greedy": CHANCE,
    "planner": CHANCE,
    "ismcts:60": CHANCE,
    "ismcts:60:objective=score": SHARE,
    "solo": REWARD,
}


@pytest.mark.parametrize("name", KINDS)
def test_an_estimate_is_of_the_answer_that_is_given(name: str) -> None:
    agent = make_agent(name)
    assert isinstance(agent, ValuedAgent)
    values = set()
    for seed in range(4):
        view = play_on(Game(mode="solo", seed=seed), seed, 5).view()
        found = agent.estimate(view, np.random.default_rng(seed))
        assert found.action == agent.act(view, np.random.default_rng(seed))
        assert found.kind == KINDS[name]
        assert found.value is not None
        assert -1.5 <= found.value <= 1.5
        values.add(found.value)
    assert len(values) == 4


def test_a_win_at_hand_is_expected_and_a_lost_game_is_not() -> None:
    views = []
    for seed in range(40):
        game = play_on(Game(mode="solo", level="cyborg", seed=seed), seed, 25)
        if not game.over:
            views.append(game.view())
    assert len(views) > 5
    agent = make_agent("planner")
    assert isinstance(agent, ValuedAgent)
    lost = [agent.estimate(view, np.random.default_rng(0)).value or 0.0 for view in views]
    fresh = agent.estimate(Game(mode="solo", seed=1).view(), np.random.default_rng(0)).value or 0.0
    assert np.mean(lost) < 0.1 < fresh  # random play against a cyborg has lost these games


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(0, 0.625), "chance to win 62 %"),
        (Estimate(0, 1.02), "chance to win 100 %"),
        (Estimate(0, -0.5, REWARD), "final reward -0.50 (+1 is a win, below 0 is a loss)"),
        (Estimate(0, None), ""),
    ],
)
def test_values_are_said_in_words(estimate: Estimate, words: str) -> None:
    assert estimate.words == words


class IllegalWithAValue:
    name = "illegal"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return illegal_in(view)

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        return Estimate(self.act(view, rng), 0.5)


def test_advice_is_a_legal_action() -> None:
    view = Game(mode="solo", seed=1).view()
    with pytest.raises(ValueError, match=r"action \d+ is illegal"):
        advice(IllegalWithAValue(), view, np.random.default_rng(0))
