"""Batches of views, and the actions that agents choose for them."""

from typing import Any

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_env import Game, Games, Views
from pocketmars_env.core.agent import choose_actions, is_batch_agent
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.human.bots import ChanceBot
from tests.agents.test_peeking import reachable
from tests.modes import MODES

COUNT = 6


def in_the_middle(mode: str) -> Games:
    """Return games after some random steps, none of them over."""
    games = Games(COUNT, **MODES[mode], seed=3)
    for _ in range(15):
        games.step(games.random_actions())
    assert not games.over.any()
    return games


def views_to_play(games: Games) -> Views:
    return Views(SPEC, games.states, np.arange(COUNT), games.to_play)


@pytest.mark.parametrize("mode", MODES)
def test_views_are_those_of_the_games_one_by_one(mode: str) -> None:
    games = in_the_middle(mode)
    views = views_to_play(games)
    assert len(views) == COUNT
    for i in range(COUNT):
        view = games.game(i).view(int(games.to_play[i]))
        assert views.states[i : i + 1].tobytes() == view.states.tobytes()
        assert views[i].states.tobytes() == view.states.tobytes()
        assert (views[i].seat, views[i].legal) == (view.seat, view.legal)
        assert np.array_equal(views.observations[i], view.observation)
        assert np.array_equal(views.masks[i], view.mask)


def test_views_may_be_of_any_seat_and_of_some_games() -> None:
    games = in_the_middle("three")
    views = Views(SPEC, games.states, np.array([4, 1]), np.array([2, 0]))
    for k, (game, seat) in enumerate([(4, 2), (1, 0)]):
        assert views[k].states.tobytes() == games.game(game).view(seat).states.tobytes()


@pytest.mark.parametrize("mode", MODES)
def test_a_view_gives_access_to_no_other_view_of_its_batch(mode: str) -> None:
    games = in_the_middle(mode)
    views = Views(SPEC, games.states, np.zeros(2, dtype=np.int64), np.arange(2))
    others = [views[0].states.tobytes(), views.states.tobytes()]
    data = [thing[1] for thing in reachable(views[1]) if isinstance(thing, tuple)]
    assert views[1].states.tobytes() in data
    assert not any(other in content for other in others for content in data)


def test_a_view_and_a_batch_of_one_view_are_the_same() -> None:
    view = in_the_middle("three").game(1).view(2)
    again = view.as_batch()[0]
    assert (again.states.tobytes(), again.seat, again.events) == (view.states.tobytes(), 2, view.events)
    assert np.array_equal(view.as_batch().observations[0], view.observation)


@pytest.mark.parametrize("k", [-1, COUNT])
def test_a_view_that_does_not_exist_is_named(k: int) -> None:
    with pytest.raises(IndexError, match=str(k)):
        views_to_play(in_the_middle("two"))[k]


def test_the_repr_of_a_view_names_the_seat_and_the_decision() -> None:
    game = Game(players=3, seed=1)
    text = repr(game.view(2))
    assert "seat 2" in text
    assert f"seat {game.to_play} to play PREP" in text


# --- answers --------------------------------------------------------------------------------------


def test_an_agent_without_a_batched_form_is_asked_one_by_one() -> None:
    views, seeds = views_to_play(in_the_middle("two")), np.arange(COUNT, dtype=np.uint64)
    agent = ChanceBot()
    assert not is_batch_agent(agent)
    found = choose_actions(agent, views, seeds)
    expected = [
        agent.act(views[k], np.random.Generator(np.random.PCG64(int(seeds[k])))) for k in range(COUNT)
    ]
    assert found.tolist() == expected


@pytest.mark.parametrize("mode", ["two", "four_draft_board_and_dice", "solo_da_agent"])
@pytest.mark.parametrize("name", ["random", "greedy:2", "planner:1"])
def test_a_batched_answer_does_not_depend_on_the_views_beside_it(mode: str, name: str) -> None:
    games, agent = in_the_middle(mode), make_agent(name)
    assert is_batch_agent(agent)
    seeds = np.random.default_rng(2).integers(0, 2**64, size=COUNT, dtype=np.uint64)
    together = choose_actions(agent, views_to_play(games), seeds)
    for i in range(COUNT):
        alone: Any = choose_actions(
            agent, Views(SPEC, games.states, np.array([i]), games.to_play[i : i + 1]), seeds[[i]]
        )
        assert alone.tolist() == [together[i]]
        assert together[i] in games.game(i).legal


def test_the_random_agents_batched_answers_are_equally_likely() -> None:
    game = Game(seed=1)
    count = 8_000
    games = np.zeros(count, dtype=np.int64)
    views = Views(SPEC, game.states, games, np.full(count, game.to_play))
    seeds = np.random.default_rng(2).integers(0, 2**64, size=count, dtype=np.uint64)
    found, counts = np.unique(choose_actions(make_agent("random"), views, seeds), return_counts=True)
    assert found.tolist() == game.legal
    assert counts.min() > 0.9 * count / len(found)
