"""The rulings that settle what the printed rules leave open; each test names its ruling."""

from typing import Any

import pytest

from pocketmars_env import Game, observation_pieces
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.testing import seen_by
from tests.builders import (
    AQUALAB,
    COMMS_CENTER,
    GREENHOUSE,
    HABITATION,
    at,
    choices,
    given,
    knows,
    play,
    seat,
    table,
)

OTHER = seat(hand=["Habitation a", "Habitation b"], prep=["Habitation e", "Habitation f"])
"""A second player whose cards have no suit in common with the cards under test."""


def from_hand(card: str, *others: dict[str, Any], **own: Any) -> Game:
    """Let seat 0 play this card from hand, and return the game."""
    mine = seat(hand=[card, "Greenhouse 1"], prep=["Habitation c", "Habitation d"], **own)
    return play(given(mine, *(others or (OTHER,))), f"PLAY_HAND({card})")


def from_prep(card: str, *others: dict[str, Any], hand: list[str] | None = None, **own: Any) -> Game:
    """Let seat 0 play this card from its prep module, next to Habitation c, and return the game."""
    more = {key: own.pop(key) for key in ("piles", "face_down", "discard", "deck") if key in own}
    mine = seat(hand=hand or ["Habitation d", "Habitation g"], prep=[card, "Habitation c"], **own)
    return play(given(mine, *(others or (OTHER,)), **more), f"PLAY_PREP({card})")


def test_r_suits_cards_are_numbered_by_suit_and_value() -> None:
    suits = ["Greenhouse", "Aqualab", "Energy", "Comms"]
    names = [f"{suit} {value}" for suit in suits for value in range(1, 8)]
    assert [card.name for card in CARDS] == names + [f"Habitation {letter}" for letter in "abcdefg"]


IF_SUIT_IN_HAND = [
    f"{suit} {value}" for suit in ("Greenhouse", "Aqualab", "Energy", "Comms") for value in (5, 7)
]


@pytest.mark.parametrize("card", IF_SUIT_IN_HAND)
def test_r_icon_it_is_the_cards_own_suit(card: str) -> None:
    suit = card.split()[0]
    others = [name for name in ("Greenhouse", "Aqualab", "Energy", "Comms") if name != suit]
    alike = from_prep(card, hand=[f"{suit} 1", "Habitation d"], ship=0)
    assert alike.decision == "BOTTOM"
    assert at(play(alike, "ACCEPT"), 0)["ship"] == 1
    for other in others:
        assert from_prep(card, hand=[f"{other} 1", "Habitation d"], ship=0).decision != "BOTTOM"


def test_r_facedown_a_face_down_card_has_the_value_0() -> None:
    piles = {COMMS_CENTER: ["Comms 7"]}
    assert from_prep("Comms 1", piles=piles).decision != "SETTLE"
    game = from_prep("Comms 1", piles=piles, face_down=["Comms 7"])
    assert game.decision == "SETTLE"


def test_r_top_any_hand_card_may_be_played_though_it_does_nothing() -> None:
    game = from_hand("Comms 3", ship=1)  # its effect requires an empty Ship
    assert at(game, 0)["ship"] == 1
    assert table(game)["discard"] == ["Comms 3"]
    assert (game.to_play, game.decision) == (1, "TURN")


def test_r_top_an_action_is_not_optional() -> None:
    game = from_hand("Greenhouse 6", ship=1)
    assert game.decision == "SETTLE_WHERE"
    assert "PASS" not in choices(game)
    swap = from_hand("Greenhouse 5", {**OTHER, "star2": [1, 1, 0, 0]}, star=[1, 1, 0, 0])
    assert choices(swap) == ["SWAP(Greenhouse, ★ self, ★★ seat +1)", "SWAP(Aqualab, ★ self, ★★ seat +1)"]


