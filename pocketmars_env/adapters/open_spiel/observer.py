"""`Observer`, which writes observations for OpenSpiel's `make_observation`."""

import operator
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.adapters.open_spiel.parameters import name_of
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import GameSpec


class Observer:
    """An observer of the public information and one player's private information.

    No other combinations of public and private information are supported.

    Args:
        has_recall: whether `string_from` returns a hash of the player's information state instead of the
            player's observation.
        params: must be None or empty.

    Attributes:
        tensor: the observation, ``(OBSERVATION_SIZE,)`` float32 in [0, 1]; see `Game.observe`; zeros before
            the deal.
        dict: the pieces of `tensor`, as array views keyed by name; see `GameSpec.observation_pieces`.
        mask: ``(NUM_ACTIONS,)`` int8, 1 for each legal action; zeros unless the player is to act.

    Raises:
        ValueError: if `params` is not empty.

    """

    def __init__(self, spec: GameSpec, has_recall: bool, params: dict[str, Any] | None = None) -> None:
        if params:
            raise ValueError(f"observers of {name_of(spec)} take no parameters, got {quoted(params)}")
        self._spec, self._has_recall = spec, has_recall
        self.mask = np.zeros(spec.num_actions, dtype=np.int8)
        self.tensor = np.zeros(spec.observation_size, dtype=np.float32)
        self.dict = spec.observation_pieces(self.tensor)

    def set_from(self, state: Any, player: int) -> None:
        """Write a player's observation and mask into `tensor` and `mask`."""
        check_player(player, state.num_players())
        if state._moment is None:
            self.tensor.fill(0)
            self.mask.fill(0)
        else:
            self._spec.batch.observe_at(state._moment.states, 0, player, self.tensor, self.mask)

    def string_from(self, state: Any, player: int) -> str:
        """Return a player's observation as text or, with `has_recall`, a hash of the information state.

        Without `has_recall`, the method also updates `tensor` and `mask`.
        """
        check_player(player, state.num_players())
        if state._moment is None:
            return f"seat {player} before the deal"
        if self._has_recall:
            return f"seat {player}, memory {state._moment.memory(player).hex()}"
        self.set_from(state, player)
        return f"seat {player}: {', '.join(observation_text(self._spec, self.tensor))}"


def observation_text(spec: GameSpec, observation: NDArray[np.float32]) -> list[str]:
    """Return the nonzero entries of an observation, as ``name`` if the value is 1, else as ``name=value``."""
    indices = np.flatnonzero(observation)
    return [
        spec.entry_names[entry] if value == 1 else f"{spec.entry_names[entry]}={value:g}"
        for entry, value in zip(indices.tolist(), observation[indices].tolist())
    ]


def check_player(player: int, players: int) -> None:
    """Raise a ValueError unless `player` is in 0..players - 1."""
    if not isinstance(player, SupportsIndex) or not 0 <= operator.index(player) < players:
        raise ValueError(f"player must be in 0..{players - 1}, got {quoted(player)}")
