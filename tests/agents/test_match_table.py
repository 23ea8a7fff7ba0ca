"""Tests of games played in a batch: each is played as if it were alone, and a bot that fails loses."""

import numpy as np
import pytest
from msgspec.structs import replace

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.registry import make_agent
from pocketmars_env import Game, Views
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.playing import games_of, without_time
from tests.modes import MODES

BOTS = "tests.agents.bots"
TWO, FOUR, SOLO = GameConfig(players=2), GameConfig(players=4), GameConfig(mode="solo")


@pytest.mark.parametrize("mode", MODES)
def test_a_game_comes_out_the_same_alone_and_beside_others(mode: str) -> None:
    config = GameConfig(**MODES[mode])
    matches = games_of(("random", "greedy:1", "planner:1", "random")[: config.seats_to_play], config, 3)
    together = play_matches(matches)
    assert without_time(together) == without_time([play_matches([match])[0] for match in matches])
    assert [result.match for result in together] == matches


def test_what_is_played_is_the_game_of_the_seed_with_a_word_for_each_decision() -> None:
    match = Match(("random", "greedy:1"), TWO, seed=5, rotation=1)
    game, to_play = Game(players=2, seed=5), np.zeros(2, dtype=np.int64)
    streams = np.array([match.bot_seed(seat) for seat in range(2)], dtype=np.uint64)
    while game.to_play is not None:
        place, word = np.array([game.to_play]), np.empty(1, dtype=np.uint64)
        batch.next_words(streams, to_play, place, word)
        views = Views(SPEC, game.view().states, np.zeros(1, dtype=np.int64), place)
        game.step(int(choose_actions(make_agent(match.bot_at(game.to_play)), views, word)[0]))
    (result,) = play_matches([match])
    assert (result.scores, result.decisions) == (tuple(game.scores), tuple(to_play.tolist()))
    assert list(result.winners) == game.winners


def test_no_games_have_no_results() -> None:
    assert play_matches([]) == []


def test_a_bot_has_time_to_prepare_before_its_first_decision() -> None:
    match = Match((f"{BOTS}:Prepared", "random"), TWO, seed=1, seconds_per_decision=0.1)
    (result,) = play_matches([match])
    assert result.failure is None


# --- bots that fail -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "decisions", "reason"),
    [
        ("Raising", 0, "LookupError: lost my notes"),
        ("Unprepared", 0, "LookupError: lost my books"),
        ("Quitting", 0, "SystemExit: I resign"),
        ("Cancelled", 0, "CancelledError: "),
        ("Speechless", 0, "Unprintable: "),
        ("Illegal", 3, "is illegal in"),
        ("Speaking", 0, "must be 1 integers"),
    ],
)
def test_a_bot_that_fails_has_lost_and_the_others_share_the_win(
    name: str, decisions: int, reason: str
) -> None:
    bot = f"{BOTS}:{name}"
    # `Illegal` counts its decisions, so every game needs an agent of its own.
    for result in play_matches(games_of(("random", bot, "random", "random"), FOUR, 2)):
        seat = result.match.seat_of(1)
        assert result.failure is not None
        assert (result.failure.seat, result.decisions[seat]) == (seat, decisions)
        assert reason in result.failure.reason
        assert [result.win_share(s) for s in range(4)] == [
            0 if s == seat else pytest.approx(1 / 3) for s in range(4)
        ]


def test_against_devious_automatics_a_failure_is_a_loss() -> None:
    (result,) = play_matches([Match((f"{BOTS}:Raising",), SOLO, 1)])
    assert result.winners == (1,)


def test_a_failure_in_one_game_leaves_the_games_beside_it_alone() -> None:
    """After a batched bot raises, it is called again for each game separately."""
    matches = games_of((f"{BOTS}:Batched",), SOLO, 60)
    together = play_matches(matches)
    reasons = [result.failure.reason for result in together if result.failure]
    assert any("LookupError" in reason for reason in reasons)
    assert any("illegal" in reason for reason in reasons)
    assert len(reasons) < len(together)
    assert without_time(together) == without_time([play_matches([match])[0] for match in matches])


def test_a_bot_that_exceeds_its_time_has_lost() -> None:
    bots = (f"{BOTS}:Slow", "random")
    (result,) = play_matches([Match(bots, TWO, 3, seconds_per_decision=0.1)])
    assert result.failure is not None
    assert "0.1 s" in result.failure.reason
    assert (result.failure.seat, result.winners, result.decisions[0]) == (0, (1,), 1)
    assert result.seconds[0] >= 0.2


def test_a_bot_within_its_time_plays_as_without_a_limit() -> None:
    match = Match(("greedy:1", "random"), TWO, 3)
    limited = replace(match, seconds_per_decision=60.0)
    (free,), (timed,) = play_matches([match]), play_matches([limited])
    assert without_time([timed]) == without_time([replace(free, match=limited)])
