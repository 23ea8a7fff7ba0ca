"""Bots with a flaw."""

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_training.common.training_spec import training_of


def play(spec: GameSpec, policy: str, seed: int) -> Game:
    """Play a game of a flawed bot in seat 0 against the shipped policy."""
    game, rng = Game(spec, **spec.player_settings(2), seed=seed), np.random.default_rng(seed)
    agents = [make_agent(policy), make_agent(training_of(spec).policy_name)]
    while game.to_play is not None:
        game.step(int(agents[game.to_play].act(game.view(), rng)))
    return game


@pytest.mark.parametrize(
    ("game", "policy"),
    [(game, policy) for game in GAMES for policy in training_of(GAMES[game]).flawed if ":" in policy],
)
def test_a_flaw_loses_games(game: str, policy: str) -> None:
    assert make_agent(policy).name == policy
    games = [play(GAMES[game], policy, seed) for seed in range(3)]
    assert all(0 not in (one.winners or ()) for one in games)


def test_never_settles_has_no_colonists_in_buildings() -> None:
    (policy,) = (name for name in training_of(GAMES["pocket_mars"]).flawed if name.endswith("NeverSettles"))
    seat = play(GAMES["pocket_mars"], policy, 5).snapshot()["seats"][0]
    assert seat["star"] == seat["star2"] == [0, 0, 0, 0]
