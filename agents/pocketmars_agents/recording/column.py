"""`Column`, a column of the decision table, and `Rows`, the decisions from which columns are computed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.replay import Replays

NONE = -1
"""The index that marks an empty cell in a text column."""


class Rows:
    """The decisions of several games, from which the columns are computed.

    Episodes, each with one seat's decisions in one game, are counted over the whole recording.
    """

    def __init__(self, plan: Plan, replays: Replays, first_episode: int) -> None:
        self.plan = plan
        self.replays = replays
        self.first_episode = first_episode
        self.states = replays.before.states
        self.actions = replays.actions
        self.seats = replays.seats
        self.games = replays.places

    def of_games(self, values: list[Any]) -> NDArray[Any]:
        """Return each row's value, given one value per game."""
        return np.array(values)[self.games]

    def of_seats(self, values: list[Any]) -> NDArray[Any]:
        """Return each row's value, given ``(games, seats)`` values, one for each game and seat."""
        return np.array(values)[self.games, self.seats]

    def episodes(self) -> NDArray[np.int64]:
        """Return the episode number of each row; episodes are ordered by game and seat."""
        numbers = np.unique(self.games * self.plan.config.seats + self.seats, return_inverse=True)[1]
        episodes: NDArray[np.int64] = self.first_episode + numbers
        return episodes

    def scores(self) -> NDArray[np.int64]:
        """Return the points of each row's seat, as if the game had ended just before the row's action."""
        scores = self.replays.before.standings()[0]
        row_scores: NDArray[np.int64] = scores[np.arange(len(scores)), self.seats]
        return row_scores

    def legal_actions(self) -> NDArray[np.int64]:
        """Return the number of legal actions in each row."""
        masks = np.empty((len(self.states), self.plan.spec.num_actions), dtype=np.int8)
        counts: NDArray[np.int64] = np.count_nonzero(self.replays.before.masks(masks), axis=1)
        return counts


@dataclass(frozen=True)
class Column:
    """A column of the decision table.

    Its type is the name of a NumPy type, ``"text"`` (dictionary-encoded), or ``"list"`` (a 16-bit integer for
    each seat). The cells of a text column are indices into the result of `texts`, or `NONE` for an empty
    cell.
    """

    name: str
    type: str
    meaning: str  # in the documentation
    of: Callable[[Rows], NDArray[Any]]  # computes the cells
    texts: Callable[[Plan], tuple[str, ...]] = lambda plan: ()  # all possible texts of a text column
    after: str = ""  # the name of the column after which a game-specific column is inserted
