"""The answers of a game in words, as everybody or one seat may hear them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import Config, spec_of
from pocketmars_env.core.presentation import presentation_of
from pocketmars_env.replays.replay import Replay


@dataclass(frozen=True)
class Move:
    """One answer.

    Attributes:
        number: 1 for the first answer of the replay.
        round: of the game, when the answer was given; None if the game has no rounds.
        seat: who answered.
        label: the seat's name, and who sat there.
        words: what was answered.

    """

    number: int
    round: int | None
    seat: int
    label: str
    words: str

    def __str__(self) -> str:
        return f"{self.number}. {self.label}: {self.words}"


def moves_of(replay: Replay, viewpoint: int | None = None) -> Iterator[Move]:
    """All answers, in their order.

    Args:
        replay: the game.
        viewpoint: a seat: only cards that it knows are named; None names all.

    """
    labels = seat_labels(replay.config, replay.names)
    for before, after in pairwise(replay.games()):
        yield move_between(before, after, labels, viewpoint)


def move_between(before: Game, after: Game, labels: Sequence[str], viewpoint: int | None = None) -> Move:
    """The answer that led from one position of a game to the next.

    Args:
        before: the game before the answer.
        after: the same game after it.
        labels: what each seat is called.
        viewpoint: as of `moves_of`.

    """
    seat, presentation = before.asked or 0, presentation_of(before.spec)
    words = presentation.move_in_words(before, after, viewpoint)
    return Move(len(after.actions), presentation.round_of(before), seat, labels[seat], words)


def seat_labels(config: Config, names: Sequence[str]) -> tuple[str, ...]:
    """The name of each seat, and of who sits there if that is another one."""
    seats = spec_of(config).seat_names(config)
    return tuple(
        seat if seat == name else f"{seat} ({name})" for seat, name in zip(seats, names, strict=True)
    )
