"""Declarations of the constants and kernels that each game provides for compiled code.

Modules that import from this module are compiled once for each game, see `per_game.py`. The functions in this
module are never called; they document each kernel's arguments, effects and result. `state` is one record of
the dtype `GameSpec.state`.
"""

from typing import Any

NUM_ACTIONS = 0
"""The number of actions, which are numbered from 0."""
MAX_SEATS = 0
"""The largest number of seats in a game."""
OBSERVATION_SIZE = 0
"""The number of entries of an observation."""
NO_SEAT = -1
"""`state.to_play` when the game is over."""


def new_game(state: Any, seed: Any) -> None:
    """Start a game with the configuration in `state`, and advance the game to the first decision.

    `seed` (uint64) determines all random events of the game.
    """


def step(state: Any, action: Any) -> None:
    """Play a legal action, and advance the game to the next decision or the end."""


def score(state: Any, seat: Any) -> Any:
    """The points of `seat` if the game ended now (int64)."""


def winners(state: Any) -> Any:
    """The winning seats if the game ended now, as a bit set (int64)."""


def number_of_seats(state: Any) -> Any:
    """The number of seats (int64)."""


def write_observation(state: Any, seat: Any, observation: Any) -> None:
    """Write the observation of `seat` into `observation` (OBSERVATION_SIZE,) float32 in [0, 1]."""


def write_counts(state: Any, seat: Any, counts: Any) -> None:
    """Write the observation of `seat` into `counts` (OBSERVATION_SIZE,) uint8.

    The float32 observation exactly equals `counts` times the scales of the observation layout.
    """


def determinize(state: Any, target: Any, seat: Any, seed: Any, is_random: Any) -> None:
    """Turn `target`, a copy of `state`, into a state of the information set of `seat`.

    If `is_random` is true, the hidden information is drawn uniformly with `seed` (uint64), and future random
    events differ from those of `state`. If `is_random` is false, the hidden information has a fixed order
    that does not depend on its true order.
    """


def is_turn_over(state: Any) -> Any:
    """Whether a new turn begins or the game is over; searches evaluate such positions."""


def seen_action(state: Any, action: Any, seat: Any) -> Any:
    """A number (int64, ≥ 0) for what `seat` observes of a legal action that is about to be played.

    Legal actions that `seat` cannot distinguish have the same number; a fully visible action has the number
    `action`.
    """


def with_private_knowledge(key: Any, state: Any, seat: Any) -> Any:
    """A hash (uint64) of `key` (uint64) and of the cards that only `seat` sees.

    Searches identify information sets by these hashes, which games compute with `chance.mixed`.
    """


def is_automaton(state: Any, seat: Any) -> Any:
    """Whether an automaton plays `seat`; automata can have a separate network."""
