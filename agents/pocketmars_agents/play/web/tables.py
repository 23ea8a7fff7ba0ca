"""The data from which the web page of a game makes its texts and pictures."""

import base64
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pocketmars_agents.play.moves import Move
from pocketmars_env.core.game import Game, View
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.layout import first_action_of
from pocketmars_env.core.position import Position
from pocketmars_env.core.presentation.interface import Entry
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.wasm.building import layout_of

Data = dict[str, Any]
SAMPLES = 4
"""The number of determinizations from which the page computes the effect of an action."""


def tables_of(spec: GameSpec) -> Data:
    """Return a game's names, texts and colors, and the layout of its state records."""
    presentation = presentation_of(spec)
    blocks = {block.name: first_action_of(spec.blocks, block.name) for block in spec.blocks}
    sizes = {block.name: block.size for block in spec.blocks}
    return {
        "game": spec.name,
        "title": spec.title,
        "record": layout_of(spec.state),
        "decisions": [
            {"name": row.name, "prompt": row.prompt, "why": row.reason, "hidden": row.is_hidden}
            for row in spec.decisions
        ],
        "blocks": [{"name": name, "first": first} for name, first in blocks.items()],
        "actions": [spec.describe_action(action, None) for action in range(spec.num_actions)],
        "words": {
            row.name: {
                blocks[name] + argument: spec.describe_action(blocks[name] + argument, number)
                for name in (*row.blocks, *["PASS"] * row.may_pass)
                for argument in range(sizes[name])
            }
            for number, row in enumerate(spec.decisions)
        },
        "themes": {name: vars(theme) for name, theme in THEMES.items()},
        "guide": guide_of(spec),
        **presentation.tables(),
    }


def guide_of(spec: GameSpec) -> Data | None:
    """Return the guided game; None if the game has none."""
    guide = presentation_of(spec).guide()
    numbers = {spec.action_name(action): action for action in range(spec.num_actions)}
    lessons = [{"action": numbers[lesson.action], "text": lesson.text} for lesson in guide.lessons]
    start = {"seed": str(guide.seed), "settings": dict(guide.settings), "opponent": guide.opponent}
    return {**start, "lessons": lessons, "farewell": guide.farewell} if lessons else None


@functools.cache
def observed_of(spec: GameSpec) -> slice | None:
    """Return the part of observations that the board of a game needs; see `Presentation.tables`."""
    part = presentation_of(spec).tables().get("observed")
    return slice(part["first"], part["last"]) if part else None


def position_data(view: View, has_legal: bool = False) -> list[Any]:
    """Return a view as the bytes of its state record in base64, and what the record does not contain."""
    position = Position(view.spec, view.states)
    extra: Data = {"seat": view.seat, "scores": position.scores}
    if position.over:
        extra["winners"] = position.winners
    if has_legal:
        extra["legal"] = view.legal
    if observed := observed_of(view.spec):
        extra["observed"] = view.observation[observed].tolist()
    return [base64.b64encode(view.states.tobytes()).decode(), extra]


def move_data(move: Move, named: Callable[[Entry], Entry], has_legal: bool = False) -> Data:
    """Return a move as one seat sees it, as JSON-serializable data; `named` inserts names of players."""
    entries = map(named, move.entries)
    return {
        **{"seat": move.seat, "decision": move.decision, "action": move.action},
        "position": position_data(move.view, has_legal),
        "end": None if move.end is None else position_data(move.end),
        "log": [[entry.seat, entry.words, entry.why] for entry in entries],
    }


def effects_of(view: View) -> dict[int, list[Any]]:
    """Return what the seat of a view sees after each legal action, in `SAMPLES` determinizations."""
    samples = [view.sample(np.random.default_rng(number)) for number in range(SAMPLES)]

    def seen_after(game: Game, action: int) -> list[Any]:
        after = game.clone()
        after.step(action)
        return position_data(after.view(view.seat))

    return {action: [seen_after(game, action) for game in samples] for action in view.legal}
