"""The expert's policy is the network's policy, improved by the results of the search."""

import numpy as np
import pytest

from pocketmars_agents.bots.tree_searcher import SearchResult
from pocketmars_env import Games, Views
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.expert import PRIOR_WEIGHT, Expert, improved_policy
from tests.agents.mlps import blank_mlp, random_mlp


def found(priors: list[float], visits: list[int], values: list[float]) -> SearchResult:
    return SearchResult(
        best=int(np.argmax(visits)),
        actions=np.arange(len(priors)),
        visits=np.array(visits),
        values=np.array(values),
        priors=np.array(priors),
        seat_values=np.array([0.5, 0.5]),
        simulations=sum(visits) + 1,
        line=(),
    )


def test_without_a_difference_in_worth_it_is_the_networks_policy() -> None:
    flat = np.array([0.9, 0.09, 0.01]) ** (1 / 3)  # the priors of a search with temperature 3
    search = found((flat / flat.sum()).tolist(), [50, 30, 20], [0.5, 0.5, 0.5])
    assert improved_policy(search, 1, 3.0, 50.0) == pytest.approx([0.9, 0.09, 0.01])


def test_an_answer_gains_by_what_it_is_worth_more() -> None:
    search = found([0.5, 0.5], [8, 8], [0.5, 0.54])
    policy = improved_policy(search, 1, 1.0, 50.0)
    trusted = 8 / (8 + PRIOR_WEIGHT)
    assert np.log(policy[1] / policy[0]) == pytest.approx(50.0 * 0.04 * trusted)
    assert policy.sum() == pytest.approx(1.0)


def test_an_answer_that_was_never_tried_neither_gains_nor_loses() -> None:
    search = found([0.25, 0.75], [0, 40], [0.0, 0.5])
    assert improved_policy(search, 1, 1.0, 50.0) == pytest.approx([0.25, 0.75])


def test_a_prior_of_zero_breaks_nothing() -> None:
    policy = improved_policy(found([0.0, 1.0], [1, 40], [0.9, 0.5]), 1, 3.0, 50.0)
    assert np.isfinite(policy).all()
    assert policy[0] < 1e-6


@pytest.mark.parametrize(("search", "players"), [("puct", 2), ("puct", 3), ("mmd", 2)])
def test_advice_depends_on_the_view_and_its_seed_alone(search: str, players: int) -> None:
    games = Games(9, players=players, seed=3)
    for _ in range(12):
        games.step(games.random_actions(), ~games.over)
    going = np.flatnonzero(games.masks().sum(axis=1) > 1)
    seeds = np.arange(len(going), dtype=np.uint64)
    advice = []
    for threads in (1, 2):
        expert = Expert(SPEC, random_mlp(2, 16), search, 40, 2.0, 30.0, threads)
        views = Views(SPEC, games.states, going, games.to_play[going])
        advice.append(expert.search(views, seeds))
        expert.close()
    assert np.array_equal(advice[0].policies, advice[1].policies)
    assert np.array_equal(advice[0].win_shares, advice[1].win_shares)
    policies, masks = advice[0].policies, games.masks()[going]
    assert policies.sum(axis=1) == pytest.approx(np.ones(len(going)), abs=1e-5)
    assert not policies[masks == 0].any()
    assert advice[0].win_shares.sum(axis=1) == pytest.approx(np.ones(len(going)), abs=1e-5)
    assert not advice[0].win_shares[:, players:].any()


def test_shares_begin_with_the_seat_that_is_asked() -> None:
    """The network predicts a win share of 0 for the seat to play, and of 1 for the last seat after it."""
    mlp = blank_mlp(SPEC, opponent_win_split=3)
    mlp.value_bias[:], mlp.opponent_win_split_biases[:] = -0.5, [-50.0, 0.0, 50.0]
    games = Games(6, players=4, seed=3)
    for _ in range(20):
        games.step(games.random_actions())
    going = np.flatnonzero(games.masks().sum(axis=1) > 1)
    assert set(games.to_play[going]) > {0}
    expert = Expert(SPEC, mlp, "puct", 1, 1.0, 1.0, 1)
    advice = expert.search(Views(SPEC, games.states, going, games.to_play[going]), going.astype(np.uint64))
    expert.close()
    assert advice.win_shares == pytest.approx(np.array([[0, 0, 0, 1]] * len(going)), abs=1e-5)


def test_another_network_gives_other_advice() -> None:
    games = Games(4, players=2, seed=3)
    views = Views(SPEC, games.states, np.arange(4), games.to_play)
    expert, seeds = Expert(SPEC, random_mlp(2, 16), "puct", 40, 2.0, 30.0, 1), np.arange(4, dtype=np.uint64)
    before = expert.search(views, seeds)
    expert.set_network(random_mlp(1, 8))
    after = expert.search(views, seeds)
    expert.close()
    assert not np.array_equal(before.policies, after.policies)
