"""Recorded games, to be replayed in an environment."""

import itertools
from typing import NamedTuple

import numpy as np
from gymnasium.utils import seeding

from pocketmars_env import Game, View


class Script(NamedTuple):
    """A finished two-player game."""

    seed: int  # of the environment, whose first episode is this game
    answers: tuple[list[int], list[int]]  # of each seat


class Scripted:
    """An opponent that plays the given actions and then always the first legal action."""

    name = "scripted"

    def __init__(self, answers: list[int]) -> None:
        self._answers = iter(answers)

    def act(self, view: View, rng: np.random.Generator) -> int:
        return next(self._answers, view.legal[0])


def find_script(winner: int, last: int) -> Script:
    """Return the first random game that seat `winner` wins alone and whose last move seat `last` makes."""
    for seed in itertools.count():
        game = Game(seed=seeding.np_random(seed)[0].bit_generator.random_raw())
        rng, script, seat = np.random.default_rng(seed), Script(seed, ([], [])), 0
        while not game.over:
            seat = game.to_play or 0
            script.answers[seat].append(int(rng.choice(game.legal)))
            game.step(script.answers[seat][-1])
        if (game.winners, seat) == ([winner], last):
            return script
    raise AssertionError
