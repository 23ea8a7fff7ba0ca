"""A game with people: who may do what, undo, hints, scores and replays."""

from typing import Any

import pytest

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.playing import Table
from pocketmars_agents.play.sitting import Sitting, SittingError
from pocketmars_agents.registry import make_agent
from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.seat_view.seeing import see
from pocketmars_env.games.pocket_mars.text.places import places_of
from pocketmars_env.replays import Replay
from tests.agents.human.bots import FailingBot
from tests.agents.human.sittings import play, sitting_with
from tests.builders import given, seat
from tests.modes import MODES


@pytest.mark.parametrize("mode", MODES)
def test_a_game_of_every_mode_is_played_to_its_end(mode: str) -> None:
    sitting = sitting_with(**MODES[mode], round_limit=12)
    assert play(sitting, 1) > 0
    assert sitting.over
    assert sitting.asked is None
    assert sitting.game.over
    assert [points.total for points in sitting.scores()] == sitting.game.scores()
    assert [i for i, points in enumerate(sitting.scores()) if points.wins] == sitting.game.winners()
    for points in sitting.scores():
        assert sum(part for _, part in points.parts) == points.total
    assert sitting.question(sitting.humans[0]).startswith("Game over: ")
    replay = sitting.replay()
    assert replay.final().to_bytes() == sitting.game.to_bytes()
    assert replay.names == sitting.names


def test_the_handicap_is_a_part_of_the_points() -> None:
    sitting = sitting_with(mode="solo", handicap=3)
    player, da = sitting.scores()
    assert [points.total for points in (player, da)] == sitting.game.scores()
    assert ("the handicap", 3) in da.parts
    for points in (player, da):
        assert sum(part for _, part in points.parts) == points.total


def test_known_cards_of_the_deck_are_among_the_places_of_the_page() -> None:
    game = given(seat(knows=["Comms 6"]), seat(), under=["Comms 6", "Energy 1"])
    size = len(game.snapshot()["deck"])
    places = dict(places_of(see(game.snapshot(), 0)))
    assert places[f"Deck, cards {size - 1} to {size}"] == [
        "Comms 6, face down",
        "an Energy Bank card, face down",
    ]


def test_choices_are_the_legal_actions_of_the_asked_person_alone() -> None:
    sitting = sitting_with(2, players=3)
    while sitting.asked is not None and len(sitting.game.actions) < 60:
        other = next(name for name in sitting.humans if name != sitting.asked)
        choices = sitting.choices(sitting.asked)
        assert [choice.action for choice in choices] == sitting.game.legal()
        assert len({choice.words for choice in choices}) == len(choices)
        assert sitting.choices(other) == ()
        assert sitting.question(other).startswith("Waiting for ")
        play(sitting, len(sitting.game.actions), 1)


def test_bots_answer_as_in_the_arena() -> None:
    config = GameConfig(players=3)
    table = Table([Match(("greedy", "random", "planner"), config, 11)])
    while table.step():
        pass
    actions = table.actions()[0]
    bots = {"player_1": make_agent("random"), "player_2": make_agent("planner")}
    sitting = Sitting(config, bots, ["player_0"], 11)
    while sitting.asked is not None:
        sitting.answer("player_0", actions[len(sitting.game.actions)])
    assert sitting.game.actions == actions


@pytest.mark.parametrize("options", [{"mode": "solo"}, {"players": 4, "draft": True}])
def test_the_same_seed_and_answers_give_the_same_game(options: dict[str, Any]) -> None:
    one, two = (sitting_with(**options) for _ in range(2))
    play(one, 5)
    play(two, 5)
    assert one.game.to_bytes() == two.game.to_bytes()
    assert one.log("player_0") == two.log("player_0")


