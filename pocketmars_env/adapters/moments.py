"""Positions that know how they came about, and what each seat has seen on the way to them."""

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States, blank_records, copy_states
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import Config, GameSpec, default_game, spec_of
from pocketmars_env.core.warming import ensure_compiled

NO_ACTION = -1
MEMORY_BYTES = 16


class Moment:
    """A position of a game, linked to the one before it.

    A moment never changes, so that any number of games may share it: a copy is itself. What it
    computes on demand it keeps.

    Args:
        spec: the game.
        states: ``(1,)`` state records: the position, which becomes the moment's own.
        previous: the moment before; None for the first.
        action: what led here from there.
        memories: of a first moment, for the seats that have a past: their memories.

    Attributes:
        asked: the seat that has to answer, -1 when the game is over.

    """

    __slots__ = ("_legal", "_memories", "action", "asked", "previous", "spec", "states")

    def __init__(
        self,
        spec: GameSpec,
        states: States,
        previous: "Moment | None" = None,
        action: int = NO_ACTION,
        memories: dict[int, bytes] | None = None,
    ) -> None:
        self.spec = spec
        self.states = states
        self.previous = previous
        self.action = action
        self.asked: int = states["asked_seat"].item()
        self._legal: list[int] | None = None
        self._memories = memories or {}

    @classmethod
    def dealt(cls, config: Config, seed: int) -> "Moment":
        """The first decision of the game that `seed`, 0 .. 2**64 - 1, decides."""
        spec = spec_of(config)
        ensure_compiled(spec)
        states = spec.blank_states(1, config)
        spec.batch.new_game_at(states, 0, np.uint64(seed))
        return cls(spec, states)

    def after(self, action: int) -> "Moment":
        """The moment after an answer.

        Raises:
            IllegalAction: names the question and the legal actions.

        """
        states = copy_states(self.states)
        if not self.spec.batch.step_at(states, 0, action):
            self.game().step(action)  # raises
        return Moment(self.spec, states, self, action)

    def sampled(self, seat: int, seed: int) -> "Moment":
        """A first moment that `seat` cannot tell from this one, all such equally likely.

        That seat keeps its memory. What the others saw in that world before is not known: their
        memories begin with it.

        Args:
            seat: whose view it is.
            seed: 0 .. 2**64 - 1, decides the hidden cards and all chance to come.

        """
        states = blank_records(1, self.spec.state)
        self.spec.batch.determinize_at(self.states, 0, seat, np.uint64(seed), True, states, 0)
        return Moment(self.spec, states, memories={seat: self.memory(seat)})

    def game(self) -> Game:
        """The position as a `Game` of its own."""
        return self.spec.game._of(copy_states(self.states))

    def legal(self) -> list[int]:
        """The legal actions, ascending; always the same list."""
        if self._legal is None:
            actions = np.empty(self.spec.num_actions, dtype=np.int64)
            self._legal = actions[: self.spec.batch.legal_at(self.states, 0, actions)].tolist()
        return self._legal

    def observe(self, seat: int, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> None:
        """Write what a seat sees, ``(OBSERVATION_SIZE,)``, and its mask, ``(NUM_ACTIONS,)``."""
        self.spec.batch.observe_at(self.states, 0, seat, observation, mask)

    # --- memory -------------------------------------------------------------------------------------

    def memory(self, seat: int) -> bytes:
        """A fingerprint of all that a seat has seen at every question up to now, and has answered.

        Two moments have the same one if the seat cannot tell their pasts apart, and else never: it
        has 128 bits.
        """
        unread = []
        moment: Moment | None = self
        while moment is not None and seat not in moment._memories:
            unread.append(moment)
            moment = moment.previous
        memory = b"" if moment is None else moment._memories[seat]
        for moment in reversed(unread):
            memory = moment._memories[seat] = moment._remember(seat, memory)
        return memory

    def _remember(self, seat: int, past: bytes) -> bytes:
        """The memory `past` with the seat's own answer and what it sees now added."""
        is_own = self.previous is not None and self.previous.asked == seat
        answer = self.action if is_own else NO_ACTION
        observation = np.empty(self.spec.observation_size, dtype=np.float32)
        mask = np.empty(self.spec.num_actions, dtype=np.int8)
        self.observe(seat, observation, mask)
        seen = blake2b(past, digest_size=MEMORY_BYTES)
        seen.update(answer.to_bytes(2, "little", signed=True))
        seen.update(observation.data)
        seen.update(mask.data)
        return seen.digest()

    # --- copies -------------------------------------------------------------------------------------

    def __copy__(self) -> "Moment":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Moment":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """The first moment and the answers since: a chain of thousands is too deep to pickle."""
        answers = []
        first = self
        while first.previous is not None:
            answers.append(first.action)
            first = first.previous
        played = first.states.tobytes(), first._memories, answers[::-1]
        return _played, played if self.spec is default_game() else (*played, self.spec)


def _played(
    record: bytes, memories: dict[int, bytes], answers: list[int], spec: GameSpec | None = None
) -> Moment:
    """The moment after some answers to the position in `record`, the bytes of one state record.

    Pickles of the default game do not name the game.
    """
    game = spec or default_game()
    ensure_compiled(game)
    states = copy_states(np.frombuffer(record, dtype=game.state))
    moment = Moment(game, states, memories=memories)
    for answer in answers:
        moment = moment.after(answer)
    return moment
