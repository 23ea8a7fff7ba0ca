"""The state of a person's web page as JSON-serializable data, with only what the person may know."""

from dataclasses import asdict
from typing import Any

from pocketmars_agents.play.lessons import lesson_at
from pocketmars_agents.play.player_names import PlayerNames
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web.position_words import sentences_of
from pocketmars_env.core.svg.canvas import Panel, Picture
from pocketmars_env.replays.page import VARIABLES

Data = dict[str, Any]


def state_of(session: Session, seat: str) -> Data:
    """Return the state of the web page for the person in a seat."""
    while True:
        version = session.version
        data = {"version": version, **parts(session, seat)}
        if session.version == version:  # otherwise, the data may mix two versions of the session
            return data


def parts(session: Session, seat: str) -> Data:
    seat_view, presentation = session.seat_view(seat), session.presentation
    names = session.player_names(seat)
    before, since = session.since_last_action(seat)
    seen = presentation.seat_view(before.states, before.seat)
    end = session.round_end(seat)
    return {
        **shown_parts(session, seen, seat_view, names),
        "round_end": end
        and {
            "number": end.number,
            "prompt": names.in_text(presentation.headline(end.seat_view)),
            **shown_parts(session, seen, end.seat_view, names),
        },
        "prompt": names.in_text(session.prompt(seat)),
        "lesson": lesson_at(session, seat)._asdict(),
        "detail": names.in_text(presentation.details(seat_view)),
        "players": list(names.labels.values()),
        "name": session.chosen_names.get(seat, "") if len(session.humans) > 1 else None,
        "over": session.over,
        "ended": session.game.over,
        "to_play": session.to_play == seat,
        "choices": [asdict(names.in_words(choice)) for choice in session.choices(seat)],
        "log": [asdict(names.in_words(entry)) for entry in session.log(seat)],
        "since": since,
        "points": [asdict(names.in_words(points)) for points in session.scores] if session.over else [],
        "undo": session.can_undo(seat),
        "hints": session.seating.hint is not None,
    }


def shown_parts(session: Session, before: Any, now: Any, names: PlayerNames) -> Data:
    """Return the parts of the page that show a position."""
    presentation = session.presentation
    earlier, picture = (presentation.picture(seat_view, VARIABLES) for seat_view in (before, now))
    text = presentation.text(now, is_coloured=False, has_heading=False)
    return {
        "title": presentation.title(now),
        "table": table_of(earlier, picture, names),
        "words": [names.in_text(sentence) for sentence in sentences_of(text)],
        "places": [[names.in_text(place), cards] for place, cards in presentation.cards_by_place(now)],
    }


def table_of(earlier: Picture, picture: Picture, names: PlayerNames) -> Data:
    """Return the panels of a picture, except headings, for the page to arrange."""
    panels = [panel for panel in picture.panels if not panel.is_heading]
    known = {panel.at_origin() for panel in earlier.panels}
    top = min((panel.box.y for panel in panels), default=0)
    return {
        "title": names.in_text(picture.title),
        "top": top,
        "width": picture.width,
        "height": picture.height - top,
        "panels": [panel_data(panel, panel.at_origin() not in known, names) for panel in panels],
    }


def panel_data(panel: Panel, is_changed: bool, names: PlayerNames) -> Data:
    return {**panel.box._asdict(), "svg": panel.svg(names.in_text), "changed": is_changed}
