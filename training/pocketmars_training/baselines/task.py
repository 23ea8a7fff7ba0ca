"""The class that describes a task for the baselines."""

from collections.abc import Callable
from dataclasses import dataclass

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.training_spec import GameKind, Matchup

WinShareOf = Callable[[Matchup], float]


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task on which the baselines are trained and evaluated.

    Attributes:
        name: the name on the command line and in the paths of result files.
        title: the heading in `training/BASELINES.md`.
        game: the game.
        training: the matchup for algorithms that learn from one seat against a fixed opponent.
        kind: the settings of the games (see `Games`) for algorithms that play all seats.
        players: the number of seats that make decisions.
        matchups: the matchups of the final evaluation; the learning curve uses the first one.
        rating: a function that computes the handicap rating (see `training/RESULTS.md`), or None if the task
            has no rating. The arguments of this function are a function that measures the win share in a
            matchup, and the number of games per matchup.

    """

    name: str
    title: str
    game: GameSpec
    training: Matchup
    kind: GameKind
    players: int
    matchups: tuple[Matchup, ...]
    rating: Callable[[WinShareOf, int], float] | None = None
