"""RLCard's agents play the games."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("rlcard")

from rlcard.agents import RandomAgent

from pocketmars_env.adapters.rlcard import RLCardEnv

KINDS: dict[str, dict[str, Any]] = {
    "full": {"round_limit": 3},
    "three": {"players": 3, "round_limit": 2},
    "pebble": {"small": "pebble"},
    "duel": {"game": "project_mars"},
    "skirmish": {"game": "project_mars", "small": "skirmish"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_random_agents_play_whole_games(kind: str) -> None:
    payoffs = []
    for seed in (1, 1, 2):
        env = RLCardEnv(seed=seed, **KINDS[kind])
        np.random.seed(seed)  # noqa: NPY002  # RLCard's agents use this generator
        env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
        trajectories, result = env.run()
        assert len(trajectories) == env.num_players
        assert sum(result) == pytest.approx(0)
        payoffs.append([*result, sum(map(len, trajectories))])
    assert payoffs[0] == payoffs[1]


def test_names_are_raw_actions_and_steps_can_be_taken_back() -> None:
    env = RLCardEnv("project_mars", seed=1, allow_step_back=True, small="skirmish")
    state, player = env.reset()
    before = env.get_perfect_information()
    assert list(state["legal_actions"]) == env.game.game.legal
    env.step(state["raw_legal_actions"][0], raw_action=True)
    assert env.get_perfect_information() != before
    _, again = env.step_back()
    assert (again, env.get_perfect_information()) == (player, before)
    assert env.step_back() is False
