"""The rulings that settle what the printed rules leave open, and the check positions of the rules."""

import pytest

from pocketmars_env.games.project_mars.game import Game
from pocketmars_env.games.project_mars.rules.actions import PLAY, UTILITY, encode_play
from tests.games.project_mars.builders import (
    NUMBER,
    Field,
    at,
    choose,
    field,
    junkyard,
    play,
    powers,
    stop,
    tpr,
)


def lanes(game: Game) -> list[int | None]:
    found: list[int | None] = game.snapshot()["lanes"]
    return found


def test_first_check_position() -> None:
    own = {0: "Medic", 1: "Infantry", 2: "Humvee", 4: "Outpost", 5: "Comms Station", 6: "Defense Turret"}
    enemy = {0: "Sentinel", 3: "Cyber Soldier", 4: "Sentinel", 6: "Cybernetics Lab", 7: "Drone"}
    game = at(own, enemy)
    assert powers(game, 0) == {0: 0, 1: 2, 2: 2, 4: 5, 5: 0, 6: 5}
    assert (lanes(game), tpr(game)) == ([0, 0, 0, 1], [26, 11])


def test_second_check_position() -> None:
    own = {2: "Humvee", 4: "Outpost", 5: "Comms Station", 6: "Defense Turret"}
    enemy = {0: "Sentinel d", 3: "Cyber Soldier d", 4: "Sentinel d", 6: "Cybernetics Lab", 7: "Drone d"}
    game = at(own, enemy, gas=True)
    assert (lanes(game), tpr(game)) == ([1, None, 0, 1], [15, 2])


def test_r_copies_allows_any_number_unless_limited() -> None:
    deck = [NUMBER["Outpost"]] * 30
    assert Game(mode="constructed", deck_0=deck, deck_1=deck, seed=1).config.copies == 30
    with pytest.raises(ValueError, match="3"):
        Game(mode="constructed", deck_0=deck, deck_1=deck, copies=3)


def test_r_coin_the_first_player_is_unknown_until_the_mulligans_are_over() -> None:
    game = Game(seed=1)
    while game.decision == "MULLIGAN":
        assert game.snapshot()["first_seat"] is None
        stop(game)
    assert game.snapshot()["first_seat"] == game.to_play


def test_r_mulligan_trades_one_by_one_and_shuffles_afterwards() -> None:
    game = Game(seed=1)
    before = game.snapshot()["seats"][0]
    traded = before["hand"][0]
    choose(game, next(name for name, number in NUMBER.items() if number == traded))
    seat = game.snapshot()["seats"][0]
    assert seat["aside"] == [traded]
    assert sorted([*before["hand"], before["deck"][0]]) == sorted([*seat["hand"], traded])
    stop(game)
    assert traded in game.snapshot()["seats"][0]["deck"]


@pytest.mark.parametrize("slot", [0, 4])
def test_r_rows_cards_may_lie_in_both_rows(slot: int) -> None:
    game = at(hand=["Outpost", "Medic"])
    for name in ("Outpost", "Medic"):
        assert PLAY + encode_play(NUMBER[name], slot) in game.legal


def test_r_when_effects_do_not_wait_for_a_target() -> None:
    game = play(at(hand=["Sniper", "Medic"], enemy_hand=["Medic", "Scout"]), "Sniper", 4)
    play(game, "Medic", 0)
    assert field(game, 1) == {0: "Medic"}


def test_r_utility_one_in_a_round() -> None:
    game = play(at(hand=["EMP Bomb", "Toxic Gas", "Medic", "Medic"]), "EMP Bomb")
    play(game, "Defense Turret", 0)
    assert game.to_play == 0
    assert {UTILITY + kind for kind in range(5)}.isdisjoint(game.legal)


def test_r_zero_shows_no_bonus() -> None:
    game = play(at({0: "Medic z"}, hand=["Favorable Conditions", "Scout"]), "Favorable Conditions")
    assert powers(game, 0) == {0: 0}
    assert tpr(game)[0] == 4


