"""A language model can play a game that has no texts of its own."""

from typing import Any

import pytest

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_env.text_interface import TextEnv, decision_prompt, parse_action, system_prompt
from tests.agents.llm.scripted import first_legal, serving
from tests.text_interface.test_text_env import played
from tests.third_game.pairs import SPEC, PairsConfig, PairsGame


def test_prompts_are_made_from_the_specification() -> None:
    game: Any = PairsGame(players=3, seed=2)
    while not game.over:
        view = game.view(has_events=True)
        prompt = decision_prompt(view)
        assert f"You are player_{view.seat}." in prompt
        game.step(parse_action(view, f"ACTION: {SPEC.action_name(view.legal[-1])}"))
    assert "ACTION: 57" in system_prompt(SPEC)
    assert "own cards of each rank" in system_prompt(SPEC)


def test_a_model_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(first_legal, monkeypatch) as server:
        (result,) = play_matches([Match(("llm:mars", "random"), PairsConfig(), 1)])
    assert result.failure is None
    assert len(server.requests) == result.decisions[0] > 0


def test_it_is_an_environment_of_text() -> None:
    env = TextEnv(SPEC.id_of(SPEC.env_modes[0].name))
    _, _, is_terminated, _ = played(env, 1)
    assert is_terminated
    assert env.result()["over"]
