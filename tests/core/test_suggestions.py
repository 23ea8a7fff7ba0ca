"""An unknown argument is answered with the most similar one."""

from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from pocketmars_agents import make_agent
from pocketmars_env import Game, GameConfig, pocketmars_v1
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.game_spec import GAMES, game_named

SOLO, TABLE = "pocketmars/Solo-v1", "pocketmars/Table-v1"

MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "game": (lambda: Game(handycap=3), "handicap"),
    "deal": (lambda: Game.from_deal({}, drafts=True), "draft"),
    "snapshot": (lambda: Game.from_snapshot({}, da_agnt=True), "da_agent"),
    "config": (lambda: GameConfig(playrs=3), "players"),  # type: ignore[call-arg]
    "value of a config": (lambda: GameConfig(mode="solo", level="standart"), "standard"),
    "settings in a file": (lambda: GAMES["pocket_mars"].config_of({"handycap": 3}), "handicap"),
    "name of a game": (lambda: game_named("project_mar"), "project_mars"),
    "setting of gymnasium.make": (lambda: gymnasium.make(SOLO, levl="cyborg"), "level"),
    "reward": (lambda: gymnasium.make(SOLO, reward="margn"), "margin"),
    "opponent": (lambda: gymnasium.make(TABLE, opponents="gredy"), "greedy"),
    "seat": (lambda: gymnasium.make(TABLE, opponents="random", seat="randm"), "random"),
    "env": (lambda: pocketmars_v1.env(playrs=3), "players"),
    "SB3": (lambda: PocketMarsVecEnv(SOLO, 2, levl="cyborg"), "level"),
    "id in SB3": (lambda: PocketMarsVecEnv("pocketmars/Sollo-v1", 2), SOLO),
    "bot": (lambda: make_agent("plannr:8"), "planner"),
    "option of a search": (lambda: make_agent("ismcts:rolout=random"), "rollout"),
    "option of a language model": (lambda: make_agent("llm:x:temprature=1"), "temperature"),
    "way to play a policy": (lambda: make_agent("solo:sampl"), "sample"),
    "class of a module": (lambda: make_agent("tests.agents.bots:Rasing"), "Raising"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_an_unknown_argument_is_answered_with_the_most_similar_one(what: str) -> None:
    mistake, meant = MISTAKES[what]
    with pytest.raises((TypeError, ValueError)) as caught:
        mistake()
    assert str(caught.value).startswith(f"did you mean {meant!r}? ")
    assert "\n" not in str(caught.value)


def test_nothing_is_suggested_for_a_word_unlike_all_others() -> None:
    with pytest.raises(TypeError, match=r"^GameConfig got an unexpected keyword argument 'xyzzy'$"):
        Game(xyzzy=1)
