"""Access to the presentation of any game: seat views, pictures and choices."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import numpy as np

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.position import Position
from pocketmars_env.core.position_codec import Snapshot
from pocketmars_env.core.presentation.interface import Choice, Presentation
from pocketmars_env.core.presentation.plain import PlainPresentation
from pocketmars_env.core.svg.themes import THEMES


@cache
def presentation_of(spec: GameSpec) -> Presentation:
    """Return a game's own presentation, or `PlainPresentation` if the game has none."""
    return PlainPresentation(spec) if spec.presentation is None else spec.presentation()


def seat_view_of(position: Position, viewpoint: int | None = None) -> Any:
    """Return the seat view of a position; see `Presentation`."""
    return presentation_of(position.spec).seat_view(position.states, viewpoint)


def seen_snapshot(spec: GameSpec, states: States, viewpoint: int) -> Snapshot:
    """Return the seat view of the position in `states`, ``(1,)`` state records, as JSON-serializable data."""
    seat_view = presentation_of(spec).seat_view(states, viewpoint)
    data: Snapshot = json.loads(msgspec.json.encode(seat_view, enc_hook=np.ndarray.tolist))
    return data


def svg_of(spec: GameSpec, states: States, viewpoint: int | None) -> str:
    """Return the position in `states`, ``(1,)`` state records, as an SVG document in the light theme."""
    presentation = presentation_of(spec)
    return presentation.picture(presentation.seat_view(states, viewpoint), THEMES["light"]).svg()


def choices_of(spec: GameSpec, states: States, seat: int, legal: list[int]) -> tuple[Choice, ...]:
    """Return a choice for each of the seat's legal actions, with notes from `idle_notes`."""
    if not legal:
        return ()
    presentation = presentation_of(spec)
    choices = presentation.choices(presentation.seat_view(states, seat), legal)
    notes = presentation.idle_notes(states)
    return tuple(
        replace(choice, note=f"{notes[choice.action]} · {choice.note}".removesuffix(" · "))
        if choice.action in notes
        else choice
        for choice in choices
    )
