"""The effect of each card, in the row where it works and in the other row."""

import pytest

from tests.games.project_mars.builders import (
    Field,
    at,
    choose,
    field,
    junkyard,
    names,
    pick,
    play,
    powers,
    stop,
    tpr,
)

TWO = ["Infantry", "Medic"]


@pytest.mark.parametrize(("name", "slot", "column", "number"), [
    ("Scout", 0, {}, 1),
    ("Scout", 4, {}, 0),
    ("Drone", 0, {}, 0),
    ("Drone", 0, {0: "Medic"}, 1),
    ("Drone", 0, {0: "Medic", 4: "Outpost"}, 2),
    ("Drone", 4, {0: "Medic", 4: "Outpost"}, 0),
])  # fmt: skip
def test_reveals(name: str, slot: int, column: Field, number: int) -> None:
    game = play(at(enemy=column, hand=[name, "Medic"], enemy_hand=TWO), name, slot)
    assert len(game.snapshot()["seats"][1]["revealed"]) == number


@pytest.mark.parametrize(("name", "own", "enemy", "additions"), [
    ("Medic", {0: "Medic"}, {}, 4),
    ("Medic", {4: "Medic"}, {}, 0),
    ("Outpost", {4: "Outpost"}, {}, 2),
    ("Outpost", {0: "Outpost"}, {}, 0),
    ("Sentinel", {0: "Sentinel", 4: "Sentinel"}, {}, 6),
    ("Sentinel", {0: "Sentinel", 5: "Sentinel"}, {}, 0),
    ("Sentinel", {0: "Sentinel"}, {0: "Sentinel", 4: "Sentinel"}, 0),
    ("Infantry", {0: "Infantry"}, {}, 1),
    ("Infantry", {4: "Infantry"}, {}, 0),
    ("Infantry", {0: "Infantry", 1: "Infantry"}, {4: "Infantry"}, 3),
    ("Cyber Soldier", {0: "Infantry", 1: "Cyber Soldier", 5: "Cyber Soldier"}, {}, 2),
    ("Humvee", {0: "Infantry", 1: "Humvee", 5: "Humvee"}, {}, 2),
    ("Defense Turret", {0: "Defense Turret", 5: "Defense Turret"}, {}, 0),
])  # fmt: skip
def test_additions_to_the_tpr(name: str, own: Field, enemy: Field, additions: int) -> None:
    game = at(own, enemy)
    lanes = game.snapshot()["lanes"].count(0)
    assert tpr(game)[0] == sum(powers(game, 0).values()) + lanes + additions


@pytest.mark.parametrize(("own", "expected"), [
    ({4: "Cybernetics Lab", 0: "Drone", 1: "Android", 6: "Cyber Soldier", 3: "Scout"},
     {0: 2, 1: 2, 3: 2, 4: 0, 6: 2}),
    ({0: "Cybernetics Lab", 1: "Drone"}, {0: 0, 1: 1}),
    ({4: "Cybernetics Lab", 5: "Cybernetics Lab", 0: "Drone"}, {0: 2, 4: 0, 5: 0}),
    ({5: "Comms Station", 4: "Outpost", 6: "Medic", 1: "Medic"}, {1: 0, 4: 5, 5: 0, 6: 2}),
    ({1: "Comms Station", 0: "Outpost"}, {0: 3, 1: 0}),
    ({4: "Comms Station", 5: "Outpost", 6: "Comms Station"}, {4: 0, 5: 5, 6: 0}),
    ({4: "Comms Station", 5: "Comms Station"}, {4: 0, 5: 0}),
])  # fmt: skip
def test_raised_power(own: Field, expected: dict[int, int]) -> None:
    assert powers(at(own), 0) == expected