def test_r_bottom_what_would_change_nothing_is_not_offered() -> None:
    full = from_prep("Energy 2", energy=7)  # gain 2, and the Energy Bank's gain 1
    assert (full.to_play, full.decision) == (0, "FILL")
    everybody_left: dict[str, Any] = {"ship": 3, "star": [0, 0, 0, 4]}
    game = from_prep("Comms 1", **everybody_left)  # Comms Center: nobody to launch
    assert (game.to_play, game.decision) == (0, "FILL")


def test_r_bottom_paying_is_not_a_change() -> None:
    game = from_prep("Energy 4", ship=3, star=[4, 0, 0, 0], energy=5)  # use 2: nobody to launch
    assert game.decision == "SETTLE"
    play(game, "PASS")
    assert game.decision == "ABILITY"


def test_r_cost_a_price_is_paid_only_for_a_change() -> None:
    game = from_hand("Energy 6", ship=0, energy=7)
    assert at(game, 0)["energy"] == 7
    comms = from_prep("Comms 3", hand=["Comms 1", "Comms 2"], ship=3, star=[4, 0, 0, 0])
    assert (comms.to_play, comms.decision) == (0, "FILL")
    look = from_prep("Habitation a", {"prep": ["Comms 1", "Comms 2"]}, knows=["Comms 1", "Comms 2"], energy=5)
    assert look.decision == "ABILITY"


def test_r_return_at_full_energy_the_colonist_alone_is_worth_it() -> None:
    game = play(from_prep("Comms 6", ship=0, star=[1, 0, 0, 0], energy=7), "ACCEPT")
    assert (at(game, 0)["ship"], at(game, 0)["star"], at(game, 0)["energy"]) == (1, [0] * 4, 7)
    game = play(from_prep("Greenhouse 6", ship=0, star2=[0, 1, 0, 0], energy=7), "ACCEPT")
    assert (at(game, 0)["star"], at(game, 0)["star2"], at(game, 0)["energy"]) == ([0, 1, 0, 0], [0] * 4, 7)


def test_r_self_aqualab_2_cannot_take_itself_or_what_it_covers() -> None:
    assert from_prep("Aqualab 2", piles={AQUALAB: ["Aqualab 7"]}).decision == "ABILITY"
    piles = {AQUALAB: ["Aqualab 7"], GREENHOUSE: ["Greenhouse 1"], HABITATION: ["Habitation d"]}
    game = play(from_prep("Aqualab 2", piles=piles, hand=["Energy 1", "Energy 3"]), "ACCEPT")
    assert game.decision == "TAKE_TOP"
    assert choices(game) == ["BUILDING(Greenhouse)", "BUILDING(Habitation)"]


def test_r_more_energy_7_reaches_the_discard_pile_after_the_extra_action() -> None:
    mine = seat(hand=["Energy 7", "Habitation c"], prep=["Comms 1", "Comms 2"])
    game = given(mine, OTHER, discard=["Aqualab 1", "Aqualab 2"])
    play(game, "PLAY_HAND(Energy 7)")
    assert table(game)["in_play"] == ["Energy 7"]
    play(game, "PLAY_HAND(Habitation c)")
    assert table(game)["in_play"] == ["Energy 7", "Habitation c"]
    assert choices(game) == ["CARD(Aqualab 1)", "CARD(Aqualab 2)"]
    play(game, "CARD(Aqualab 1)")
    assert table(game)["in_play"] == []
    assert table(game)["discard"] == ["Aqualab 2", "Habitation c", "Energy 7"]


def test_r_played_a_card_is_in_no_zone_while_its_top_action_resolves() -> None:
    mine = seat(hand=["Habitation c", "Comms 1"], prep=["Comms 2", "Comms 3"])
    game = play(given(mine, OTHER, discard=["Energy 1", "Energy 2"]), "PLAY_HAND(Habitation c)")
    assert table(game)["in_play"] == ["Habitation c"]
    assert at(game, 0)["hand"] == ["Comms 1"]
    assert choices(game) == ["CARD(Energy 1)", "CARD(Energy 2)"]  # not itself
    play(game, "CARD(Energy 2)")
    assert table(game)["in_play"] == []
    assert table(game)["discard"] == ["Energy 1", "Habitation c"]


