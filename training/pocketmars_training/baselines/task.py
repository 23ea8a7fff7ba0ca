"""The tasks in which algorithms are trained and evaluated."""

from collections.abc import Callable
from dataclasses import dataclass

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.training_spec import GameKind, Matchup

WinShareOf = Callable[[Matchup], float]


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task of the baselines.

    Attributes:
        name: its name on the command line and in file names.
        title: its name on the page.
        game: the game.
        training: the environment of algorithms that learn from one seat against a fixed opponent.
        kind: settings of `Games`, for algorithms that play all seats.
        players: the number of seats that make decisions.
        matchups: the matchups of the final evaluation; the learning curve uses the first one.
        rating: computes a handicap rating from win shares and the number of games of each, for tasks that
            have one.

    """

    name: str
    title: str
    game: GameSpec
    training: Matchup
    kind: GameKind
    players: int
    matchups: tuple[Matchup, ...]
    rating: Callable[[WinShareOf, int], float] | None = None
