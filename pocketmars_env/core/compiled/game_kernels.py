"""What compiled code needs from a game: names that each game fills in with its own constants and kernels.

Modules that import from here are compiled once for each game, see `per_game.py`. What stands here is never
called. It says what each kernel takes, does and returns. `state` is one record of the game's dtype, whose
first fields are those of `state_head.py`.
"""

from typing import Any

NUM_ACTIONS = 0
"""How many actions the game has; they are numbered from 0."""
MAX_SEATS = 0
"""How many seats a table can have."""
OBSERVATION_SIZE = 0
"""Entries of an observation."""
NO_SEAT = -1
"""`state.asked_seat` when the game is over."""


def new_game(state: Any, seed: Any) -> None:
    """Start a game of the configuration in `state`, and stop at the first decision.

    All chance of the game comes from `seed` (uint64).
    """


def step(state: Any, action: Any) -> None:
    """Carry out a legal action, and stop at the next decision or at the end of the game."""


def score(state: Any, seat: Any) -> Any:
    """The points of `seat` if the game ended now (int64)."""


def winners(state: Any) -> Any:
    """The winning seats if the game ended now, as a bit set (int64)."""


def number_of_seats(state: Any) -> Any:
    """How many seats the table has (int64)."""


def write_observation(state: Any, seat: Any, observation: Any) -> None:
    """Write what `seat` sees into `observation` (OBSERVATION_SIZE,) float32, every entry in [0, 1]."""


def determinize(state: Any, target: Any, seat: Any, seed: Any, is_random: Any) -> None:
    """Turn `target`, a copy of `state`, into a state that `seat` cannot tell from it.

    With `is_random` the hidden parts are drawn from `seed` (uint64), all possibilities equally likely, and
    the chance to come is another one. Without, they have a fixed order that depends on nothing hidden.
    """


def is_turn_over(state: Any) -> Any:
    """Whether the next turn begins, or the game is over: where searches estimate what a position is worth."""


def seen_action(state: Any, action: Any, seat: Any) -> Any:
    """What `seat` sees of a legal action before it is carried out: a number ≥ 0 (int64).

    Actions that `seat` cannot tell apart give the same number. `action` itself if the seat sees all of it.
    """


def with_private_knowledge(key: Any, state: Any, seat: Any) -> Any:
    """A key (uint64) that depends on `key` (uint64) and on the cards that `seat` alone sees.

    Searches name information sets by such keys. `chance.mixed` makes them.
    """


def is_automaton(state: Any, seat: Any) -> Any:
    """Whether `seat` is an automaton's, which may have a network of its own."""
