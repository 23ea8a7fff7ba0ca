"""What players see, as OpenSpiel's `make_observation` wants it."""

import operator
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.adapters.open_spiel.parameters import name_of
from pocketmars_env.core.game_spec import GameSpec


class Observer:
    """Writes what one player sees, public and private.

    There are no observers of one part of it, or of several players.

    Args:
        spec: the game.
        has_recall: whether the strings are information states; otherwise they are observations.
        params: none.

    Attributes:
        tensor: ``(OBSERVATION_SIZE,)`` float32 in [0, 1], see `Game.observe`; zeros before the deal.
        dict: its named pieces, see `observation_pieces`: views of the same memory.
        mask: ``(NUM_ACTIONS,)`` int8, 1 for a legal action; zeros for a player that is not asked.

    Raises:
        ValueError: if there are any `params`.

    """

    def __init__(self, spec: GameSpec, has_recall: bool, params: dict[str, Any] | None = None) -> None:
        if params:
            raise ValueError(f"observers of {name_of(spec)} take no parameters, got {params!r}")
        self._spec, self._has_recall = spec, has_recall
        self.mask = np.zeros(spec.num_actions, dtype=np.int8)
        self.tensor = np.zeros(spec.observation_size, dtype=np.float32)
        self.dict = spec.observation_pieces(self.tensor)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees into `tensor` and `mask`.

        Raises:
            ValueError: if there is no such player.

        """
        check_player(player, state.num_players())
        if state._moment is None:
            self.tensor.fill(0)
            self.mask.fill(0)
        else:
            state._moment.observe(player, self.tensor, self.mask)

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees, or with perfect recall a fingerprint of all that it has seen.

        Raises:
            ValueError: if there is no such player.

        """
        check_player(player, state.num_players())
        if state._moment is None:
            return f"seat {player} before the deal"
        if self._has_recall:
            return f"seat {player}, memory {state._moment.memory(player).hex()}"
        self.set_from(state, player)
        return f"seat {player}: {', '.join(observation_words(self._spec, self.tensor))}"


def observation_words(spec: GameSpec, observation: NDArray[np.float32]) -> list[str]:
    """What is not zero in an observation: flags by their names, numbers with their values."""
    found = np.flatnonzero(observation)
    return [
        spec.entry_names[entry] if value == 1 else f"{spec.entry_names[entry]}={value:g}"
        for entry, value in zip(found.tolist(), observation[found].tolist())
    ]


def check_player(player: int, players: int) -> None:
    """Raise a ValueError unless `player` is one of 0 .. players - 1."""
    if not isinstance(player, SupportsIndex) or not 0 <= operator.index(player) < players:
        raise ValueError(f"player must be in 0..{players - 1}, got {player!r}")