@pytest.mark.parametrize(("name", "slot", "enemy", "after"), [
    ("Artillery Cannon", 0, {1: "Infantry", 6: "Infantry", 2: "Humvee", 7: "Humvee", 3: "Medic"},
     {7: "Humvee", 3: "Medic"}),
    ("Artillery Cannon", 4, {1: "Infantry"}, {1: "Infantry"}),
    ("Ballistic Missiles", 4, {0: "Outpost", 5: "Outpost"}, {5: "Outpost"}),
    ("Ballistic Missiles", 0, {0: "Outpost"}, {0: "Outpost"}),
    ("Sniper", 4, {4: "Medic", 1: "Medic"}, {1: "Medic"}),
    ("Sniper", 0, {4: "Medic"}, {4: "Medic"}),
    ("Strike Team", 0, {6: "Medic"}, {6: "Medic z"}),
    ("Strike Team", 4, {6: "Medic"}, {6: "Medic"}),
    ("Defense System", 4, {0: "Scout", 1: "Scout"}, {0: "Scout d", 1: "Scout"}),
    ("Defense System", 0, {0: "Scout"}, {0: "Scout"}),
])  # fmt: skip
def test_effects_on_the_enemys_field(name: str, slot: int, enemy: Field, after: Field) -> None:
    assert field(play(at(enemy=enemy, hand=[name, "Medic"]), name, slot), 1) == after


def test_effects_with_several_targets_let_their_player_choose() -> None:
    game = play(at(enemy={0: "Medic", 4: "Infantry"}, hand=["Sniper", "Medic"]), "Sniper", 4)
    assert (game.to_play, game.decision) == (0, "TARGET")
    assert field(pick(game, 4), 1) == {0: "Medic"}
    game = play(at({1: "Humvee", 5: "Humvee"}, hand=["Siege Vehicle", "Medic"]), "Siege Vehicle", 0)
    assert field(pick(game, 5, of_enemy=False), 0) == {0: "Siege Vehicle", 1: "Humvee", 5: "Humvee +2"}


def test_siege_vehicle_raises_another_vehicle_of_its_field() -> None:
    game = play(at({6: "Humvee"}, {0: "Humvee"}, ["Siege Vehicle", "Medic"]), "Siege Vehicle", 0)
    assert (powers(game, 0), powers(game, 1)) == ({0: 2, 6: 4}, {0: 2})
    alone = play(at({}, {0: "Humvee"}, ["Siege Vehicle", "Medic"]), "Siege Vehicle", 0)
    assert powers(alone, 0) == {0: 2}
    below = play(at({1: "Humvee"}, {}, ["Siege Vehicle", "Medic"]), "Siege Vehicle", 4)
    assert powers(below, 0) == {1: 2, 4: 2}


def test_research_station_trades_a_card_for_a_utility_that_is_shown() -> None:
    game = at(hand=["Research Station", "Medic", "Scout"], deck=["Toxic Gas", "Sinkhole"])
    play(game, "Research Station", 4)
    assert game.decision == "GIVE"
    choose(game, "Scout")
    assert game.decision == "TAKE"
    choose(game, "Sinkhole")
    seat = game.snapshot()["seats"][0]
    assert names(seat["hand"]) == ["Medic", "Sinkhole"]
    assert names(seat["revealed"]) == ["Sinkhole"]
    assert {"Scout", "Toxic Gas"} <= set(names(seat["deck"]))
    assert not seat["aside"]


def test_research_station_without_a_utility_in_the_deck_does_nothing() -> None:
    game = play(at(hand=["Research Station", "Medic"]), "Research Station", 4)
    assert (game.to_play, game.decision) == (1, "TURN")
    game = play(at(hand=["Research Station", "Medic"], deck=["Sinkhole"]), "Research Station", 0)
    assert (game.to_play, game.decision) == (1, "TURN")


@pytest.mark.parametrize(("name", "own", "enemy"), [
    ("EMP Bomb", {0: "Scout d", 4: "Medic", 1: "Sentinel d"}, {5: "Android d", 0: "Humvee"}),
    ("Top Secret Information", {0: "Scout", 4: "Medic", 1: "Sentinel"}, {5: "Android", 0: "Humvee"}),
    ("Favorable Conditions", {0: "Scout", 4: "Medic +2", 1: "Sentinel"}, {5: "Android", 0: "Humvee"}),
    ("Toxic Gas", {0: "Scout", 1: "Sentinel"}, {5: "Android", 0: "Humvee"}),
])  # fmt: skip
def test_utilities_act_on_both_fields(name: str, own: Field, enemy: Field) -> None:
    game = at({0: "Scout", 4: "Medic", 1: "Sentinel"}, {5: "Android", 0: "Humvee"}, [name, "Medic"])
    play(game, name)
    assert (field(game, 0), field(game, 1)) == (own, enemy)
    assert name in junkyard(game, 0)
    assert game.to_play == 1


