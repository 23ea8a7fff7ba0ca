"""The state of a person's web page as JSON-serializable data, with only what the person may know."""

from typing import Any

from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web.tables import move_data

Data = dict[str, Any]


def state_of(session: Session, seat: str, first: int) -> Data:
    """Return the state of the web page for the person in a seat, with the moves from index `first` on."""
    while True:
        version = session.version
        data = {"version": version, **parts(session, seat, first)}
        if session.version == version:  # otherwise, the data may mix two versions of the session
            return data


def parts(session: Session, seat: str, first: int) -> Data:
    names = session.player_names(seat)
    moves = session.moves(seat, first)
    return {
        "first": first,
        "moves": [
            move_data(move, names.in_words, move is moves[-1] and session.to_play == seat) for move in moves
        ],
        "viewer": session.number_of(seat),
        "names": [names.labels[name] for name in session.config.seat_names],
        "ownName": session.chosen_names.get(seat, "") if len(session.humans) > 1 else None,
        "failure": session.failure,
        "ended": session.game.over,
        "isGuided": is_guided(session),
        "canUndo": session.can_undo(seat),
        "canHint": session.seating.hint is not None,
    }


def is_guided(session: Session) -> bool:
    """Return whether this is the guided game, with its settings, its seed and one person."""
    guide, config = session.presentation.guide(), session.config.as_dict()
    is_same = session.seed == guide.seed and guide.settings.items() <= config.items()
    return bool(guide.lessons) and is_same and len(session.humans) == 1
