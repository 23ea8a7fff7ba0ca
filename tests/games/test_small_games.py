"""Small games: settings, deals and positions."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from pocketmars_agents.exact.strategies import small_configs
from pocketmars_env import pocketmars_v1, projectmars_v0
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GAMES, GameSpec, spec_of
from pocketmars_env.core.games import Games
from pocketmars_env.core.testing import check_clone, check_invariants, check_no_leak, play_random_game
from pocketmars_env.games.pocket_mars.small import SMALL_GAMES
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS

SMALL = {name: spec_of(config) for name, config in small_configs().items()}
PETTINGZOO = {"pocket_mars": pocketmars_v1, "project_mars": projectmars_v0}
EVERY_GAME = pytest.mark.parametrize("spec", GAMES.values(), ids=list(GAMES))
EVERY_SMALL_GAME = pytest.mark.parametrize("name", SMALL)


def new_game(name: str, seed: int = 1) -> Game:
    return Game(SMALL[name], small=name, seed=seed)


def test_both_games_have_small_games_with_different_names() -> None:
    assert set(SMALL.values()) >= set(GAMES.values())
    assert len(small_configs()) == len(SMALL) >= 5


@EVERY_SMALL_GAME
def test_random_games_satisfy_the_invariants_and_leak_nothing(name: str) -> None:
    for seed in range(3):
        for check in (check_invariants, check_clone, check_no_leak):
            play_random_game(partial(Game, SMALL[name]), seed=seed, check=check, small=name)


@EVERY_SMALL_GAME
def test_positions_are_restored_from_texts_snapshots_and_bytes(name: str) -> None:
    spec = SMALL[name]
    for seed in range(4):
        game, rng = new_game(name, seed), np.random.default_rng(seed)
        while not game.over:
            game.step(int(rng.choice(game.legal)))
            assert Game.from_text(game.to_text(), spec).to_bytes() == game.to_bytes()
            restored = Game.from_snapshot(game.snapshot(), game.resume_state(), spec=spec)
            assert restored.to_bytes() == game.to_bytes()
            spec.codec.check_record(game.states)
        assert game.config == spec.config(small=name) == spec.config(**game.config.as_dict())


@EVERY_SMALL_GAME
def test_a_seed_selects_a_deal_of_the_pool(name: str) -> None:
    deals = SMALL[name].config(small=name).deals
    for seed in (0, 1, deals - 1):
        for multiple in (1, 2**40):
            assert new_game(name, seed + multiple * deals).to_bytes() == new_game(name, seed).to_bytes()
    games = Games(4 * deals, SMALL[name], small=name, seed=3)
    assert (games.states["seed"] < deals).all()
    assert len(np.unique(games.states["seed"])) > deals // 2


@EVERY_SMALL_GAME
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
def test_pettingzoo_checks_and_plays_every_small_game(name: str) -> None:
    make = partial(PETTINGZOO[SMALL[name].name].env, small=name)
    api_test(make(), num_cycles=100)
    seed_test(make)
    env = make()
    env.reset(seed=1)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        rewards[agent] += reward
        is_over = termination or truncation
        env.step(None if is_over else env.action_space(agent).sample(observation["action_mask"]))
    assert env.agents == []
    assert sum(rewards.values()) == 0
    env.close()


@EVERY_GAME
def test_the_full_game_does_not_mention_small_games(spec: GameSpec) -> None:
    game = Game(spec, seed=1)
    assert "small" not in game.config.as_dict()
    assert "small" not in game.snapshot()
    assert "small" not in game.to_text()
    assert game.config.deals is None


@pytest.mark.parametrize("settings", [{"players": 3}, {"mode": "solo"}, {"draft": True}, {"small": "huge"}])
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="small"):
        POCKET_MARS.config(**{"small": next(iter(SMALL_GAMES)), **settings})


def test_other_decks_are_refused() -> None:
    spec = GAMES["project_mars"]
    name = next(name for name, other in SMALL.items() if other is spec)
    for settings in ({"deck_0": "motor"}, {"deck_1": [14] * 30}, {"mode": "random"}):
        with pytest.raises(ValueError, match="small game"):
            spec.config(small=name, **settings)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_small_game_of_pocket_mars_has_its_cards_and_colonists(name: str) -> None:
    row = SMALL_GAMES[name]
    game = new_game(name)
    data = game.snapshot()
    cards = [card for seat in data["seats"] for card in seat["hand"]] + data["deck"]
    assert sorted(cards) == row.cards
    for seat in data["seats"]:
        assert (len(seat["hand"]), seat["ship"], seat["earth"]) == (
            row.hand,
            row.ship,
            row.colonists - row.ship,
        )
    assert game.config.round_limit == row.rounds
    assert len(row.cards) > 2 * row.hand + len(row.suits)  # the deck can be rebuilt


def test_a_game_lacks_only_what_its_row_says() -> None:
    full = blank_states(1, POCKET_MARS.config())
    assert full.tobytes() == blank_states(1, POCKET_MARS.config(round_limit=200)).tobytes()
    for field in ("small", "missing_suits", "missing_ranks", "fewer_cards", "fewer_colonists", "log2_deals"):
        assert full[field] == 0
    assert (full["seats"]["more_on_ship"] == 0).all()
    assert blank_records(1, POCKET_MARS.state)["unused"].shape[1] > 0