def test_top_secret_information_destroys_ghosts_and_traps() -> None:
    own, enemy = {0: "!Spy", 4: "Sniper"}, {1: "!Landmine", 0: "Stealth Op", 5: "Medic"}
    game = play(at(own, enemy, ["Top Secret Information", "Medic"]), "Top Secret Information")
    assert (field(game, 0), field(game, 1)) == ({}, {5: "Medic"})
    assert junkyard(game, 0) == ["Landmine", "Sniper", "Top Secret Information"]
    assert junkyard(game, 1) == ["Stealth Op", "Spy"]


def test_sinkhole_destroys_a_building_for_each_discarded_card() -> None:
    enemy = {0: "Outpost", 5: "Outpost", 6: "Research Station"}
    game = play(at({}, enemy, ["Sinkhole", "Medic", "Scout", "Drone"]), "Sinkhole")
    assert game.decision == "DISCARD"
    choose(game, "Medic")
    stop(game)
    assert game.decision == "TARGET"
    assert field(pick(game, 5), 1) == {0: "Outpost", 6: "Research Station"}
    assert junkyard(game, 0) == ["Medic", "Sinkhole"]
    all_of_them = play(at({}, enemy, ["Sinkhole", "Medic", "Scout", "Drone"]), "Sinkhole")
    for name in ("Medic", "Scout"):
        choose(all_of_them, name)
    choose(all_of_them, "Drone")
    assert field(all_of_them, 1) == {}
    none = stop(play(at({}, enemy, ["Sinkhole", "Medic"]), "Sinkhole"))
    assert len(field(none, 1)) == 3


# --- traps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "slot", "after"), [
    ("Medic", 0, {}),
    ("Outpost", 4, {4: "Outpost z"}),
    ("Humvee", 0, {0: "Humvee"}),
])  # fmt: skip
def test_landmine(name: str, slot: int, after: Field) -> None:
    game = play(at({slot: "!Landmine"}, hand=[name, "Drone"]), name, slot)
    assert field(game, 0) == after
    assert junkyard(game, 1) == ["Landmine"]


def test_stealth_op_lets_the_placing_player_choose() -> None:
    game = play(at({4: "!Stealth Op"}, hand=["Outpost", "Medic", "Drone"]), "Outpost", 4)
    assert (game.to_play, game.decision) == (0, "TRAP")
    choose(game, "Medic")
    assert names(game.snapshot()["seats"][0]["revealed"]) == ["Medic"]
    assert junkyard(game, 1) == ["Stealth Op"]


def test_a_trap_comes_back_to_a_slot_of_its_owners_choice() -> None:
    game = play(at({4: "!Spy"}, {0: "Medic"}, ["Scout", "Drone"]), "Scout", 4)
    send_back = next(action for action in game.legal if game.describe(action) == "send the trap back")
    game.step(send_back)
    assert (game.to_play, game.decision) == (1, "COME_BACK")
    pick(game, 6, of_enemy=False)
    assert field(game, 1) == {0: "Medic", 6: "Spy"}
    assert powers(game, 1)[6] == 2
    assert (game.to_play, game.decision) == (1, "TURN")


def test_spy_takes_only_cards_with_little_power() -> None:
    weak = play(at({4: "!Spy"}, hand=["Scout", "Drone"]), "Scout", 4)
    lose = next(action for action in weak.legal if weak.describe(action) == "lose the placed card")
    weak.step(lose)
    assert field(weak, 0) == {}
    assert (junkyard(weak, 0), junkyard(weak, 1)) == (["Scout"], ["Spy"])
    strong = play(at({4: "!Spy"}, hand=["Outpost", "Drone"]), "Outpost", 4)
    assert (strong.to_play, strong.decision) == (1, "COME_BACK")


@pytest.mark.parametrize(("slot", "is_triggered"), [(0, False), (4, True)])
def test_android_destroys_traps_from_the_top_row(slot: int, is_triggered: bool) -> None:
    game = play(at({slot: "!Spy"}, hand=["Android", "Drone"]), "Android", slot)
    assert (game.decision == "TRAP") is is_triggered
    assert (junkyard(game, 1) == ["Spy"]) is not is_triggered
