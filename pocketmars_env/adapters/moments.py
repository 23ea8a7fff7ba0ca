"""`Moment`: a position that never changes, with a link to the previous one and the seats' memories."""

from hashlib import blake2b
from typing import Any

import numpy as np

from pocketmars_env.core.compiled.states import States, blank_records, copy_states
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import Config, GameSpec, spec_of
from pocketmars_env.core.observation_dtype import FLOAT32
from pocketmars_env.core.position import Position

NO_ACTION = -1
MEMORY_BYTES = 16


class Moment(Position):
    """A position that never changes, linked to the previous one, from which `action` led to it.

    Moments can be shared, and copying a moment returns the moment itself. `memories` has known results of
    `memory`, keyed by seat.
    """

    def __init__(
        self,
        spec: GameSpec,
        states: States,
        previous: "Moment | None" = None,
        action: int = NO_ACTION,
        memories: dict[int, bytes] | None = None,
    ) -> None:
        super().__init__(spec, states)
        self.previous, self.action = previous, action
        self.memories = {} if memories is None else memories

    @classmethod
    def dealt(cls, config: Config, seed: int) -> "Moment":
        """Return the first moment of a new game; `seed` is in 0..2**64 - 1."""
        spec = spec_of(config)
        return cls(spec, Game(spec, **config.as_dict(), seed=seed).states)

    def after(self, action: int) -> "Moment":
        """Return the moment after an action."""
        game = self.game()
        game.step(action)
        return Moment(self.spec, game.states, self, action)

    def sampled(self, seat: int, seed: int) -> "Moment":
        """Return a moment without history: a determinization drawn uniformly from a seat's information set.

        `seat` keeps its information state. The information states of the other seats start at the current
        decision, because `seat` does not know what they observed earlier.
        """
        states = blank_records(1, self.spec.state)
        self.spec.batch.determinize_at(self.states, 0, seat, np.uint64(seed), True, states, 0)
        return Moment(self.spec, states, memories={seat: self.memory(seat)})

    def game(self) -> Game:
        """Return a copy of the position as a `Game`."""
        return Game.of(self.spec, copy_states(self.states))

    # --- memory -------------------------------------------------------------------------------------

    def memory(self, seat: int) -> bytes:
        """Return a 128-bit hash of a seat's information state.

        The information state consists of the seat's own actions, and of its observations and action masks in
        this and all earlier moments. Apart from hash collisions, two moments have the same hash if and only
        if the seat's information states are equal.
        """
        unread = []
        moment: Moment | None = self
        while moment is not None and seat not in moment.memories:
            unread.append(moment)
            moment = moment.previous
        memory = b"" if moment is None else moment.memories[seat]
        for moment in reversed(unread):
            memory = moment.memories[seat] = moment._remember(seat, memory)
        return memory

    def _remember(self, seat: int, past: bytes) -> bytes:
        """Return ``memory(seat)``, computed from `past`, the seat's hash at the previous moment."""
        is_own = self.previous is not None and self.previous.to_play == seat
        action = self.action if is_own else NO_ACTION
        observation, mask = self._observe(seat, FLOAT32)
        fingerprint = blake2b(past, digest_size=MEMORY_BYTES)
        fingerprint.update(action.to_bytes(2, "little", signed=True))
        fingerprint.update(observation.data)
        fingerprint.update(mask.data)
        return fingerprint.digest()

    # --- copies -------------------------------------------------------------------------------------

    def __copy__(self) -> "Moment":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Moment":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the first moment and the actions: pickling a chain of moments could recurse too deeply."""
        actions = []
        start = self
        while start.previous is not None:
            actions.append(start.action)
            start = start.previous
        return _played, (self.spec, start.states, start.memories, actions[::-1])


def _played(spec: GameSpec, states: States, memories: dict[int, bytes], actions: list[int]) -> Moment:
    """Unpickle a moment: play `actions` from the position in `states`."""
    moment = Moment(spec, states, memories=memories)
    for action in actions:
        moment = moment.after(action)
    return moment
