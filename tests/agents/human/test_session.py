"""Tests of games with people: permissions, undo, hints, scores and replays."""

from typing import Any

import pytest

from pocketmars_agents.arena.match_table import MatchTable
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.play.player_names import AUTOMATON_NAME
from pocketmars_agents.play.seats import Seating, SessionError
from pocketmars_agents.play.session import Session
from pocketmars_agents.registry import make_agent
from pocketmars_env import Game
from pocketmars_env.core.game_spec import spec_of
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.project_mars.config import DuelConfig
from pocketmars_env.games.project_mars.seat_view.see import see
from pocketmars_env.replays import Replay
from tests.agents.bots import Cancelled, Illegal, Quitting
from tests.agents.human.bots import ChanceBot, FailingBot, FirstBot
from tests.agents.human.sessions import play, session_with
from tests.fixed_play import fixed_numbers
from tests.modes import MODES


@pytest.mark.parametrize("mode", MODES)
def test_a_game_of_every_mode_is_played_to_its_end(mode: str) -> None:
    session = session_with(**MODES[mode], round_limit=12)
    assert play(session, 1) > 0
    assert session.over
    assert session.to_play is None
    assert session.game.over
    assert [points.total for points in session.scores] == session.game.scores
    assert [i for i, points in enumerate(session.scores) if points.wins] == session.game.winners
    for points in session.scores:
        assert sum(part for _, part in points.parts) == points.total
    assert session.prompt(session.humans[0]).startswith("Game over: ")
    replay = session.replay()
    assert replay.final().to_bytes() == session.game.to_bytes()
    assert replay.names == session.names


def test_the_handicap_is_a_part_of_the_points() -> None:
    session = session_with(mode="solo", handicap=3)
    player, da = session.scores
    assert [points.total for points in (player, da)] == session.game.scores
    assert ("the handicap", 3) in da.parts
    for points in (player, da):
        assert sum(part for _, part in points.parts) == points.total


def test_choices_are_the_legal_actions_of_the_asked_person_alone() -> None:
    session = session_with(2, players=3)
    while session.to_play is not None and len(session.game.actions) < 60:
        other = next(name for name in session.humans if name != session.to_play)
        choices = session.choices(session.to_play)
        assert sorted(choice.action for choice in choices) == session.game.legal
        assert len({choice.words for choice in choices}) == len(choices)
        assert session.choices(other) == ()
        assert session.prompt(other).startswith("Waiting for ")
        play(session, len(session.game.actions), 1)


def test_bots_answer_as_in_the_arena() -> None:
    config = GameConfig(players=3)
    table = MatchTable([Match(("greedy", "random", "planner"), config, 11)])
    while table.step():
        pass
    actions = table.actions()[0]
    bots = {"player_1": make_agent("random"), "player_2": make_agent("planner")}
    session = Session(Seating(config, bots, ("player_0",)), 11)
    while session.to_play is not None:
        session.act("player_0", actions[len(session.game.actions)])
    assert session.game.actions == actions


@pytest.mark.parametrize("options", [{"mode": "solo"}, {"players": 4, "draft": True}])
def test_the_same_seed_and_answers_give_the_same_game(options: dict[str, Any]) -> None:
    one, two = (session_with(**options) for _ in range(2))
    play(one, 5)
    play(two, 5)
    assert one.game.to_bytes() == two.game.to_bytes()
    assert one.log("player_0") == two.log("player_0")


def test_what_is_not_possible_is_refused_and_changes_nothing() -> None:
    session = session_with(2, players=3)
    to_play = session.to_play or ""
    other = next(name for name in session.humans if name != to_play)
    before, version = session.game.to_bytes(), session.version
    legal = session.game.legal
    with pytest.raises(SessionError, match="turn"):
        session.act(other, legal[0])
    with pytest.raises(SessionError, match="accepted"):
        session.act(to_play, next(action for action in range(267) if action not in legal))
    for name in ("player_2", "da_0", ""):
        with pytest.raises(SessionError, match="seat"):
            session.act(name, legal[0])
        with pytest.raises(SessionError, match="seat"):
            session.view(name)
        with pytest.raises(SessionError, match="seat"):
            session.log(name)
    with pytest.raises(SessionError, match="changed"):
        session.give(to_play, legal[0], version + 1)
    with pytest.raises(SessionError, match="practice"):
        session.undo(to_play)
    with pytest.raises(SessionError, match="hint"):
        session.hint(to_play)
    assert (session.game.to_bytes(), session.version) == (before, version)


def test_seats_must_be_filled_exactly() -> None:
    config = GameConfig(players=3)
    bot = make_agent("random")
    for bots in ({}, {"player_0": bot, "player_1": bot}):
        with pytest.raises(SessionError, match="player_2"):
            Seating(config, bots, ("player_0",))
    with pytest.raises(SessionError, match="person"):
        Seating(GameConfig(mode="solo"), {"player_0": bot}, ())
    with pytest.raises(SessionError, match="person"):
        session_with(2, players=2, practice=True)


@pytest.mark.parametrize("config", [GameConfig(players=2), DuelConfig()], ids=["pocket_mars", "project_mars"])
def test_passing_is_always_the_last_choice(config: Any) -> None:
    spec, decisions, effects = spec_of(config), set[str](), set[bool]()
    session = Session(Seating(config, {}, config.seat_names), 1)
    for number in fixed_numbers(1):
        if session.to_play is None:
            break
        decision, choices = session.game.decision or "", session.choices(session.to_play)
        names = [spec.action_name(choice.action) for choice in choices]
        if names[0] == "ACCEPT":
            effects.add(session.view(session.to_play).choices[1].note in choices[0].words)
        if "PASS" in names:
            assert names.index("PASS") == len(names) - 1 > 0
            decisions.add(decision)
        session.act(session.to_play, choices[number % len(choices)].action)
    assert len(decisions) >= 3
    assert effects == {True for name in spec.decisions if name.blocks == ("ACCEPT",)}


