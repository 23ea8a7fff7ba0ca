"""Tests of the bots: legal actions in every mode, playing strength, and no use of hidden information."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent
from pocketmars_agents.registry import choose_actions
from pocketmars_env import Game, Games, Views
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.playing import play_out, wins, worlds
from tests.builders import given, play, seat
from tests.modes import MODES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["random", "greedy:1", "planner:1"])
@pytest.mark.parametrize("mode", MODES)
def test_a_bot_plays_every_mode_in_every_seat_to_the_end(name: str, mode: str) -> None:
    assert play_out(Game(**MODES[mode], seed=7), make_agent(name)).winners


NEVER_TO_PLAY = {"SWAP_HAND"}
"""SWAP_HAND follows the play of one of two cards in hand, so only one card is left to choose."""


@pytest.mark.parametrize("name", ["greedy:1", "ismcts:3"])
def test_every_decision_is_answered_legally_and_the_view_left_alone(name: str) -> None:
    games = [Game(**settings, seed=seed) for settings in MODES.values() for seed in range(8)]
    # random play rarely reaches a DISCARD_SUIT decision with more than one legal action
    two_of_the_suit = given(seat(hand=["Comms 1", "Comms 2"], prep=["Comms 3", "Energy 1"]), seat())
    games.append(play(two_of_the_suit, "PLAY_PREP(Comms 3)", "PASS", "ACCEPT"))
    bot, rng, seen = make_agent(name), np.random.default_rng(0), set()
    for game in games:
        while not game.over:
            view = game.view()
            before = view.states.tobytes()
            seen.add(game.decision)
            assert bot.act(view, rng) in game.legal
            assert view.states.tobytes() == before
            game.step(int(rng.choice(game.legal)))
    assert seen == {decision.name for decision in Decision} - NEVER_TO_PLAY


@pytest.mark.parametrize(
    "name",
    [
        *("greedy", "planner", "puct:400"),
        *(
            f"ismcts:400:rollout={rollout}:objective={objective}"
            for rollout in ("planner", "greedy", "random")
            for objective in ("win", "score")
        ),
    ],
)
def test_a_bot_makes_the_settlement_that_ends_the_game_in_victory(name: str) -> None:
    """Several sequences of actions lead to the victory."""
    mine = seat(hand=["Greenhouse 7", "Habitation a"], ship=1, star=[2, 2, 2, 0], energy=5)
    game = given(mine, seat(ship=1, energy=1), active_seat=0, starting_seat=1)
    bot, rng = make_agent(name), np.random.default_rng(0)
    while game.to_play == 0 and not game.over:
        game.step(bot.act(game.view(), rng))
    assert game.winners == [0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_beats_random_in_games_of_two_to_four(players: int) -> None:
    bots = [make_agent("greedy:1"), *[make_agent("random")] * (players - 1)]
    assert wins(15, *bots, players=players) >= 14


@pytest.mark.parametrize("level", ["standard", "super_droid", "cyborg"])
def test_the_bots_stand_in_their_order_against_devious_automatics(level: str) -> None:
    for name, least, most in (("random", 0, 2), ("greedy", 25, 45), ("planner", 46, 50)):
        assert least <= wins(50, make_agent(name), mode="solo", level=level) <= most


def margin_of_the_da(name: str) -> float:
    """Return the mean lead of a bot in the seat of the DA over the planner in 1,000 games."""
    games = Games(1000, mode="solo", da_agent=True, seed=0)
    streams = np.arange(1000, dtype=np.uint64)
    while not games.over.all():
        actions, to_play = np.zeros(1000, dtype=np.int64), games.to_play
        for number, bot in enumerate([make_agent("planner:1"), make_agent(name)]):
            its = np.flatnonzero(to_play == number)
            actions[its] = choose_actions(bot, Views(SPEC, games.states, its, to_play[its]), streams[its])
        games.step(actions, ~games.over)
        streams += np.uint64(1000)
    return float(np.mean(games.scores @ [-1, 1]))


def test_the_planner_in_the_seat_of_the_da_beats_random_there() -> None:
    # the difference is only about 0.6 ± 0.3 points, because the DA has few decisions
    assert margin_of_the_da("planner:1") > margin_of_the_da("random") + 0.2


@pytest.mark.parametrize("mode", ["two_draft", "four", "solo_cyborg", "solo_da_agent"])
@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_an_answer_is_the_same_in_worlds_that_the_seat_cannot_tell_apart(mode: str, name: str) -> None:
    bot = make_agent(name)
    for pair in worlds(mode):
        of_game, of_world = (bot.act(game.view(), np.random.default_rng(1)) for game in pair)
        assert of_game == of_world


def test_greedy_of_the_same_stream_answers_the_same() -> None:
    games = [play_out(Game(players=3, seed=1), make_agent("greedy:2"), seed=9) for _ in range(2)]
    assert games[0].to_text() == games[1].to_text()


@pytest.mark.parametrize("name", ["random", "greedy", "planner"])
def test_no_views_need_no_answers(name: str) -> None:
    none = np.zeros(0, dtype=np.int64)
    views = Views(SPEC, Games(1, players=2, seed=0).states, none, none)
    assert choose_actions(make_agent(name), views, np.zeros(0, dtype=np.uint64)).shape == (0,)


@pytest.mark.parametrize("name", ["random", "greedy", "planner", "ismcts:5", "multi"])
def test_a_bot_that_is_not_to_play_raises(name: str) -> None:
    game, bot = Game(players=2, seed=1), make_agent(name)
    other = 1 - (game.to_play or 0)
    for ask in (bot.act, getattr(bot, "estimate", bot.act)):
        with pytest.raises(ValueError, match=f"seat {other}"):
            ask(game.view(other), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("gredy", "'greedy'"),
        ("greedy:-1", "greedy:-1"),
        ("greedy:99999", "1..10000"),
        ("no_such_module:Bot", "no_such_module"),
        ("tests.agents.bots:Missing", "Missing"),
        ("tests.agents.bots:NUM_ACTIONS", "NUM_ACTIONS"),
        ("tests.agents.bots:Nameless", "Nameless"),
        ("ismcts:", "simulations"),
        ("ismcts:0", "simulations"),
        ("ismcts:0s", "seconds"),
        ("ismcts:10:rollout=deep", "rollout"),
        ("ismcts:10:exploration=101", "exploration"),
        ("ismcts:10:20", "'20'"),
        ("puct:10:temperature=0", "temperature"),
        ("puct:10:worlds=3", "worlds"),
        ("multi:wildly", "wildly"),
    ],
)
def test_make_agent_says_what_is_accepted(name: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        make_agent(name)


@pytest.mark.parametrize("number", [0, -1, 10_001, 2.0, True, "8"])
def test_the_number_of_determinizations_is_checked(number: Any) -> None:
    with pytest.raises(ValueError, match=r"1\.\.10000"):
        GreedyAgent(number)


def test_the_blank_bot_of_the_readme_plays(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "agents" / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(block, "README.md", "exec"), names)
    assert names["game"].over
    assert capsys.readouterr().out == f"{names['game'].scores}\n"
