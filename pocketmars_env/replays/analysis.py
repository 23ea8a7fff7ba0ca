"""The class `Analysis`: a bot's evaluation of the decisions in a replay."""

from dataclasses import dataclass

from pocketmars_env.replays.file_format import ReplayError

LEAST_LOSS = 0.005
"""The smallest loss of a decision that counts as costly."""


@dataclass(frozen=True)
class JudgedMove:
    """An evaluated decision, with the values (in [0, 1]) of the played action and of the best action.

    Attributes:
        number: the number of the move in the replay; 1 for the first action.
        seat: the seat that made the decision.
        played: the action that was played.
        best: the best action; equal to `played` if no other action is better.
        value: the value of `played`.
        best_value: the value of `best`, at least `value`.

    """

    number: int
    seat: int
    played: int
    best: int
    value: float
    best_value: float

    @property
    def loss(self) -> float:
        """The value lost by playing `played` instead of `best`, in [0, 1]."""
        return self.best_value - self.value

    @property
    def index(self) -> int:
        """The number of moves before the decision."""
        return self.number - 1


@dataclass(frozen=True)
class Analysis:
    """A bot's evaluation of the decisions in a game.

    Attributes:
        by: the name of the bot that evaluated the decisions.
        kind: the meaning of the values, such as ``chance to win``; may be empty if there are no moves.
        moves: the evaluated decisions in the order of play, each with at least two legal actions.

    """

    by: str
    kind: str
    moves: tuple[JudgedMove, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose decisions are evaluated, in ascending order."""
        return tuple(sorted({move.seat for move in self.moves}))

    def most_costly(self) -> tuple[JudgedMove, ...]:
        """Return the decisions with the three largest losses, largest first; ties keep the order of play."""
        moves = sorted(self.moves, key=lambda move: (-move.loss, move.number))
        return tuple(move for move in moves[:3] if move.loss >= LEAST_LOSS)

    def check(self, viewpoint: int | None) -> None:
        """Check that a page for one seat shows no analysis of other seats, whose cards are hidden."""
        for move in self.moves:
            if viewpoint not in (None, move.seat):
                raise ReplayError(
                    f"the analysis judges seat {move.seat}, but the page is for seat {viewpoint} alone"
                )
