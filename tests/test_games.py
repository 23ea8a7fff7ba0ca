"""Games played in a batch equal games played one at a time."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, Games, IllegalAction
from tests.modes import MODES

COUNT = 6


@pytest.mark.parametrize("mode", MODES)
def test_games_equal_single_games(mode: str) -> None:
    games = Games(COUNT, **MODES[mode], seed=10)
    singles = [Game(**MODES[mode], seed=10 + i) for i in range(COUNT)]
    for _ in range(150):
        observations, masks = games.observe()
        assert observations.shape == (COUNT, OBSERVATION_SIZE)
        assert masks.shape == (COUNT, NUM_ACTIONS)
        assert np.array_equal(masks, games.masks())
        actions = games.random_actions()
        for i, single in enumerate(singles):
            assert games.states[i : i + 1].tobytes() == single.to_bytes()
            assert games.to_play[i] == (-1 if single.to_play is None else single.to_play)
            assert np.flatnonzero(masks[i]).tolist() == single.legal
            assert np.array_equal(observations[i], single.observe())
            assert games.scores[i].tolist() == single.scores
            assert np.flatnonzero(games.winners[i]).tolist() == single.winners
            if not single.over:
                single.step(actions[i])
        games.step(actions, ~games.over)


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_observations_are_written_into_given_arrays(dtype: str) -> None:
    games = Games(COUNT, seed=1, observation_dtype=dtype)
    new = games.observe()
    given = np.ones_like(new[0]), np.full_like(new[1], 7)
    written = games.observe(out=given)
    for array, fresh, own in zip(written, new, given, strict=True):
        assert array is own
        assert np.array_equal(array, fresh)


def test_games_that_are_over_can_be_started_anew() -> None:
    games = Games(4, mode="solo", seed=0)
    while not games.over.any():
        games.step(games.random_actions())
    ended = games.over
    others = games.states[~ended].tobytes()
    games.reset(ended)
    assert not games.over.any()
    assert games.states[~ended].tobytes() == others
    first = int(np.flatnonzero(ended)[0])
    assert games.game(first).to_bytes() == Game(mode="solo", seed=first + 4).to_bytes()


def test_reset_takes_seeds() -> None:
    games = Games(2, seed=0)
    games.reset(seeds=[7, 2**64 - 1])
    assert games.game(0).to_bytes() == Game(seed=7).to_bytes()
    assert games.game(1).to_bytes() == Game(seed=2**64 - 1).to_bytes()


def test_random_actions_are_legal_and_repeatable() -> None:
    first, second = Games(32, players=4, seed=3), Games(32, players=4, seed=3)
    for _ in range(40):
        actions = first.random_actions()
        assert np.array_equal(actions, second.random_actions())
        assert (first.masks()[np.arange(32), actions] == 1).all()
        first.step(actions)
        second.step(actions)


def test_an_illegal_action_changes_no_game() -> None:
    games = Games(3, seed=1)
    before = games.states.tobytes()
    actions = games.random_actions()
    actions[1] = 76
    with pytest.raises(IllegalAction, match=r"action 76 .* game 1 .*PREP"):
        games.step(actions)
    actions[1] = NUM_ACTIONS
    with pytest.raises(IllegalAction, match=r"action 267 .* game 1"):
        games.step(actions)
    assert games.states.tobytes() == before


BAD_CALLS: list[tuple[Any, type[Exception], str]] = [
    (lambda games: games.step(np.zeros(2, dtype=np.int64)), ValueError, "actions"),
    (lambda games: games.step(np.zeros(3)), ValueError, "actions"),
    (lambda games: games.step(games.random_actions(), np.ones(3)), ValueError, "which"),
    (lambda games: games.reset(np.ones(2, dtype=bool)), ValueError, "which"),
    (lambda games: games.reset(seeds=[1]), ValueError, "seeds"),
    (lambda games: games.reset(seeds=[1, 2, -3]), ValueError, "-3"),
    (lambda games: games.observe(np.array([0, 1, 2])), ValueError, "seats"),
    (lambda games: games.observe(np.array([0])), ValueError, "seats"),
    (lambda games: games.observe(out=[]), ValueError, "out"),
    (lambda games: games.game(3), IndexError, "3"),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD_CALLS)
def test_bad_calls_say_what_is_accepted(call: Any, error: type[Exception], message: str) -> None:
    games = Games(3, seed=1)
    before = games.states.tobytes()
    with pytest.raises(error, match=message):
        call(games)
    assert games.states.tobytes() == before


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "3"])
def test_a_bad_count_is_refused(count: Any) -> None:
    with pytest.raises(ValueError, match="count"):
        Games(count)


@pytest.mark.parametrize(
    "duplicate",
    [Games.clone, copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))],
    ids=["clone", "deepcopy", "pickle"],
)
def test_copies_are_equal_and_independent(duplicate: Any) -> None:
    games = Games(4, mode="solo", seed=2)
    games.step(games.random_actions())
    twin = duplicate(games)
    assert twin.states.tobytes() == games.states.tobytes()
    before = games.states.tobytes()
    actions = twin.random_actions()
    twin.step(actions)
    assert games.states.tobytes() == before
    assert np.array_equal(games.random_actions(), actions)


def test_one_of_the_games_can_be_taken_out() -> None:
    games = Games(3, players=3, seed=5)
    single = games.game(2)
    assert single.snapshot() == games.snapshot(2)
    before = games.states.tobytes()
    single.step(single.legal[0])
    assert games.states.tobytes() == before
