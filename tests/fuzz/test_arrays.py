"""Public functions reject arrays with a wrong shape or dtype, and read-only or strided output arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pocketmars_env import (
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    Game,
    Games,
    Views,
    observation_pieces,
    sample_actions,
)
from pocketmars_env.games.pocket_mars.rules.state import STATE, new_states
from pocketmars_env.games.pocket_mars.spec import SPEC

COUNT = 5
SOME_MESSAGE = r"\w"


def games() -> Games:
    return Games(COUNT, seed=1)


def masks() -> np.ndarray[Any, Any]:
    return games().masks()


RNG = np.random.default_rng(0)

CALLS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "Games.masks(out)": (lambda array: games().masks(out=array), masks),
    "Games.observe(out)": (lambda array: games().observe(out=(array, masks())), lambda: games().observe()[0]),
    "Games.observe(out of masks)": (lambda array: games().observe(out=(games().observe()[0], array)), masks),
    "Games.step(actions)": (lambda array: games().step(array), lambda: games().random_actions()),
    "Games.step(which)": (
        lambda array: games().step(games().random_actions(), array),
        lambda: np.ones(COUNT, dtype=np.bool_),
    ),
    "Games.reset(which)": (lambda array: games().reset(array), lambda: np.ones(COUNT, dtype=np.bool_)),
    "Games.reset(seeds)": (lambda array: games().reset(seeds=array), lambda: np.arange(COUNT)),
    "Games.observe(seats)": (lambda array: games().observe(array), lambda: np.zeros(COUNT, dtype=np.int64)),
    "Views(states)": (lambda array: Views(SPEC, array, np.arange(COUNT), np.zeros(COUNT, dtype=np.int64)),
                      lambda: games().states.copy()),
    "Views(games)": (lambda array: Views(SPEC, games().states, array, np.zeros(COUNT, dtype=np.int64)),
                     lambda: np.arange(COUNT)),
    "Views(seats)": (lambda array: Views(SPEC, games().states, np.arange(COUNT), array),
                     lambda: np.zeros(COUNT, dtype=np.int64)),
    "Game.from_state": (Game.from_state, lambda: Games(1, seed=1).states.copy()),
    "sample_actions": (lambda array: sample_actions(array, RNG), masks),
    "observation_pieces": (observation_pieces, lambda: np.zeros(OBSERVATION_SIZE, dtype=np.float32)),
}  # fmt: skip
"""For each public array argument: a call with a given array, and a function that makes a valid array."""

ONLY_READ = {name for name in CALLS if "(out" not in name}
ANY_LENGTH = {"sample_actions", "Views(states)"}
ANY_WIDTH = {"sample_actions"}
"""`sample_actions` works for every game, so it accepts masks of any width."""
LAST_AXIS_COUNTS = {"observation_pieces"}


def wrong_arrays(name: str, good: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return invalid variants of the array `good`, by what is wrong with them."""
    wrong: dict[str, Any] = {
        "no dimension": good.reshape(-1)[0:1].reshape(()).copy(),
        "last axis empty": good[..., :0].copy(),
    }
    if name not in ANY_WIDTH:
        wrong["last axis short"] = good[..., :-1].copy()
    if name not in LAST_AXIS_COUNTS:
        wrong["an axis more"] = good[None].copy()
    if name not in ANY_LENGTH | LAST_AXIS_COUNTS:
        wrong["doubled"] = np.concatenate([good, good])
    if name not in LAST_AXIS_COUNTS:
        wrong |= {
            "floats": np.zeros(good.shape, dtype=np.float64),
            "records": np.zeros(good.shape, dtype=[("a", np.int8), ("b", np.int64)]),
            "objects": np.full(good.shape, None, dtype=object),
            "texts": np.full(good.shape, "1"),
            "complex": np.zeros(good.shape, dtype=np.complex64),
        }
    if name not in ONLY_READ:
        read_only = good.copy()
        read_only.flags.writeable = False
        wrong |= {
            "read-only": read_only,
            "Fortran order": np.asfortranarray(good),
            "strided": np.repeat(good, 2, axis=-1)[..., ::2],
            "other byte order": good.astype(np.int16).astype(">i2"),
            "int64": good.astype(np.int64),
            "a list": good.tolist(),
        }
    return wrong


@pytest.mark.parametrize("name", CALLS)
def test_an_array_that_fits_is_accepted(name: str) -> None:
    call, good = CALLS[name]
    call(good())


@pytest.mark.parametrize("name", CALLS)
def test_arrays_that_do_not_fit_are_refused(name: str) -> None:
    call, good = CALLS[name]
    for what, array in wrong_arrays(name, good()).items():
        try:
            call(array)
        except ValueError:
            continue
        raise AssertionError(f"{name} accepts an array with {what}")


@pytest.mark.parametrize("name", sorted(ONLY_READ - {"observation_pieces"}))
def test_read_only_and_strided_arrays_are_read(name: str) -> None:
    call, good = CALLS[name]
    array = good()
    strided = np.repeat(array, 2, axis=-1)[..., ::2] if array.dtype != STATE else array
    strided.flags.writeable = False
    call(strided)


OUT_OF_RANGE: dict[str, Callable[[], Any]] = {
    "views of games that do not exist": lambda: Views(SPEC, games().states, np.array([COUNT]), np.array([0])),
    "views of game -1": lambda: Views(SPEC, games().states, np.array([-1]), np.array([0])),
    "views of seats that do not exist": lambda: Views(SPEC, games().states, np.array([0]), np.array([2])),
    "views of seat -2": lambda: Views(SPEC, games().states, np.array([0]), np.array([-2])),
    "actions far out": lambda: games().step(np.full(COUNT, 2**62)),
    "actions beyond int64": lambda: games().step(np.full(COUNT, 2**63, dtype=np.uint64)),
    "negative actions": lambda: games().step(np.full(COUNT, -(2**40))),
    "seats far out": lambda: games().observe(np.full(COUNT, 127)),
    "a blank record": lambda: Game.from_state(new_states(1)),
}


@pytest.mark.parametrize("what", OUT_OF_RANGE)
def test_numbers_out_of_range_are_refused(what: str) -> None:
    with pytest.raises((ValueError, IndexError), match=SOME_MESSAGE):
        OUT_OF_RANGE[what]()


def test_records_with_one_changed_byte_are_refused_or_positions() -> None:
    rng = np.random.default_rng(4)
    for number in range(300):
        game = Game(seed=number, mode="solo" if number % 2 else "multi")
        for _ in range(number % 40):
            if not game.over:
                game.step(game.legal[0])
        content = bytearray(game.to_bytes())
        content[int(rng.integers(len(content)))] ^= 1 << int(rng.integers(8))
        try:
            found = Game.from_state(np.frombuffer(bytes(content), dtype=STATE))
        except ValueError:
            continue
        assert found.to_bytes() == bytes(content)


def test_masks_of_any_numbers_choose_an_action_that_they_allow() -> None:
    rng = np.random.default_rng(5)
    wild = rng.integers(-128, 128, size=(50, NUM_ACTIONS)).astype(np.int8)
    wild[:25] *= rng.random((25, NUM_ACTIONS)) < 0.01
    chosen = sample_actions(wild, rng)
    allowed = wild[np.arange(50), chosen] != 0
    assert (allowed | ~wild.any(axis=1)).all()
