"""Tests of every tree search: legal actions, no use of hidden information, repeatability, sound values."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.bots.mmd_agent import MmdAgent
from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.bots.tree_searcher import TreeSearcher
from pocketmars_agents.search.arrays import ADDED
from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.playing import check_alone, play_out, search, views_of, worlds
from tests.modes import MODES

Make = Callable[[int], TreeSearcher]

SEARCHERS: dict[str, Any] = {
    **{rollout: partial(IsmctsAgent, rollout=rollout) for rollout in ("planner", "greedy", "random")},
    **{
        f"{rollout}, for points": partial(IsmctsAgent, rollout=rollout, objective="score")
        for rollout in ("planner", "greedy", "random")
    },
    "network": PuctAgent,
    "policy": MmdAgent,
}
TREES = [name for name in SEARCHERS if name != "policy"]
"""The searches that look deeper than one action."""


@pytest.fixture(params=SEARCHERS)
def make(request: pytest.FixtureRequest) -> Make:
    """A function that makes a searcher with a given number of simulations."""
    found: Make = SEARCHERS[request.param]
    return found


@pytest.mark.parametrize("name", ["planner", "random, for points", "network", "policy"])
@pytest.mark.parametrize("mode", MODES)
def test_it_plays_every_mode_in_every_seat_to_the_end(name: str, mode: str) -> None:
    assert play_out(Game(**MODES[mode], seed=7), SEARCHERS[name](12)).winners


@pytest.mark.parametrize("mode", ["two_draft", "three", "solo_cyborg", "solo_da_agent"])
def test_a_search_is_the_same_in_worlds_that_the_seat_cannot_tell_apart(make: Make, mode: str) -> None:
    agent = make(30)
    for game, world in worlds(mode):
        of_game, of_world = search(agent, game), search(agent, world)
        assert (of_game.visits == of_world.visits).all()
        assert (of_game.values == of_world.values).all()
        assert of_game.line == of_world.line


def test_an_answer_depends_on_its_view_and_its_seed_alone(make: Make) -> None:
    check_alone(make(40), views_of(12))


@pytest.mark.parametrize("make", TREES, indirect=True)
def test_the_principal_line_is_legal_and_begins_with_the_answer(make: Make) -> None:
    found = search(make(500), Game(players=2, seed=1))
    assert found.line[0] == found.best
    assert 3 < len(found.line) <= 32


@pytest.mark.parametrize("mode", ["two", "three", "four", "solo_standard", "two_draft"])
def test_the_values_of_all_seats_sum_to_one(make: Make, mode: str) -> None:
    game = Game(**MODES[mode], seed=3)
    found = search(make(50), game)
    assert found.seat_values.shape == (game.seats,)
    assert found.seat_values.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("make", TREES, indirect=True)
def test_a_full_tree_stops_growing_and_the_search_goes_on(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pocketmars_agents.bots.tree_searcher.MAX_EDGES", 300)
    agent = make(500)
    assert search(agent, Game(players=2, seed=1)).simulations == 500
    tree = agent._tree(SPEC)
    assert 250 < tree.counts[ADDED] <= 300
    assert (tree.edges["key"] != 0).sum() == tree.counts[ADDED]