def test_r_upgrade_needs_a_free_place() -> None:
    other = {**OTHER, "star2": [1, 0, 1, 0]}
    blocked = from_hand("Energy 5", other, star=[0, 0, 1, 0])
    assert (at(blocked, 0)["star"], at(blocked, 0)["star2"]) == ([0, 0, 1, 0], [0] * 4)
    game = play(from_prep("Greenhouse 1", other, star=[1, 1, 0, 0], ship=0), "ACCEPT")
    assert choices(game) == [
        "SHIFT(Greenhouse, seat +1, ★★→★)",
        "SHIFT(Aqualab, self, ★→★★)",
        "SHIFT(Energy Bank, seat +1, ★★→★)",
    ]


DRAWER = seat(hand=["Comms 2", "Habitation d"], prep=["Habitation c", "Habitation g"])


@pytest.mark.parametrize(("kept", "put"), [("Energy 1", "Energy 5"), ("Energy 1", "Aqualab 5")])
def test_r_keep_the_card_put_face_down_is_known_to_its_player_only(kept: str, put: str) -> None:
    game = given(DRAWER, OTHER, deck=[kept, put])
    play(game, "PLAY_HAND(Comms 2)")
    assert (game.decision, set(choices(game))) == ("KEEP", {f"CARD({kept})", f"CARD({put})"})
    play(game, f"CARD({kept})")
    assert table(game)["face_down"] == [put]
    assert [put] in table(game)["piles"]
    assert at(game, 0)["hand"] == [kept, "Habitation d"]
    assert knows(game, 0, kept, put) == [True, True]
    assert knows(game, 1, kept, put) == [False, False]


@pytest.mark.parametrize(("second", "is_known"), [("Energy 5", False), ("Aqualab 5", True)])
@pytest.mark.parametrize("is_kept", [False, True])
def test_r_keep_who_knew_one_loses_it_only_beside_a_card_of_its_suit(
    second: str, is_known: bool, is_kept: bool
) -> None:
    da = seat(prep=["Energy 1", second], knows=["Energy 1"])
    game = play(given(DRAWER, da, mode="solo"), "PLAY_HAND(Comms 2)")
    play(game, f"CARD({'Energy 1' if is_kept else second})")
    assert knows(game, 0, "Energy 1", second) == [True, True]
    assert knows(game, 1, "Energy 1", second) == [is_known, False]


def test_r_other_the_das_module_is_another_players() -> None:
    mine = seat(hand=["Aqualab 3", "Comms 1"], prep=["Comms 2", "Comms 3"])
    da = seat(prep=["Energy 1", "Energy 2"])
    game = play(given(mine, da, mode="solo"), "PLAY_HAND(Aqualab 3)", "CARD(Comms 2)")
    assert choices(game) == ["SLOT(seat +1, slot 0)", "SLOT(seat +1, slot 1)"]
    play(game, "SLOT(seat +1, slot 1)")
    assert at(game, 0)["prep"] == ["Energy 2", "Comms 3"]
    assert at(game, 1)["prep"] == ["Energy 1", "Comms 2"]
    seer = seat(hand=["Aqualab 1", "Comms 1"], prep=["Habitation a", "Comms 3"], energy=1)
    looked = play(given(seer, da, mode="solo"), "PLAY_PREP(Habitation a)", "ACCEPT")
    assert knows(looked, 0, "Energy 1", "Energy 2") == [True, True]


def test_r_other_a_look_shows_the_cards_that_are_there() -> None:
    active = seat(hand=["Greenhouse 1", "Greenhouse 2"], prep=["Comms 1", "Comms 2"])
    owner = seat(hand=["Energy 1", "Energy 2"], prep=["Energy 3", "Habitation a"], energy=1)
    game = given(owner, active, active_seat=1)
    # in the first game the owner of the card looks, in the second the active player
    play(game, "PLAY_OTHER(seat +1, slot 1)", "ACCEPT")
    assert knows(game, 0, "Comms 1", "Comms 2") == [True, True]
    looker = seat(hand=["Energy 7", "Energy 2"], prep=["Habitation a", "Energy 4"], energy=1, ship=0)
    game = given(looker, active)
    play(game, "PLAY_HAND(Energy 7)", "PLAY_PREP(Habitation a)", "ACCEPT")
    assert knows(game, 0, "Comms 1", "Comms 2", "Greenhouse 1") == [True, True, False]


