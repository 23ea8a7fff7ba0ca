"""`DeviceGames`, a batch of games in GPU memory."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.core.cuda import device_functions
from pocketmars_env.core.cuda.device import available_device, launch
from pocketmars_env.core.cuda.memory import Array, Memory, device_array_of
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import kernels_of

THREADS_PER_BLOCK = 128
MASK_THREADS = 32, 4
"""The shape of the thread blocks of `kernels.write_masks`."""
OBSERVATION_THREADS = 128
"""The number of threads per block of `kernels.write_observations`."""
GROUP = 32
"""The maximum number of games per block of `kernels.write_observations`: one for each thread of a warp."""
SHARED_BYTES = 48 * 1024
"""The amount of shared memory, in bytes, that a block can use on any GPU."""
TO_PLAY = -1
"""An entry of the argument `seats` with this value selects the seat to play."""


class DeviceGames:
    """N games of one configuration in GPU memory, created by `Games.to_device`; one thread plays each game.

    With the same seeds and actions, the games are equal to those of `Games`. Methods return new arrays on the
    device, or write into the argument `out`. The memory of a returned array is reused when nothing refers
    to the array any more; it is freed when the games are deleted. Array arguments of methods are
    contiguous device arrays, such as PyTorch CUDA tensors, which are not copied. All of them except `out`
    can also be NumPy arrays, which are copied to the device. For any other array, or one of a wrong shape or
    dtype, methods raise a ValueError, and no game changes. Methods queue their work on the default
    stream, and only `to_host` waits until its work is done. However, a method that allocates device
    memory or copies a NumPy array may wait for work that was queued earlier.

    Args:
        games: the `Games` in host memory; their states are copied.
        stream: the random stream of `random_actions` and `play`: its seed, and how many numbers have been
            drawn.

    Attributes:
        spec: the game's `GameSpec`.
        config: the settings of the games.
        states: ``(N,)`` state records on the device.

    Raises:
        NoDevice: if numba-cuda is not installed, or there is no CUDA device.

    """

    threads_per_block: ClassVar[int] = THREADS_PER_BLOCK
    mask_threads: ClassVar[tuple[int, int]] = MASK_THREADS
    observation_threads: ClassVar[int] = OBSERVATION_THREADS

    def __init__(self, games: Any, stream: tuple[int, int]) -> None:
        self._cuda = available_device()
        self._memory = Memory(self._cuda)
        device_functions.install()
        self.spec: GameSpec = games.spec
        self.config, self._dtype = games.config, games.observation_dtype
        self._num_threads, self._host_type = games.num_threads, type(games)
        self.kernels = compiled_for("pocketmars_env.core.cuda.kernels", kernels_of(self.spec, self._dtype))
        self.states = self._cuda.to_device(copy_states(games.states))
        self._stream, self._words = np.uint64(stream[0]), stream[1]
        self._all = self._cuda.to_device(np.ones(len(games), dtype=np.bool_))
        self._to_play = self._cuda.to_device(np.full(len(games), TO_PLAY))
        self._next_seeds = self.empty(np.uint64)

    def __len__(self) -> int:
        return int(self.states.shape[0])

    def launch(self, kernel: Any, *arguments: Any) -> None:
        """Launch a CUDA kernel on `states` and further arguments, with one thread per game."""
        self._launch(kernel, self.threads_per_block, self.threads_per_block, *arguments)

    def _launch(
        self, kernel: Any, group: int, threads: int | tuple[int, int], *arguments: Any, shared_bytes: int = 0
    ) -> None:
        """Launch a CUDA kernel on `states` and further arguments, with one block for every `group` games."""
        launch(kernel, -(-len(self) // group), threads, self.states, *arguments, shared_bytes=shared_bytes)

    def empty(self, dtype: Any, *shape: int) -> Array:
        """Return an uninitialized array of shape ``(N, *shape)`` on the device."""
        return self._memory.empty(dtype, (len(self), *shape))

    def reset(self, which: Array | None = None, seeds: NDArray[np.uint64] | None = None) -> None:
        """Start new games.

        Args:
            which: ``(N,)`` bool, the games to start; by default all.
            seeds: ``(N,)`` uint64, a seed for each game; by default, the game's last seed + N.

        """
        flags = self._flags(which)
        if seeds is None:
            numbers = self._next_seeds
            self.launch(self.kernels.write_next_seeds, numbers)
        else:
            numbers = self._rows("seeds", seeds, np.uint64)
        self.launch(self.kernels.new_games, numbers, flags)

    def step(self, actions: Array, which: Array | None = None) -> Array:
        """Play an action in every selected game.

        An illegal action leaves its game unchanged. (`Games.step` raises an error instead; on a GPU, this
        would require waiting for the device.)

        Args:
            actions: ``(N,)`` int64; entries for games that are not selected are ignored.
            which: ``(N,)`` bool, the selected games; by default all.

        Returns:
            ``(N,)`` bool: True for the selected games whose action is illegal. In a finished game, every
            action is illegal.

        """
        actions, flags = self._rows("actions", actions, np.int64), self._flags(which)
        illegal = self.empty(np.bool_)
        self.launch(self.kernels.step_games, actions, flags, illegal)
        return illegal

    def masks(self, out: Array | None = None) -> Array:
        """Return the masks of the seats to play, ``(N, NUM_ACTIONS)`` int8; zeros for finished games.

        Args:
            out: a contiguous device array in which to write the masks; by default a new array.

        """
        masks = self._output(out, np.int8, self.spec.num_actions)
        self._launch(self.kernels.write_masks, self.mask_threads[1], self.mask_threads, masks)
        return masks

    def observations(self, seats: Array | None = None, out: Array | None = None) -> Array:
        """Return the observations of one seat per game, ``(N, OBSERVATION_SIZE)`` float32 or uint8.

        Args:
            seats: ``(N,)`` int64, the seat in each game; -1, the default, selects the seat to play (seat 0 in
                finished games). All other values must be seats of the game; they are not checked.
            out: a contiguous device array in which to write the observations; by default a new array.

        """
        seats = self._to_play if seats is None else self._rows("seats", seats, np.int64)
        observations = self._output(out, self._dtype, self.spec.observation_size)
        row_bytes = self.spec.observation_size * self._dtype.itemsize
        group = max(1, min(GROUP, self.observation_threads, SHARED_BYTES // row_bytes))
        self._launch(
            self.kernels.write_observations, group, self.observation_threads, seats, group, observations,
            shared_bytes=group * row_bytes,
        )  # fmt: skip
        return observations

    @property
    def to_play(self) -> Array:
        """``(N,)`` int64: the seat to play in each game, -1 for finished games."""
        return self._written(self.kernels.write_to_play, np.int64)

    @property
    def over(self) -> Array:
        """``(N,)`` bool: which games have ended."""
        return self._written(self.kernels.write_over, np.bool_)

    @property
    def truncated(self) -> Array:
        """``(N,)`` bool: which games were ended by the round limit."""
        return self._written(self.kernels.write_truncated, np.bool_)

    @property
    def scores(self) -> Array:
        """The score of every seat, ``(N, seats)`` int64, as if the games ended now."""
        return self._standings()[0]

    @property
    def winners(self) -> Array:
        """The winners, ``(N, seats)`` bool; all False before the end of a game."""
        return self._standings()[1]

    def random_actions(self) -> Array:
        """Return a uniformly random legal action for every game, ``(N,)`` int64; 0 for finished games."""
        actions = self.empty(np.int64)
        self.launch(self.kernels.choose_actions, ~self._stream, self._next_words(1), actions)
        return actions

    def play(self, steps: int) -> Array:
        """Play `steps` random legal actions in every game, in one kernel launch.

        A finished game is restarted before its next action; its new seed is its last seed + N.

        Returns:
            ``(N,)`` int64: how many times each game was restarted.

        Raises:
            ValueError: if `steps` is not an integer of at least 1.

        """
        if type(steps) is not int or steps < 1:
            raise ValueError(f"steps must be an integer of at least 1, got {quoted(steps)}")
        ended = self.empty(np.int64)
        self.launch(self.kernels.play_games, ~self._stream, self._next_words(steps), steps, ended)
        return ended

    def to_host(self) -> Any:
        """Wait for the device, and return a copy of the games as `Games` in host memory.

        The copies' random events and `random_actions` will be the same as here, and they have the number of
        threads of the games that were copied to the device.
        """
        states, stream = self.states.copy_to_host(), (int(self._stream), self._words)
        return self._host_type.of(self.spec, self.config, states, self._num_threads, self._dtype, stream)

    def clone(self) -> Self:
        """Return independent copies of the games on the device, with the same future random events.

        `random_actions` and `play` also choose the same actions in the copies.
        """
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.states = self._cuda.device_array_like(self.states)
        twin.states.copy_to_device(self.states)
        twin._next_seeds = self._cuda.device_array_like(self._next_seeds)
        return twin

    def _next_words(self, steps: int) -> int:
        first = self._words
        self._words += steps * len(self)
        return first

    def _written(self, kernel: Any, dtype: Any) -> Array:
        """Return a new array ``(N,)`` filled by `kernel`."""
        array = self.empty(dtype)
        self.launch(kernel, array)
        return array

    def _standings(self) -> tuple[Array, Array]:
        standings = self.empty(np.int64, self.config.seats), self.empty(np.bool_, self.config.seats)
        self.launch(self.kernels.write_scores, *standings)
        return standings

    def _flags(self, which: Array | None) -> Array:
        return self._all if which is None else self._rows("which", which, np.bool_)

    def _rows(self, name: str, values: Array, dtype: Any) -> Array:
        return device_array_of(self._cuda, name, values, (len(self),), np.dtype(dtype))

    def _output(self, out: Array | None, dtype: Any, width: int) -> Array:
        """Return `out` after checking it, or a new array ``(N, width)`` if `out` is None."""
        if out is None:
            return self.empty(dtype, width)
        if isinstance(out, np.ndarray):
            raise ValueError("out must be an array on the device, got a NumPy array")
        return device_array_of(self._cuda, "out", out, (len(self), width), np.dtype(dtype))
