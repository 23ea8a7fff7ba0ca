"""Finds the decisions in which a seat may pass, by playing random games."""

from typing import Any

from pocketmars_env.core.game import Game
from pocketmars_env.core.layout import first_action_of
from pocketmars_env.core.testing import play_random_game


def passed_decisions(game_class: type[Game], modes: list[dict[str, Any]]) -> set[str]:
    """Return the names of the decisions in which the action of the block ``PASS`` was legal."""
    action, found = first_action_of(game_class.spec.blocks, "PASS"), set[str]()

    def note(game: Game) -> None:
        if action in game.legal:
            found.add(game.decision or "")

    for settings in modes:
        for seed in range(20):
            play_random_game(game_class, seed, note, **settings)
    return found