def test_r_slots_everybody_sees_which_slot_a_card_leaves_and_enters() -> None:
    owner = seat(hand=["Energy 1", "Energy 2"], prep=["Comms 3", "Comms 5"])
    watcher = seat(hand=["Aqualab 1", "Aqualab 2"], prep=["Aqualab 3", "Aqualab 4"], knows=["Comms 5"])
    game = given(owner, watcher, deck=["Comms 1"])
    play(game, "PLAY_PREP(Comms 3)")
    while game.decision in ("SETTLE", "BOTTOM", "ABILITY"):
        play(game, "PASS")
    assert at(game, 0)["prep"] == [None, "Comms 5"]
    play(game, "CARD(Comms 1)")
    assert at(game, 0)["prep"] == ["Comms 1", "Comms 5"]
    assert knows(game, 1, "Comms 1", "Comms 5") == [False, True]


@pytest.mark.parametrize(("before", "after"), [(4, 6), (5, 7), (6, 7), (7, 7)])
def test_r_energy_never_exceeds_7(before: int, after: int) -> None:
    assert at(from_hand("Habitation a", seat(), energy=before), 0)["energy"] == after


DA_SETTLED = seat(prep=["Energy 1", "Energy 2"], star=[1, 0, 0, 0], star2=[0, 1, 0, 0], ship=3)


def solo_from_prep(card: str, **own: Any) -> Game:
    mine = seat(hand=["Comms 1", "Comms 2"], prep=[card, "Comms 3"], **own)
    return play(given(mine, DA_SETTLED, mode="solo"), f"PLAY_PREP({card})")


@pytest.mark.parametrize(("card", "energy"), [("Greenhouse 3", 0), ("Greenhouse 4", 3)])  # ability, bottom
def test_r_any_greenhouse_moves_the_das_colonists_too(card: str, energy: int) -> None:
    game = play(solo_from_prep(card, ship=0, energy=energy), "ACCEPT")
    assert choices(game) == ["SHIFT(Greenhouse, seat +1, ★→★★)", "SHIFT(Aqualab, seat +1, ★★→★)"]
    play(game, "SHIFT(Aqualab, seat +1, ★★→★)")
    assert (at(game, 1)["star"], at(game, 1)["star2"]) == ([1, 1, 0, 0], [0] * 4)


def test_r_any_greenhouse_5_and_comms_4_swap_with_the_das_colonists_too() -> None:
    mine = seat(hand=["Greenhouse 5", "Comms 2"], prep=["Comms 3", "Comms 7"], star=[0, 2, 0, 0])
    game = play(given(mine, DA_SETTLED, mode="solo"), "PLAY_HAND(Greenhouse 5)")
    assert (at(game, 0)["star2"], at(game, 1)["star"][1]) == ([0, 1, 0, 0], 1)
    comms = play(solo_from_prep("Comms 4", ship=0, star=[0, 1, 0, 0]), "ACCEPT")
    assert (at(comms, 0)["star2"], at(comms, 1)["star2"]) == ([0, 1, 0, 0], [0] * 4)


def test_r_look_what_was_seen_stays_known() -> None:
    other = seat(hand=["Energy 1", "Energy 2"], prep=["Comms 1", "Comms 2"])
    game = play(
        from_prep("Habitation a", other, hand=["Greenhouse 1", "Aqualab 1"], energy=1), "ACCEPT", "PASS"
    )
    assert knows(game, 0, "Comms 1", "Comms 2") == [True, True]
    while game.to_play == 0:
        game.step(game.legal[0])
    for _ in range(4):
        play(game, "LAUNCH")
    assert knows(game, 0, "Comms 1", "Comms 2") == [True, True]
    assert knows(game, 1, "Greenhouse 1", "Aqualab 1") == [False, False]


