import pytest

from pocketmars_agents.arena.match_replays import AUTOMATON
from pocketmars_agents.play.player_names import PlayerNames, check_chosen_name
from pocketmars_agents.play.seats import HUMAN, SessionError

SEATS = ("player_0", "player_1", "player_2")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("player_0: which action?", "You: which action?"),
        ("player_0 wins with 20 points", "You win with 20 points"),
        ("the game is over: player_0 wins", "the game is over: You win"),
        ("pass; player_0 gets 2 more cards", "pass; you get 2 more cards"),
        ("look at the prep module of player_0", "look at your prep module"),
        ("Back hand of player_0", "Your back hand"),
        ("player_0: hand", "Your hand"),
        ("Research Station of player_0", "Your Research Station"),
        ("player_0 has passed", "You have passed"),
        ("as player_0 sees it", "as you see it"),
        ("prep module of player_1", "prep module of planner 2"),
        ("player_2: 1 colonist Earth → Ship", "planner 3: 1 colonist Earth → Ship"),
        ("player_10 is no seat", "player_10 is no seat"),
    ],
)
def test_texts_name_the_players(text: str, read: str) -> None:
    names = PlayerNames(SEATS, (HUMAN, "planner", "planner"), "player_0", {})
    assert names.in_text(text) == read


def test_labels() -> None:
    solo = PlayerNames(("player_0", "da_0"), (HUMAN, AUTOMATON), "player_0", {})
    assert solo.labels == {"player_0": "You", "da_0": "Devious Automatics"}
    people = PlayerNames(SEATS, (HUMAN, HUMAN, "greedy"), "player_1", {})
    assert people.labels == {"player_0": "Player 1", "player_1": "You", "player_2": "greedy"}


def test_others_read_the_names_that_people_choose() -> None:
    chosen = {"player_0": "Ada", "player_1": "Jo"}
    people = PlayerNames(SEATS, (HUMAN, HUMAN, "greedy"), "player_1", chosen)
    assert people.labels == {"player_0": "Ada", "player_1": "You", "player_2": "greedy"}
    check_chosen_name("Zoë K. 2", SEATS, people)


@pytest.mark.parametrize(
    "name", ["", " Jo", "Jo ", "<b>", "a" * 21, "a\nb", "ada", "GREEDY", "you", "player_1"]
)
def test_names_that_mislead_are_refused(name: str) -> None:
    people = PlayerNames(SEATS, (HUMAN, HUMAN, "greedy"), "player_1", {"player_0": "Ada"})
    with pytest.raises(SessionError):
        check_chosen_name(name, SEATS, people)


def test_columns_stay_where_they_are() -> None:
    names = PlayerNames(SEATS, (HUMAN, "a_very_long_name", AUTOMATON), "player_0", {})
    rows = ("0 player_0  3", "1 \x1b[1mplayer_1\x1b[0m  5", "2 player_2  7", "player_2 · 2")
    shown = ("0 You       3", "1 \x1b[1ma_very_l…\x1b[0m 5", "2 DA        7", "Devious Automatics · 2")
    assert tuple(map(names.in_table, rows)) == shown
