"""In self-play games, the learner plays all seats, or one seat against a bot."""

from collections import defaultdict

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_env import Games
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.self_play_table import LEARNER, Bots, SelfPlayTable
from pocketmars_training.common.training_spec import kinds_of

BOTS = [make_agent("random"), make_agent("greedy:1")]


def mixed(count: int = 200, players: int = 3, bot_share: float = 0.3, seed: int = 1) -> SelfPlayTable:
    bots = Bots(BOTS, bot_share)
    return SelfPlayTable(SPEC, count, {"players": players}, bots, np.random.default_rng(seed))


def play(games: SelfPlayTable, steps: int, seed: int = 2) -> list[tuple[int, list[float]]]:
    """Play at random, and return the games that ended."""
    rng, ended = np.random.default_rng(seed), []
    for _ in range(steps):
        tables = games.learner_games()
        masks = games.learner_views(tables).masks
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        ended += [(game.game, game.result.rewards.tolist()) for game in games.step(tables, actions)]
    return ended


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_table_is_the_learners_or_it_has_one_seat_beside_one_bot(players: int) -> None:
    games = mixed(3000, players)
    seats = (games.line_up == LEARNER).sum(axis=1)
    assert set(seats.tolist()) == {1, players}
    assert (seats == 1).mean() == pytest.approx(0.3, abs=0.04)
    beside = games.line_up[seats == 1]
    assert (beside == LEARNER).mean(axis=0) == pytest.approx(np.full(players, 1 / players), abs=0.05)
    bots = beside.max(axis=1)
    assert np.bincount(bots) / len(bots) == pytest.approx([0.5, 0.5], abs=0.06)
    assert all(set(row.tolist()) == {LEARNER, bot} for row, bot in zip(beside, bots.tolist()))


def test_the_learner_is_asked_for_its_own_seats_alone() -> None:
    games = mixed(bot_share=1.0)
    to_play = games.games.to_play
    expected = games.line_up[np.arange(200), to_play] == LEARNER
    assert games.learner_games().tolist() == np.flatnonzero(expected).tolist()
    assert 0 < expected.sum() < 200
    assert mixed(bot_share=0.0).learner_games().tolist() == list(range(200))


def test_games_that_end_give_their_rewards_and_others_begin() -> None:
    games = mixed(30, bot_share=0.5)
    before = games.games.states["seed"].copy()
    ended = play(games, 900)
    tables = {table for table, _ in ended}
    assert len(ended) > 30
    assert not games.games.over.any()
    for _, rewards in ended:
        assert len(rewards) == 3
        assert sum(rewards) == pytest.approx(0.0)
        assert max(rewards) > 0 or rewards == [0.0, 0.0, 0.0]
    changed = np.flatnonzero(games.games.states["seed"] != before)
    assert set(changed.tolist()) == tables


def test_decisions_are_kept_until_their_game_ends() -> None:
    games, made = mixed(30), defaultdict[int, list[int]](list)
    for step in range(200):
        indices = games.learner_games()
        for index in indices.tolist():
            games.record(index, step)
            made[index].append(step)
        for ended in games.step(indices, games.learner_views(indices).masks.argmax(axis=1)):
            assert ended.decisions == made.pop(ended.game, [])


def test_the_kinds_of_games_are_player_counts_or_the_levels_of_the_solo_game() -> None:
    assert [Games(1, **kind).config.players for kind in kinds_of(SPEC, (2, 2, 4))] == [2, 2, 4]
    solo = [Games(1, **kind).config for kind in kinds_of(SPEC, (1,))]
    assert [(config.mode, config.level) for config in solo] == [("solo", level) for level in LEVELS]


def test_the_solo_game_has_each_handicap_at_each_level() -> None:
    found = [(kind["level"], kind["handicap"]) for kind in kinds_of(SPEC, (1,), (0, 6))]
    assert found == [(level, handicap) for level in LEVELS for handicap in (0, 6)]


def test_in_the_solo_game_the_learner_is_always_asked() -> None:
    games = SelfPlayTable(SPEC, 40, kinds_of(SPEC, (1,))[2], Bots(BOTS, 0.5), np.random.default_rng(1))
    assert games.learner_games().tolist() == list(range(40))
    ended = play(games, 60)
    assert len(ended) > 10
    assert {tuple(rewards) for _, rewards in ended} <= {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}
    assert (-1.0, 1.0) in [tuple(rewards) for _, rewards in ended]  # random play loses


def test_the_same_stream_gives_the_same_games() -> None:
    one, same, other = (play(mixed(20, seed=seed), 400) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_fixed_deals_are_dealt_again_and_new_deals_are_not() -> None:
    for deals in (0, 3):
        rng = np.random.default_rng(1)
        games = SelfPlayTable(SPEC, 30, {"players": 2}, Bots([], 0.0), rng, deals)
        seeds = [*games.games.states["seed"].tolist()]
        for _ in range(900):
            before = games.games.states["seed"].copy()
            play(games, 1)
            seeds += games.games.states["seed"][games.games.states["seed"] != before].tolist()
        assert (set(seeds) == {0, 1, 2}) == (deals == 3)
        assert (len(set(seeds)) == len(seeds)) == (deals == 0)
