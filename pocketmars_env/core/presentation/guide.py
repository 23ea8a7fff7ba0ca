"""An introduction to a game for new players, with rules, a glossary and a guided game."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Lesson:
    """A decision in a guided game, with the recommended action.

    Attributes:
        action: the name of the recommended action.
        text: an explanation of the decision and the action, in one or more lines.

    """

    action: str
    text: str


@dataclass(frozen=True)
class Guide:
    """An introduction to a game for new players.

    Attributes:
        rules: the goal and a two-minute summary of the rules, in Markdown.
        glossary: the terms of the game, each paired with its meaning.
        settings: the settings of the guided game, in which the player plays seat 0.
        seed: the seed of the guided game.
        opponent: the bot in all other seats. An empty string selects the game's one-player mode; `settings`
            need not select it.
        lessons: one lesson for each of the player's first decisions; each lesson assumes that the player has
            followed all earlier lessons.
        farewell: the text after the last lesson.

    """

    rules: str = ""
    glossary: tuple[tuple[str, str], ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    opponent: str = "random"
    lessons: tuple[Lesson, ...] = ()
    farewell: str = ""

    @classmethod
    def load(cls, path: Path) -> "Guide":
        """Read a game's guide from a TOML file."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        game = data["guided"]
        return cls(
            rules=data["rules"].strip(),
            glossary=tuple(data["glossary"].items()),
            settings=game["settings"],
            seed=game["seed"],
            opponent=game["opponent"],
            lessons=tuple(Lesson(lesson["action"], lesson["text"].strip()) for lesson in data["lessons"]),
            farewell=game["farewell"].strip(),
        )