def test_what_is_not_possible_is_refused_and_changes_nothing() -> None:
    sitting = sitting_with(2, players=3)
    asked = sitting.asked or ""
    other = next(name for name in sitting.humans if name != asked)
    before, version = sitting.game.to_bytes(), sitting.version
    legal = sitting.game.legal()
    with pytest.raises(SittingError, match=f"it is not {other}'s turn"):
        sitting.answer(other, legal[0])
    with pytest.raises(SittingError, match="accepted: "):
        sitting.answer(asked, next(action for action in range(267) if action not in legal))
    for name in ("player_2", "da_0", ""):
        with pytest.raises(SittingError, match="no person sits in"):
            sitting.answer(name, legal[0])
        with pytest.raises(SittingError, match="no person sits in"):
            sitting.view(name)
        with pytest.raises(SittingError, match="no person sits in"):
            sitting.log(name)
    with pytest.raises(SittingError, match="gone on since"):
        sitting.give(asked, legal[0], version + 1)
    with pytest.raises(SittingError, match="practice games only"):
        sitting.undo(asked)
    with pytest.raises(SittingError, match="without hints"):
        sitting.hint(asked)
    assert (sitting.game.to_bytes(), sitting.version) == (before, version)


def test_seats_must_be_filled_exactly() -> None:
    config = GameConfig(players=3)
    bot = make_agent("random")
    for bots, humans in (({}, ["player_0"]), ({"player_0": bot, "player_1": bot}, ["player_0"])):
        with pytest.raises(SittingError, match="the seats to be filled are player_0, player_1, player_2"):
            Sitting(config, bots, humans, 1)
    with pytest.raises(SittingError, match="at least one person"):
        Sitting(GameConfig(mode="solo"), {"player_0": bot}, [], 1)
    with pytest.raises(SittingError, match="only if one person"):
        sitting_with(2, players=2, practice=True)


# --- taking back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"mode": "solo", "level": "cyborg"}, {"players": 3}])
def test_what_is_taken_back_and_given_again_gives_the_same_game(options: dict[str, Any]) -> None:
    sitting = sitting_with(**options, practice=True)
    play(sitting, 2, 12)
    end, log = sitting.game.to_bytes(), sitting.log("player_0")
    actions = sitting.game.actions
    for _ in range(12):
        sitting.undo("player_0")
        assert sitting.asked == "player_0"
        assert len(sitting.log("player_0")) < len(log)
    assert not sitting.can_undo("player_0")
    with pytest.raises(SittingError, match="no answer to take back"):
        sitting.undo("player_0")
    while len(sitting.game.actions) < len(actions):
        sitting.answer("player_0", actions[len(sitting.game.actions)])
    assert (sitting.game.to_bytes(), sitting.log("player_0")) == (end, log)
    assert sitting.replay().actions == actions


def test_a_finished_game_can_be_taken_back() -> None:
    sitting = sitting_with(mode="solo", practice=True)
    play(sitting, 2)
    version = sitting.version
    sitting.undo("player_0")
    assert not sitting.over
    assert sitting.version > version


# --- hints and failing bots -----------------------------------------------------------------------


def test_a_hint_is_legal_repeatable_and_changes_nothing() -> None:
    sitting = sitting_with(players=2, hint=make_agent("planner"))
    before = sitting.game.to_bytes()
    hint = sitting.hint("player_0")
    assert hint == sitting.hint("player_0")
    chosen = {choice.action: choice.words for choice in sitting.choices("player_0")}
    assert chosen[hint.action] == hint.words
    assert hint.value.startswith("chance to win ")
    assert hint.by == "planner"
    assert sitting.game.to_bytes() == before
    assert sitting_with(players=2, hint=make_agent("random")).hint("player_0").value == ""


def test_a_bot_that_fails_stops_the_sitting_and_the_game_can_be_kept() -> None:
    sitting = sitting_with(players=2, bot=FailingBot())
    play(sitting, 1)
    assert sitting.over
    assert not sitting.game.over
    assert sitting.failure == "failing in player_1 failed: out of order"
    assert sitting.question("player_0") == f"The game has been stopped: {sitting.failure}"
    assert Replay.of(sitting.game).actions == sitting.replay().actions
    with pytest.raises(SittingError, match="the game is over"):
        sitting.answer("player_0", 0)


def test_the_seat_of_devious_automatics_may_be_a_persons() -> None:
    config = GameConfig(mode="solo", da_agent=True)
    sitting = Sitting(config, {"player_0": make_agent("greedy")}, ["da_0"], 4)
    asked = play(sitting, 1)
    assert sitting.over
    assert asked > 0
    assert "your" not in "".join(entry.words for entry in sitting.log("da_0") if entry.seat == "player_0")
    assert Game(**config.as_dict(), seed=4).to_bytes() == sitting.replay().start().to_bytes()
