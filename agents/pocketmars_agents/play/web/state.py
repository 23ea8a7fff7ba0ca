"""State of a page as plain data, made only from the view of its seat."""

from dataclasses import asdict
from typing import Any

from pocketmars_agents.play.session import Session
from pocketmars_env.replays.moves import seat_labels
from pocketmars_env.replays.page import VARIABLES

Data = dict[str, Any]


def state_of(session: Session, seat: str) -> Data:
    """Returns the state of the page of a seat.

    Returns:
        ``version``; the texts ``title``, ``prompt`` and ``detail``; ``seat`` and ``seats`` (with players);
        ``over`` and ``to_play`` (whether the seat is to play); the ``choices`` and the ``log`` as `Choice`
        and `Entry`; ``table`` (an SVG picture) and ``places`` (texts of its cards, by place); ``points`` at
        the end; ``undo`` and ``hints`` (whether they are available).

    """
    while True:
        version = session.version
        data = {"version": version, **parts(session, seat)}
        if session.version == version:  # otherwise a bot played in between
            return data


def parts(session: Session, seat: str) -> Data:
    seat_view, presentation = session.seat_view(seat), session.presentation
    return {
        "title": presentation.title(seat_view),
        "prompt": session.prompt(seat),
        "detail": presentation.details(seat_view),
        "seat": seat,
        "seats": list(seat_labels(session.config, session.names)),
        "over": session.over,
        "to_play": session.to_play == seat,
        "choices": [asdict(choice) for choice in session.choices(seat)],
        "log": [asdict(entry) for entry in session.log(seat)],
        "table": presentation.picture(seat_view, VARIABLES).svg(),
        "places": presentation.cards_by_place(seat_view),
        "points": [asdict(points) for points in session.scores()] if session.over else [],
        "undo": session.can_undo(seat),
        "hints": session.has_hints,
    }
