"""The bottom actions that move colonists and energy, tested on every card that has them.

The other player has a colonist on ★ of the Energy Bank, so that the Greenhouse's ability, which
follows the bottom action, always has a colonist to move.
"""

from typing import Any

import pytest

from pocketmars_env import Game
from tests.builders import ENERGY_BANK, GREENHOUSE, choices, decision_of, given, play, seat
from tests.changes import Changes, changes
from tests.games.pocket_mars.halves import (
    Table,
    after_bottom,
    begin_bottom,
    each_card,
    gained,
    here,
    is_bottom_offered,
    launched,
    one_in,
    settled,
    with_bottom,
)

BUILDINGS = ["Greenhouse", "Aqualab", "Energy Bank", "Comms Center"]
LAUNCH_IF_NONE_HERE = ["Comms 1", "Energy 1", "Aqualab 1", "Greenhouse 1"]
LAUNCH_IF_SUIT_IN_HAND = [
    f"{suit} {value}" for suit in ("Comms", "Energy", "Aqualab", "Greenhouse") for value in (5, 7)
]
PAY_1_LAUNCH_1 = ["Greenhouse 3", "Habitation b", "Habitation g"]
PAY_3_SETTLE_ANYWHERE = ["Habitation c", "Habitation d"]


def holding(card: str, **mine: Any) -> Game:
    """Return a game: seat 0 has the card in its prep module, seat 1 a colonist on ★ of the Energy Bank."""
    return given(with_bottom(card, **mine), seat(star=[0, 0, 1, 0]))


def with_suit_in_hand(card: str) -> dict[str, Any]:
    """Return cards of a seat: the card in the prep module, another card of its suit in hand."""
    return {"hand": [f"{card.split()[0]} 6", "Habitation d"], "prep": [card, "Habitation e"]}


def with_suit_in_prep(card: str) -> dict[str, Any]:
    """Return cards of a seat: the card and another of its suit in the prep module, none in hand."""
    return {"hand": ["Habitation d", "Habitation e"], "prep": [f"{card.split()[0]} 4", card]}


SETTLED_FROM_EARTH: Changes = {"Aqualab 6": "hand of 0 → discard", "earth of 0": -1, "★ Aqualab of 0": 1}
LAUNCHED_FOR_A_CARD: Changes = {"Comms 6": "hand of 0 → discard", **launched(2)}

BOTTOMS: Table = [
    (LAUNCH_IF_NONE_HERE, {"ship": 6}, launched(1)),
    (LAUNCH_IF_NONE_HERE, {"ship": 7}, None),
    *(([card], {"star": one_in(here(card))}, None) for card in LAUNCH_IF_NONE_HERE),
    *(([card], {"star2": one_in(here(card))}, None) for card in LAUNCH_IF_NONE_HERE),
    *(([card], with_suit_in_hand(card), launched(1)) for card in LAUNCH_IF_SUIT_IN_HAND),
    *(([card], with_suit_in_hand(card) | {"ship": 7}, None) for card in LAUNCH_IF_SUIT_IN_HAND),
    *(([card], with_suit_in_prep(card), None) for card in LAUNCH_IF_SUIT_IN_HAND),
    (["Greenhouse 2"], {}, launched(1)),
    (["Greenhouse 2"], {"ship": 7}, None),
    (PAY_1_LAUNCH_1, {"energy": 1}, gained(-1) | launched(1)),
    (PAY_1_LAUNCH_1, {"energy": 0}, None),
    (PAY_1_LAUNCH_1, {"energy": 7, "ship": 7}, None),
    (["Energy 4"], {"energy": 2, "ship": 0}, gained(-2) | launched(2)),
    (["Energy 4"], {"energy": 2, "ship": 5}, gained(-2) | launched(2)),
    (["Energy 4"], {"energy": 2, "ship": 6}, gained(-2) | launched(1)),
    (["Energy 4"], {"energy": 1}, None),
    (["Energy 4"], {"energy": 6, "ship": 7}, None),
    (["Energy 2"], {"energy": 0}, gained(2)),
    (["Energy 2"], {"energy": 5}, gained(2)),
    (["Energy 2"], {"energy": 6}, gained(1)),
    (["Energy 2"], {"energy": 7}, None),
    (["Energy 3"], {"energy": 0, "ship": 2}, gained(2)),
    (["Energy 3"], {"energy": 5, "ship": 7}, gained(2)),
    (["Energy 3"], {"energy": 6, "ship": 2}, gained(1)),
    (["Energy 3"], {"ship": 1}, None),
    (["Energy 3"], {"ship": 5, "energy": 7}, None),
    (PAY_3_SETTLE_ANYWHERE, {"energy": 2, "ship": 2}, None),
    (PAY_3_SETTLE_ANYWHERE, {"energy": 7, "ship": 0}, None),
    *(
        (["Aqualab 3"], with_suit_in_hand("Aqualab 3") | {"ship": ship}, expected)
        for ship, expected in [(6, SETTLED_FROM_EARTH), (1, SETTLED_FROM_EARTH), (7, None)]
    ),
    (["Aqualab 3"], with_suit_in_prep("Aqualab 3"), None),
    *(
        (["Comms 3"], with_suit_in_hand("Comms 3") | {"ship": ship}, expected)
        for ship, expected in [(0, LAUNCHED_FOR_A_CARD), (4, LAUNCHED_FOR_A_CARD), (7, None)]
    ),
    (["Comms 3"], with_suit_in_prep("Comms 3"), None),
    (
        ["Comms 6"],
        {"ship": 0, "star2": [0, 1, 0, 0], "energy": 6},
        {"★★ Aqualab of 0": -1, "ship of 0": 1} | gained(1),
    ),
    (["Comms 6"], {}, None),
]
"""If the expected changes are None, the bottom action is not offered."""