# --- the end of a round ---------------------------------------------------------------------------


def test_the_end_of_a_round_is_shown_until_the_next_decision_and_at_the_end_of_the_game() -> None:
    config, rounds = DuelConfig(), 0
    session = Session(Seating(config, {"player_1": ChanceBot()}, ("player_0",)), 1)
    for number in fixed_numbers(1):
        end, round_before = session.round_end("player_0"), session.game.round
        if end is not None:
            rounds += 1
            assert end.seat_view.results == see(session.game.states, 0).results
            assert tuple(side.tpr for side in end.seat_view.sides) == end.seat_view.results[-1]
            assert any(side.field != (None,) * 8 for side in end.seat_view.sides)
        if session.over:
            assert end is not None
            break
        choices = session.choices("player_0")
        session.act("player_0", choices[number % len(choices)].action)
        if session.game.round == round_before and not session.over:
            assert session.round_end("player_0") is None
    assert rounds == len(see(session.game.states, 0).results)
    session_without = session_with(mode="solo")
    play(session_without, 1)
    assert session_without.round_end("player_0") is None


# --- undo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"mode": "solo", "level": "cyborg"}, {"players": 3}])
def test_what_is_taken_back_and_given_again_gives_the_same_game(options: dict[str, Any]) -> None:
    session = session_with(**options, practice=True)
    play(session, 2, 12)
    end, log = session.game.to_bytes(), session.log("player_0")
    actions = session.game.actions
    for _ in range(12):
        session.undo("player_0")
        assert session.to_play == "player_0"
        assert len(session.log("player_0")) < len(log)
    assert not session.can_undo("player_0")
    with pytest.raises(SessionError, match="undo"):
        session.undo("player_0")
    while len(session.game.actions) < len(actions):
        session.act("player_0", actions[len(session.game.actions)])
    assert (session.game.to_bytes(), session.log("player_0")) == (end, log)
    assert session.replay().actions == actions


def test_a_finished_game_can_be_taken_back() -> None:
    session = session_with(mode="solo", practice=True)
    play(session, 2)
    version = session.version
    session.undo("player_0")
    assert not session.over
    assert session.version > version


# --- hints and failing bots -----------------------------------------------------------------------


def test_a_hint_is_legal_repeatable_and_changes_nothing() -> None:
    session = session_with(players=2, hint=make_agent("planner"))
    before = session.game.to_bytes()
    hint = session.hint("player_0")
    assert hint == session.hint("player_0")
    chosen = {choice.action: choice.words for choice in session.choices("player_0")}
    assert chosen[hint.action] == hint.words
    assert hint.value.endswith("%")
    assert hint.by == "planner"
    assert session.game.to_bytes() == before
    assert session_with(players=2, hint=make_agent("random")).hint("player_0").value == ""


def test_a_hint_names_players_as_the_person_sees_them() -> None:
    session = session_with(mode="solo", hint=FirstBot())
    while session.game.decision != "DRAW":
        session.act("player_0", session.view("player_0").legal[0])
    hint = session.hint("player_0")
    assert AUTOMATON_NAME in hint.words
    assert "da_0" not in hint.words


def test_a_hint_bot_that_fails_gives_no_hint() -> None:
    session = session_with(players=2, hint=FailingBot())
    session.hint("player_0")
    session.hint("player_0")
    with pytest.raises(SessionError, match="out of order"):
        session.hint("player_0")


def test_a_failing_bot_s_cards_stay_hidden() -> None:
    alone = session_with(players=2, bot=Illegal())  # the error message lists the legal actions
    play(alone, 1)
    assert alone.failure is not None
    assert "accepted" not in alone.failure
    several = session_with(humans=2, players=3, bot=FailingBot())
    play(several, 1)
    assert "out of order" not in str(several.failure)


def test_hint_bots_may_raise_anything() -> None:
    with pytest.raises(SessionError, match="I resign"):
        session_with(players=2, hint=Quitting()).hint("player_0")


def test_a_bot_whose_asyncio_task_is_cancelled_stops_only_the_game() -> None:
    session = session_with(players=2, bot=Cancelled())
    play(session, 1)
    assert session.failure is not None


def test_a_bot_that_fails_stops_the_sitting_and_the_game_can_be_kept() -> None:
    session = session_with(players=2, bot=FailingBot())
    failures = list[str | None]()
    session.on_change = lambda: failures.append(session.failure)
    play(session, 1)
    assert session.over
    assert not session.game.over
    assert failures[-1] == session.failure
    assert "out of order" in str(session.failure)
    assert str(session.failure) in session.prompt("player_0")
    assert Replay.of(session.game).actions == session.replay().actions
    with pytest.raises(SessionError, match="over"):
        session.act("player_0", 0)


def test_the_seat_of_devious_automatics_may_be_a_persons() -> None:
    config = GameConfig(mode="solo", da_agent=True)
    session = Session(Seating(config, {"player_0": make_agent("greedy")}, ("da_0",)), 4)
    to_play = play(session, 1)
    assert session.over
    assert to_play > 0
    assert "your" not in "".join(entry.words for entry in session.log("da_0") if entry.seat == "player_0")
    assert Game(**config.as_dict(), seed=4).to_bytes() == session.replay().start().to_bytes()
