"""A page that shows two recorded games of the same deal side by side."""

import html
import json
import re
from dataclasses import replace

from pocketmars_agents.play.moves import moves_seen
from pocketmars_agents.play.web.assets import CLIENT, inline, page_of, script_of, style_of
from pocketmars_agents.play.web.tables import move_data, tables_of
from pocketmars_env.core.presentation.interface import Entry
from pocketmars_env.core.svg.markup import Markup, filled
from pocketmars_env.replays import Replay


def side_by_side(first: Replay, second: Replay) -> str:
    """Return a page, one HTML file, with two games that begin with the same deal."""
    pairs = zip(first.actions, second.actions, strict=False)
    shared = next((i for i, (one, other) in enumerate(pairs) if one != other), None)
    panes = [Markup(html.escape(recorded_page(replay))) for replay in (first, second)]
    template = (CLIENT / "side_by_side.html").read_text(encoding="utf-8")
    moves = max(len(first.actions), len(second.actions))
    return filled(
        template, title=f"{first.title} / {second.title}", first=panes[0], second=panes[1],
        first_title=first.title, second_title=second.title,
        shared=str(moves if shared is None else shared), moves=str(moves),
    )  # fmt: skip


def recorded_page(replay: Replay) -> str:
    """Return a page with a recorded game, which can be seen with the eyes of every seat."""
    positions = [game.clone() for game in replay.games()]
    spec, seats = positions[0].spec, replay.config.seat_names
    labels = dict(zip(seats, replay.names, strict=True))
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, seats))})\b")

    def named(entry: Entry) -> Entry:
        seat, words = (
            pattern.sub(lambda match: labels[match[1]], text) for text in (entry.seat, entry.words)
        )
        return replace(entry, seat=seat, words=in_third_person(words))

    data = {
        "tables": tables_of(spec),
        "names": replay.names,
        "moves": [
            [move_data(move, named) for move in moves_seen(positions, seat)]
            for seat in range(positions[0].seats)
        ],
    }
    scripts = {
        'type="application/json" id="recorded"': json.dumps(data, separators=(",", ":")),
        'type="text/javascript"': script_of([spec], "recorded"),
    }
    parts = [f"<script {kind}>{inline(text)}</script>" for kind, text in scripts.items()]
    return page_of(replay.title or spec.title, f"<style>{style_of([spec])}</style>", "".join(parts))


def in_third_person(words: str) -> str:
    """Return the words of a log entry, such as "your" and "you get", as a spectator reads them."""
    return re.sub(r"\byou (\w+)", r"\1s", re.sub(r"\byour\b", "their", words))