@pytest.mark.parametrize(("card", "mine", "expected"), each_card(BOTTOMS))
def test_a_bottom_action_is_offered_if_it_changes_something(
    card: str, mine: dict[str, Any], expected: Changes | None
) -> None:
    if expected is None:
        assert not is_bottom_offered(holding(card, **mine), card)
    else:
        assert after_bottom(holding(card, **mine), card) == expected


@pytest.mark.parametrize("card", LAUNCH_IF_NONE_HERE)
def test_others_and_colonists_elsewhere_are_not_here(card: str) -> None:
    everywhere_else = [1 - count for count in one_in(here(card))]
    mine = with_bottom(card, ship=0, star=everywhere_else)
    game = given(mine, seat(star=one_in(here(card)), star2=one_in(here(card))))
    assert after_bottom(game, card) == launched(2)


def test_the_colonist_that_settles_for_the_value_counts_as_here() -> None:
    """A card of value 1 beats a face-down card, so a colonist may settle."""
    covered: dict[str, Any] = {"piles": {GREENHOUSE: ["Greenhouse 7"]}, "face_down": ["Greenhouse 7"]}
    settled = given(with_bottom("Greenhouse 1"), seat(), **covered)
    play(settled, "PLAY_PREP(Greenhouse 1)", "ACCEPT")
    assert settled.decision == "ABILITY"
    stayed = given(with_bottom("Greenhouse 1"), seat(), **covered)
    play(stayed, "PLAY_PREP(Greenhouse 1)", "PASS")
    assert stayed.decision == "BOTTOM"


def test_energy_3_counts_the_ship_after_the_colonist_has_settled() -> None:
    game = given(with_bottom("Energy 3", ship=2), seat(), piles={ENERGY_BANK: ["Energy 1"]})
    play(game, "PLAY_PREP(Energy 3)", "ACCEPT")
    assert game.decision == "ABILITY"


@pytest.mark.parametrize("card", PAY_3_SETTLE_ANYWHERE)
def test_use_3_settle_1_anywhere_is_paid_before_the_building_is_chosen(card: str) -> None:
    game = holding(card, ship=2, energy=3)
    before = begin_bottom(game, card)
    assert decision_of(game) == (0, "SETTLE_WHERE", [f"BUILDING({name})" for name in BUILDINGS])
    assert changes(before, game) == gained(-3)
    play(game, "BUILDING(Comms Center)")
    assert changes(before, game) == gained(-3) | settled("Comms Center")


@pytest.mark.parametrize("suit", ["Aqualab", "Comms"])
def test_a_3_asks_which_card_of_its_suit(suit: str) -> None:
    hand = [f"{suit} 4", f"{suit} 6", "Energy 1"]
    game = holding(f"{suit} 3", hand=hand, prep=[f"{suit} 3", f"{suit} 7"])
    before = begin_bottom(game, f"{suit} 3")
    assert decision_of(game) == (0, "DISCARD_SUIT", [f"CARD({suit} 4)", f"CARD({suit} 6)"])
    play(game, f"CARD({suit} 4)")
    assert changes(before, game)[f"{suit} 4"] == "hand of 0 → discard"


def test_comms_3_launches_the_last_one_from_earth() -> None:
    """The Comms Center's ability would then change nothing, so it is skipped and two cards are drawn."""
    hand, prep = ["Comms 6", "Energy 1"], ["Comms 3", "Energy 2"]
    game = given(
        with_bottom("Comms 3", hand=hand, prep=prep, ship=6), seat(), deck=["Aqualab 1", "Aqualab 2"]
    )
    before = begin_bottom(game, "Comms 3")
    assert game.decision == "FILL"
    assert changes(before, game) == {
        "Comms 6": "hand of 0 → discard",
        "Aqualab 1": "deck → hand of 0",
        "Aqualab 2": "deck → hand of 0",
        "earth of 0": -1,
        "ship of 0": 1,
    }


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("RECALL(Greenhouse, ★)", "★ Greenhouse of 0"),
        ("RECALL(Greenhouse, ★★)", "★★ Greenhouse of 0"),
        ("RECALL(Comms Center, ★)", "★ Comms Center of 0"),
    ],
)
def test_comms_6_brings_one_back_and_gains_2(answer: str, place: str) -> None:
    game = holding("Comms 6", ship=0, star=[1, 0, 0, 2], star2=[1, 0, 0, 0])
    assert after_bottom(game, "Comms 6", answer) == {place: -1, "ship of 0": 1, "energy of 0": 2}


def test_comms_6_offers_own_colonists_on_both_spaces() -> None:
    game = given(
        with_bottom("Comms 6", ship=0, star=[1, 0, 0, 2], star2=[1, 1, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 0, 1, 0]),
    )
    begin_bottom(game, "Comms 6")
    assert (game.to_play, game.decision) == (0, "RECALL")
    assert choices(game) == [
        "RECALL(Greenhouse, ★)",
        "RECALL(Greenhouse, ★★)",
        "RECALL(Aqualab, ★★)",
        "RECALL(Comms Center, ★)",
    ]