def test_r_disable_leaves_a_partner_for_a_sentinel() -> None:
    assert tpr(at({0: "Sentinel", 4: "Sentinel d"}))[0] == 7
    assert tpr(at({0: "Sentinel d", 4: "Sentinel"}))[0] == 1


def test_r_trapwhere_only_empty_slots_of_the_enemy() -> None:
    game = at({1: "Medic"}, {0: "Medic", 5: "!Spy"}, ["Spy", "Medic"])
    slots = {slot for slot in range(8) if PLAY + encode_play(NUMBER["Spy"], slot) in game.legal}
    assert slots == {1, 2, 3, 4, 6, 7}


def test_r_trapfirst_a_destroyed_card_has_no_effect() -> None:
    game = play(at({0: "!Landmine"}, {1: "Medic"}, ["Strike Team", "Scout"]), "Strike Team", 0)
    assert field(game, 1) == {1: "Medic"}
    assert junkyard(game, 0) == ["Strike Team"]


def test_r_choose_an_offer_that_is_impossible_is_not_made() -> None:
    full = dict.fromkeys(range(8), "Medic")
    game = play(at({4: "!Stealth Op"}, full, ["Outpost"], enemy_hand=["Scout", "EMP Bomb"]), "Outpost", 4)
    assert junkyard(game, 1) == ["Stealth Op"]


def test_r_gas_stops_reveals() -> None:
    game = play(at(hand=["Scout", "Medic"], gas=True), "Scout", 0)
    assert game.snapshot()["seats"][1]["revealed"] == []


def test_r_reveal_a_revealed_card_leaves_the_hand_first() -> None:
    game = at(enemy_hand=["Medic", "Medic"], revealed=["Medic"])
    stop(game)
    play(game, "Medic", 0)
    seat = game.snapshot()["seats"][1]
    assert (len(seat["hand"]), seat["revealed"]) == (1, [])


def test_r_pass_is_final() -> None:
    game = stop(at(hand=["Medic"]))
    play(game, "Defense Turret", 0)
    assert game.to_play == 1


def test_r_stuck_a_seat_without_a_playable_card_passes() -> None:
    full = dict.fromkeys(range(8), "Medic")
    game = play(at({}, full, ["Medic", "Scout"], enemy_hand=["Scout"]), "Medic", 0)
    assert game.to_play == 0
    assert game.snapshot()["seats"][1]["passed"]


@pytest.mark.parametrize(("own", "enemy", "winner"), [
    ({0: "Medic", 4: "Medic"}, {0: "Defense Turret"}, 0),
    ({0: "Medic", 4: "Medic"}, {0: "Defense Turret", 4: "Scout"}, 1),
    ({0: "Scout"}, {0: "Defense Turret"}, 1),
    ({0: "Scout"}, {4: "Scout"}, None),
    ({0: "Medic", 4: "!Spy"}, {}, None),
])  # fmt: skip
def test_r_lane_a_column_filled_alone_wins(own: Field, enemy: Field, winner: int | None) -> None:
    assert lanes(at(own, enemy))[0] == winner


@pytest.mark.parametrize(("results", "is_over"), [
    ([[5, 3]], True), ([[3, 3]], True), ([[3, 5]], False),
])  # fmt: skip
def test_r_match_round_2_ends_the_game_if_somebody_leads(results: list[list[int]], is_over: bool) -> None:
    game = at({0: "Medic"}, passed=(1,), round=2, results=results)
    for seat in range(2):
        wins = sum(result[seat] > result[1 - seat] for result in results)
        assert game.snapshot()["seats"][seat]["wins"] == wins
    stop(game)
    assert game.over is is_over


def test_r_trapleft_traps_go_to_the_junkyard_after_the_round() -> None:
    game = stop(at({4: "!Spy"}, passed=(1,)))
    assert "Spy" in junkyard(game, 1)
    assert game.snapshot()["round"] == 2
