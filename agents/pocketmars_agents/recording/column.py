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

    Args:
        plan: the settings of the recording.
        replays: the replayed games.
        first_episode: the number of the first episode in `replays`, counted over the whole recording. An
            episode consists of one seat's decisions in one game.

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

    Attributes:
        name: the column's name.
        type: the name of a NumPy type, ``"text"`` (dictionary-encoded), or ``"list"`` (a 16-bit integer for
            each seat).
        meaning: the description of the column in the documentation.
        of: a function that computes the cells of the column. The cells of a text column are indices into the
            result of `texts`, or `NONE` for an empty cell.
        texts: a function that returns all possible texts of a text column; columns of other types do not use
            it.
        after: for a game-specific column, the name of the column after which it is inserted.

    """

    name: str
    type: str
    meaning: str
    of: Callable[[Rows], NDArray[Any]]
    texts: Callable[[Plan], tuple[str, ...]] = lambda plan: ()
    after: str = ""
