"""The look-ahead bots `greedy` and `planner` for games on a GPU."""

from typing import Any, ClassVar

import numpy as np

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent
from pocketmars_agents.search.arrays import MAX_DECISIONS, new_line
from pocketmars_agents.search.evaluations import evaluation_of, search_module
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.cuda.device import available_device, launch
from pocketmars_env.core.cuda.device_games import DeviceGames
from pocketmars_env.core.cuda.memory import device_array_of
from pocketmars_env.core.seeds import check_seed

THREADS_PER_BLOCK = 64
MAX_THREADS = 16_384
"""Maximum number of games in which actions are chosen at the same time. It limits the memory for `planner` to
about 250 MB."""
GREEDY_LINE = 2
"""Number of states in the buffer that `greedy` uses for a line of play; see `look_ahead.best_action`."""


class DeviceLookAhead:
    """Chooses the actions of `greedy` or `planner` for `DeviceGames`, without copying games to the host.

    With the same determinizations, `agent` chooses the same actions on the CPU, unless they depend on how the
    exponential function is rounded.
    """

    threads_per_block: ClassVar[int] = THREADS_PER_BLOCK

    def __init__(self, agent: LookAheadAgent, games: DeviceGames) -> None:
        self._cuda, self._agent, self._games = available_device(), agent, games
        self._kernel: Any = search_module("look_ahead_cuda", games.spec).choose_actions
        weights = evaluation_of(games.spec).weights_of(games.states.copy_to_host())
        self._weights = tuple(
            part if np.isscalar(part) else self._cuda.to_device(np.copy(part)) for part in weights
        )
        length = len(new_line(games.spec).states) if agent.is_planner else GREEDY_LINE
        threads, empty = min(len(games), MAX_THREADS), self._cuda.device_array
        lines = blank_records(threads * length, games.spec.state).reshape(threads, length)
        self._buffers = (
            self._cuda.to_device(lines),
            empty((threads, MAX_DECISIONS + 1), dtype=np.int64),
            empty((threads, games.spec.num_actions), dtype=np.float64),
        )

    def write_actions(self, indices: Any, seed: int, actions: Any) -> None:
        """Write the agent's action for the seat to play in each selected game into `actions`.

        Args:
            indices: ``(n,)`` int64 array on the device, the indices of the selected games; finished games
                and invalid indices are skipped.
            seed: the seed of the determinizations, in 0..2**64 - 1.
            actions: ``(N,)`` int64 array on the device, with one entry for each of the N games; only the
                entries of the selected games are written.

        """
        chosen = device_array_of(self._cuda, "indices", indices, (len(indices),), np.dtype(np.int64))
        written = device_array_of(self._cuda, "actions", actions, (len(self._games),), np.dtype(np.int64))
        word = np.uint64(check_seed(seed))
        if len(indices) == 0:
            return
        threads = min(len(indices), len(self._buffers[0]))
        launch(
            self._kernel,
            -(-threads // self.threads_per_block),
            self.threads_per_block,
            self._games.states,
            chosen,
            word,
            self._agent.determinizations,
            self._agent.is_planner,
            self._weights,
            *self._buffers,
            written,
        )
