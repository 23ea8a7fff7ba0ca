"""The moves of a game as one seat sees them."""

from collections.abc import Sequence
from typing import NamedTuple

from pocketmars_env.core.game import Game, View
from pocketmars_env.core.presentation.interface import Entry
from pocketmars_env.core.presentation.presenting import presentation_of


class Move(NamedTuple):
    """A move as one seat sees it, or the start of the game, which has no seat and no decision."""

    seat: int | None
    decision: str | None
    action: int | None  # None if it is hidden from the seat
    view: View  # after the move
    end: View | None = None  # at the end of the round, before the table was cleared, if this has happened
    entries: tuple[Entry, ...] = ()  # the log entries for the move and its effects, the move first


def moves_seen(positions: Sequence[Game], seat: int, first: int = 0) -> list[Move]:
    """Return the moves that lead to the positions of a game, from index `first` on, as a seat sees them.

    The move with index 0 is the start of the game.
    """
    spec, actions, moves = positions[-1].spec, positions[-1].actions, []
    presentation = presentation_of(spec)
    for index in range(first, len(positions)):
        view = positions[index].view(seat)
        if not index:
            moves.append(Move(None, None, None, view))
            continue
        before, after = positions[index - 1 : index + 1]
        mover, decision = before.to_play, before.decision or ""
        action = None if spec.decision_named(decision).is_hidden and mover != seat else actions[index - 1]
        change = before.move_to(after)
        states = presentation.end_of_round(*change)
        end = None if states is None else View(spec, states, seat)
        moves.append(Move(mover, decision, action, view, end, presentation.entries(*change, seat)))
    return moves
