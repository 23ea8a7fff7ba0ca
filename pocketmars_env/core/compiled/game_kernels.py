"""Declarations of the constants and kernels that each game provides for compiled code.

Modules that import from this module are compiled separately for each game; see `per_game.py`. The constants
are placeholders. The functions are never called; they document the arguments, effects and result of each
kernel. `state` is one record of the dtype `STATE`.
"""

from typing import Any

import numpy as np

STATE = np.dtype(np.void)
"""The dtype of state records.

It must have the fields ``legal_actions`` (a bit set; see `legal_actions.py`), ``to_play``, ``decision``,
``seed``, ``round_number`` (0 in a game without rounds), ``over`` and ``truncated``.
"""
OBSERVATION_TYPE = np.float32
"""The type of the entries in an observation: float32, or uint8 in `GameKernels.for_counts`."""
NUM_ACTIONS = 0
"""The number of actions, which are numbered from 0."""
MAX_SEATS = 0
"""The largest number of seats in a game."""
OBSERVATION_SIZE = 0
"""The number of entries in an observation."""
NO_SEAT = -1
"""The value of `state.to_play` when the game is over."""


def new_game(state: Any, seed: Any) -> None:
    """Start a game with the configuration in `state`, and advance the game to the first decision.

    `seed` (uint64) determines all random events of the game.
    """


def step(state: Any, action: Any) -> None:
    """Play a legal action, and advance the game to the next decision or the end."""


def score(state: Any, seat: Any) -> Any:
    """Return the score (int64) of `seat`, as if the game ended now."""


def winners(state: Any) -> Any:
    """Return the winning seats as a bit set (int64), as if the game ended now."""


def termination(state: Any) -> Any:
    """Return how the finished game ended, as an index into `GameSpec.terminations`."""


def number_of_seats(state: Any) -> Any:
    """Return the number of seats in the game (int64)."""


def write_observation(state: Any, seat: Any, observation: Any) -> None:
    """Write the observation of `seat` into `observation`, (OBSERVATION_SIZE,) float32 in [0, 1]."""


def write_counts(state: Any, seat: Any, counts: Any) -> None:
    """Write the observation of `seat` as counts into `counts`, (OBSERVATION_SIZE,) uint8.

    `counts` times `GameSpec.scales` is exactly the float32 observation. This kernel is optional; a game
    without it does not support uint8 observations.
    """


def determinize(state: Any, target: Any, seat: Any, seed: Any, is_random: Any) -> None:
    """Turn `target`, a copy of `state`, into a state from the information set of `seat`.

    `seed` (uint64) determines the future random events of `target`. If `is_random` is true, the hidden
    information is drawn uniformly with `seed`. If not, it can be chosen in any way (for example, cards in
    ascending order), but `target` may depend only on `seed` and on what `seat` knows.
    """


def is_turn_over(state: Any) -> Any:
    """Return whether searches may evaluate the position instead of playing on to the end of the turn.

    The result is True at the end of the game, at the first decision of a turn, and at other decisions that
    the game chooses, such as draft picks.
    """


def seen_action(state: Any, action: Any, seat: Any) -> Any:
    """Return a number (int64, ≥ 0) that identifies what `seat` will observe of a legal action.

    `state` is the state before the action. Legal actions that `seat` cannot distinguish have the same number;
    a fully visible action has the number `action`.
    """


def with_private_knowledge(key: Any, state: Any, seat: Any) -> Any:
    """Return a hash (uint64) of `key` (uint64) and of the cards that only `seat` sees, such as its hand.

    Searches identify information sets by these hashes, which games compute with `chance.mixed` or
    `chance.mixed_word`.
    """


def is_automaton(state: Any, seat: Any) -> Any:
    """Return whether `seat` is an automaton's seat; searches can use a separate network for this seat."""
