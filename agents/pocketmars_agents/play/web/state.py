"""What a seat's page shows, as plain data: made from what the seat sees, and nothing else."""

from dataclasses import asdict
from typing import Any

from pocketmars_agents.play.sitting import Sitting
from pocketmars_env.replays.moves import seat_labels
from pocketmars_env.replays.page import VARIABLES

Data = dict[str, Any]


def state_of(sitting: Sitting, seat: str) -> Data:
    """All that the page of a seat shows of one position.

    Returns:
        ``version``; ``title``, ``question`` and ``detail`` in words; ``seat`` and ``seats`` (who sits where);
        ``over`` and ``asked``; the ``choices`` and the ``log`` as `Choice` and `Entry`; ``table`` (an SVG
        picture) and ``places`` (its cards in words, by place); ``points`` at the end; ``undo`` and
        ``hints``: whether there are any.

    """
    while True:
        version = sitting.version
        data = {"version": version, **parts(sitting, seat)}
        if sitting.version == version:  # else a bot has answered in between
            return data


def parts(sitting: Sitting, seat: str) -> Data:
    table, presentation = sitting.table(seat), sitting.presentation
    return {
        "title": presentation.title(table),
        "question": sitting.question(seat),
        "detail": presentation.details(table),
        "seat": seat,
        "seats": list(seat_labels(sitting.config, sitting.names)),
        "over": sitting.over,
        "asked": sitting.asked == seat,
        "choices": [asdict(choice) for choice in sitting.choices(seat)],
        "log": [asdict(entry) for entry in sitting.log(seat)],
        "table": presentation.picture(table, VARIABLES).svg(),
        "places": presentation.cards_by_place(table),
        "points": [asdict(points) for points in sitting.scores()] if sitting.over else [],
        "undo": sitting.can_undo(seat),
        "hints": sitting.has_hints,
    }
