"""Descriptions of a game's actions, with full information or from the viewpoint of one seat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import Config
from pocketmars_env.core.presentation.interface import entry_text
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.replays.replay import Replay


@dataclass(frozen=True)
class Move:
    """An action in a replay, with a description.

    Attributes:
        number: the number of the action; 1 for the first action in the replay.
        round: the round in which the action was played; None if the game has no rounds.
        seat: the seat that acted.
        label: the seat's label; see `seat_labels`.
        words: a description of the action and its effects.
        notes: events that the rules cause after the action, such as the moves of an automaton. A note may end
            with the reason for the event, in parentheses.

    """

    number: int
    round: int | None
    seat: int
    label: str
    words: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(
            [f"{self.number}. {self.label}: {self.words}", *(f"   {note}" for note in self.notes)]
        )


def moves_of(replay: Replay, viewpoint: int | None = None) -> Iterator[Move]:
    """Yield the moves of a replay in order."""
    labels = seat_labels(replay.config, replay.names)
    presentation_of(replay.spec).prepare()
    for before, after in pairwise(replay.games()):
        yield move_between(before, after, labels, viewpoint)


def move_between(before: Game, after: Game, labels: Sequence[str], viewpoint: int | None) -> Move:
    """Return the move between two consecutive positions of a game."""
    first, *others = presentation_of(before.spec).entries(*before.move_to(after), viewpoint)
    seat, notes = before.to_play or 0, tuple(map(entry_text, others))
    return Move(len(after.actions), before.round, seat, labels[seat], first.words, notes)


def seat_labels(config: Config, names: Sequence[str]) -> tuple[str, ...]:
    """Return a label for each seat: the seat's name and, if different, the name of the agent or person."""
    seats = config.seat_names
    return tuple(
        seat if seat == name else f"{seat} ({name})" for seat, name in zip(seats, names, strict=True)
    )
