"""State of a page as plain data, derived only from the view of its seat."""

from dataclasses import asdict
from typing import Any

from pocketmars_agents.play.lessons import lesson_at
from pocketmars_agents.play.player_names import PlayerNames
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web.position_words import sentences_of
from pocketmars_env.core.svg.canvas import Panel, Picture
from pocketmars_env.core.view import View
from pocketmars_env.replays.page import VARIABLES

Data = dict[str, Any]


def state_of(session: Session, seat: str) -> Data:
    """Returns the state of the page of a seat.

    Returns:
        A dictionary with the keys ``version``; ``title``, ``prompt`` and ``detail`` (texts); ``lesson`` (see
        `lesson_at`); ``players`` (the names of all players); ``name`` (the person's chosen name, which may be
        empty, or None in a game of one person); ``over`` (whether the game is over); ``to_play`` (whether
        the seat is to play); ``choices`` and ``log`` (see `Choice` and `Entry`); ``since`` (the
        number of log entries before the person's last action); ``table`` (see `table_of`); ``words`` (the
        position in sentences); ``places`` (the cards in each place); ``points`` (empty before the end);
        ``undo`` and ``hints`` (whether they are available).

    """
    while True:
        version = session.version
        data = {"version": version, **parts(session, seat)}
        if session.version == version:  # otherwise a bot played in between
            return data


def parts(session: Session, seat: str) -> Data:
    seat_view, presentation = session.seat_view(seat), session.presentation
    names = session.player_names(seat)
    before, since = session.since_last_action(seat)
    return {
        "title": presentation.title(seat_view),
        "prompt": names.in_text(session.prompt(seat)),
        "lesson": lesson_at(session, seat)._asdict(),
        "detail": names.in_text(presentation.details(seat_view)),
        "players": list(names.labels.values()),
        "name": session.chosen_names.get(seat, "") if len(session.humans) > 1 else None,
        "over": session.over,
        "to_play": session.to_play == seat,
        "choices": [asdict(names.in_words(choice)) for choice in session.choices(seat)],
        "log": [asdict(names.in_words(entry)) for entry in session.log(seat)],
        "since": since,
        "table": table_of(session, before, session.view(seat), names),
        "words": [
            names.in_text(sentence)
            for sentence in sentences_of(presentation.text(seat_view, is_coloured=False, has_heading=False))
        ],
        "places": [[names.in_text(place), cards] for place, cards in presentation.cards_by_place(seat_view)],
        "points": [asdict(names.in_words(points)) for points in session.scores()] if session.over else [],
        "undo": session.can_undo(seat),
        "hints": session.has_hints,
    }


def table_of(session: Session, before: View, now: View, names: PlayerNames) -> Data:
    """Returns the picture of the position, in panels that the page arranges.

    Returns:
        A dictionary with the keys ``title`` (the text for screen readers); ``top``, ``width`` and ``height``
        (of the whole picture, in pixels); and ``panels``. Each panel has its position and size (``x``,
        ``y``, ``width`` and ``height``), its SVG elements (``svg``), and ``changed``, which is true if
        the panel has changed since the person's last action.

    """
    picture, earlier = (picture_of(session, view) for view in (now, before))
    shown = [panel for panel in picture.panels if not panel.is_heading]
    known = {panel.at_origin() for panel in earlier.panels}
    top = min((panel.box.y for panel in shown), default=0)
    return {
        "title": names.in_text(picture.title),
        "top": top,
        "width": picture.width,
        "height": picture.height - top,
        "panels": [panel_data(panel, panel.at_origin() not in known, names) for panel in shown],
    }


def picture_of(session: Session, view: View) -> Picture:
    seat_view = session.presentation.seat_view(view.states, view.seat)
    return session.presentation.picture(seat_view, VARIABLES)


def panel_data(panel: Panel, is_changed: bool, names: PlayerNames) -> Data:
    return {**panel.box._asdict(), "svg": names.in_picture(panel.elements), "changed": is_changed}
