"""The upper bound on a game's length holds, and libraries receive it as `max_episode_steps`."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import TimeLimit

from pocketmars_env import Game, GameConfig
from pocketmars_env.games.pocket_mars.config import (
    DECISIONS_IN_SETUP,
    DECISIONS_IN_TURN,
    MAX_EPISODE_STEPS,
)
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.cards import ABILITIES, ALL_PROGRAMS, CARDS
from pocketmars_env.games.pocket_mars.rules.constants import MAX_ROUND_LIMIT, Op
from tests.modes import MODES


@pytest.mark.parametrize("mode", MODES)
def test_setups_and_turns_are_shorter_than_their_bounds(mode: str) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        game = Game(**MODES[mode], seed=seed)
        setup, turns, before = 0, [0], None
        while not game.over:
            data = game.snapshot()
            turn = (data["round"], data["active_seat"])
            is_setup = game.decision in ("DRAFT", "PREP")
            setup += is_setup
            turns = [*turns, 0] if turn != before else turns
            turns[-1] += not is_setup
            before = turn
            game.step(int(rng.choice(game.legal())))
        assert 0 < setup <= DECISIONS_IN_SETUP
        assert 0 < max(turns) <= DECISIONS_IN_TURN
        assert len(game.actions) <= game.config.most_decisions


def test_what_the_bound_of_a_turn_rests_on() -> None:
    """A card with more draws or another extra action would make turns longer."""
    assert sum((Op.ACT_AGAIN, 1) in card.top + card.bottom for card in CARDS) == 1
    drawing = (Op.DRAW, Op.DRAW_ASIDE, Op.TAKE_FROM_DISCARD, Op.TAKE_TOP)
    for program in (*ALL_PROGRAMS, *ABILITIES.values()):
        assert len(program) <= 2
        assert sum(amount for op, amount in program if op in drawing) <= 2


@pytest.mark.parametrize("settings", MODES.values(), ids=MODES)
def test_no_settings_allow_longer_games_than_the_registered_steps(settings: dict[str, Any]) -> None:
    assert GameConfig(**settings, round_limit=MAX_ROUND_LIMIT).most_decisions <= MAX_EPISODE_STEPS
    assert GameConfig(**settings).most_decisions < MAX_EPISODE_STEPS


@pytest.mark.parametrize("name", [SOLO_ID, TABLE_ID])
def test_loaders_find_a_number_of_steps(name: str) -> None:
    """d3rlpy, for example, takes its step limit from the specification of the data set's environment."""
    env = gymnasium.make(name)
    assert env.spec is not None
    steps = env.spec.max_episode_steps
    assert steps == MAX_EPISODE_STEPS
    recovered = TimeLimit(env.unwrapped, steps)
    _, info = recovered.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, info = recovered.step(int(info["action_mask"].argmax()))
        over = terminated or truncated
    assert (terminated, truncated) == (True, False)


@pytest.mark.parametrize("steps", [50, MAX_EPISODE_STEPS - 1, "many", 1e9])
def test_vector_environments_are_not_cut_short(steps: Any) -> None:
    with pytest.raises(ValueError, match=f"max_episode_steps.*{MAX_EPISODE_STEPS}.*round_limit"):
        gymnasium.make_vec(TABLE_ID, 2, max_episode_steps=steps)
    gymnasium.make_vec(TABLE_ID, 2, max_episode_steps=MAX_EPISODE_STEPS)