def test_r_forced_a_single_answer_is_given_by_the_game() -> None:
    mine = seat(hand=["Habitation c", "Comms 1"], prep=["Comms 2", "Comms 3"])
    game = play(given(mine, OTHER, discard=["Energy 1"]), "PLAY_HAND(Habitation c)")
    assert at(game, 0)["hand"] == ["Energy 1", "Comms 1"]
    assert (game.to_play, game.decision) == (1, "TURN")
    look = play(from_prep("Aqualab 6", energy=1), "PASS", "ACCEPT")  # there is only one other player
    assert knows(look, 0, "Habitation e", "Habitation f") == [True, True]


def test_r_forced_an_optional_step_is_asked_even_with_one_thing_to_do() -> None:
    game = from_prep("Greenhouse 3", {**OTHER, "star": [0, 0, 1, 0]}, energy=0, ship=0)
    assert (game.decision, choices(game)) == ("ABILITY", ["PASS", "ACCEPT"])
    play(game, "ACCEPT")  # the only colonist that can move is moved without a choice
    assert at(game, 1)["star2"] == [0, 0, 1, 0]
    assert game.decision == "FILL"


TIES = [
    # two seats with equal points, then the winners by edition: grey_fox, board_and_dice
    # 7 on ★ in one Building against 3 on ★★
    ({"star": [7, 0, 0, 0]}, {"star": [0, 1, 1, 0], "star2": [0, 1, 1, 1], "ship": 1}, [0], [1]),
    # none on ★★; 7 in Buildings against 6 in Buildings and the highest energy
    ({"star": [7, 0, 0, 0]}, {"star": [4, 1, 1, 0], "ship": 1, "energy": 2}, [0], [0]),
    # equal in every tie-break
    ({"star": [4, 3, 0, 0]}, {"star": [0, 3, 4, 0]}, [0, 1], [0, 1]),
    # 7 in Buildings each, one of them on ★★
    ({"star": [4, 1, 1, 1]}, {"star": [3, 3, 0, 0], "star2": [1, 0, 0, 0]}, [0, 1], [1]),
]


@pytest.mark.parametrize("edition", ["grey_fox", "board_and_dice"])
@pytest.mark.parametrize(("first", "second", "grey_fox", "board_and_dice"), TIES)
def test_r_tie(
    first: dict[str, Any],
    second: dict[str, Any],
    grey_fox: list[int],
    board_and_dice: list[int],
    edition: str,
) -> None:
    last = {**seat(hand=["Habitation c", "Habitation d"], ship=0), **second}
    game = given(seat(**{"ship": 0, **first}), last, active_seat=1, edition=edition)
    play(game, "PLAY_HAND(Habitation c)")  # takes nothing from the empty discard pile
    assert game.over
    assert game.scores[0] == game.scores[1]
    assert game.winners == {"grey_fox": grey_fox, "board_and_dice": board_and_dice}[edition]


def test_r_da_settles_where_it_scores_most() -> None:
    mine = seat(hand=["Comms 1", "Comms 2"], prep=["Comms 3", "Comms 7"])
    da = seat(prep=["Energy 1", "Habitation a"], ship=1, star=[0, 2, 3, 1])
    game = play(given(mine, da, mode="solo"), "LAUNCH", "SLOT(seat +1, slot 0)")
    assert at(game, 1)["star"] == [0, 2, 4, 1]  # 5 for four in one Building, more than 4 for all four


def test_r_here_is_the_building_of_the_cards_own_suit() -> None:
    assert at(from_hand("Aqualab 4"), 0)["star"] == [0, 1, 0, 0]
    elsewhere = play(from_prep("Energy 1", ship=0, star=[1, 0, 0, 0]), "ACCEPT")
    assert at(elsewhere, 0)["ship"] == 2  # a colonist in another Building does not count


