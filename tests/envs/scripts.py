"""Recorded games, to be replayed in an environment."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium.utils import seeding

from pocketmars_env import Game, View


@dataclass
class Script:
    """A finished two-player game: its environment's seed, and the actions of each seat.

    Attributes:
        seed: the environment's seed that gives this game in the first episode.
        answers: the actions of each seat.
        winner: the seat that won, or -1 if several seats won.
        last: the seat that made the last move.

    """

    seed: int
    answers: dict[int, list[int]] = field(default_factory=lambda: {0: [], 1: []})
    winner: int = -1
    last: int = -1


class Scripted:
    """An opponent that plays the given actions and then always the first legal action."""

    name = "scripted"

    def __init__(self, answers: list[int]) -> None:
        self._answers = iter(answers)

    def act(self, view: View, rng: np.random.Generator) -> int:
        return next(self._answers, view.legal[0])


def random_script(seed: int, **settings: Any) -> Script:
    """Play a random game and return its script."""
    game_seed = seeding.np_random(seed)[0].bit_generator.random_raw()
    game, script, rng = Game(**settings, seed=game_seed), Script(seed), np.random.default_rng(seed)
    while not game.over:
        script.last = game.to_play or 0
        action = int(rng.choice(game.legal()))
        script.answers[script.last].append(action)
        game.step(action)
    winners = game.winners()
    script.winner = winners[0] if len(winners) == 1 else -1
    return script


def find_script(winner: int, last: int, **settings: Any) -> Script:
    """Return the first game that seat `winner` wins alone and in which seat `last` makes the last move."""
    seed = 0
    while True:
        script = random_script(seed, **settings)
        if (script.winner, script.last) == (winner, last):
            return script
        seed += 1