def test_r_backs_show_the_suits_of_the_hand_the_prep_module_and_the_deck() -> None:
    game = given(seat(), OTHER, deck=["Comms 1", "Energy 2"], under=["Aqualab 1"])
    shown = seen_by(game, 0)
    assert shown["seats"][1]["hand"] == ["suit 4", "suit 4"]
    assert shown["seats"][1]["prep"] == ["suit 4", "suit 4"]
    assert (shown["deck"][0], shown["deck"][1], shown["deck"][-1]) == ("suit 3", None, "suit 1")
    for viewer in range(2):
        assert observation_pieces(game.observe(viewer))["deck_suits"].sum() == 2


def test_r_swap_comms_4_swaps_two_colonists_of_a_building() -> None:
    other = {**OTHER, "star2": [1, 0, 0, 0]}
    game = play(from_prep("Comms 4", other, ship=0, star=[1, 0, 0, 0]), "ACCEPT")
    assert (at(game, 0)["star2"], at(game, 1)["star"]) == ([1, 0, 0, 0], [1, 0, 0, 0])
    assert from_prep("Comms 4", other, ship=0, star=[0, 1, 0, 0]).decision == "ABILITY"


@pytest.mark.parametrize("is_draft", [False, True])
def test_r_secret_nothing_is_seen_of_a_choice_before_all_have_chosen(is_draft: bool) -> None:
    game = Game(players=3, draft=is_draft, seed=7)
    first = game.decision
    while game.decision == first and game.to_play == 0:
        before = [seen_by(game, viewer) for viewer in (1, 2)]
        game.step(game.legal[0])
        after = [seen_by(game, viewer) for viewer in (1, 2)]
        for seen in before + after:
            del seen["asked_seat"]
        assert before == after
    assert at(game, 0)["pending"]
    assert at(game, 0)["prep"] == [None, None]


def test_r_secret_the_choices_are_carried_out_together() -> None:
    game = Game(players=2, seed=7)
    chosen = []
    while game.decision == "PREP":
        assert [entry["prep"] for entry in table(game)["seats"]] == [[None, None]] * 2
        chosen.append(choices(game)[-1])
        play(game, chosen[-1])
    prep = [f"CARD({card})" for entry in table(game)["seats"] for card in entry["prep"]]
    assert prep == chosen
    assert game.to_play == table(game)["active_seat"] == table(game)["starting_seat"]


def test_r_edition_changes_the_tie_breaks_and_nothing_else() -> None:
    for settings in ({"players": 2}, {"mode": "solo"}):
        one, other = (Game(**settings, edition=edition, seed=3) for edition in ("grey_fox", "board_and_dice"))
        while not one.over:
            assert one.legal == other.legal
            one.step(one.legal[0])
            other.step(other.legal[0])
        assert {**one.snapshot(), "edition": ""} == {**other.snapshot(), "edition": ""}
        if one.config.is_solo:
            assert one.winners == other.winners


@pytest.mark.parametrize("edition", ["grey_fox", "board_and_dice"])
def test_r_end_somebody_who_has_moved_one_back_does_not_end_the_game(edition: str) -> None:
    first = seat(
        hand=["Greenhouse 1", "Greenhouse 2"], prep=["Comms 5", "Energy 5"], ship=0, star=[3, 2, 1, 1]
    )
    second = seat(hand=["Habitation a", "Habitation b"], prep=["Habitation c", "Habitation d"])
    owner = {**first, "prep": ["Comms 6", "Energy 5"]}
    for settled, is_over in ((first, True), (owner, False)):
        game = given(settled, second, active_seat=1, starting_seat=0, edition=edition)
        play(game, "PLAY_OTHER(seat +1, slot 0)")
        if not is_over:
            play(game, "ACCEPT", "RECALL(Greenhouse, ★)")
        while not game.over and game.decision != "TURN":
            play(game, "PASS" if "PASS" in choices(game) else choices(game)[0])
        assert game.over is is_over
