"""The bottom actions that move colonists between ★ and ★★: Greenhouse 4, Greenhouse 6, Comms 4."""

import pytest

from tests.builders import choices, decision_of, given, play, seat
from tests.changes import Changes, changes
from tests.games.pocket_mars.halves import (
    after_bottom,
    begin_bottom,
    downgraded,
    gained,
    is_bottom_offered,
    upgraded,
    with_bottom,
)

# --- Greenhouse 4: use 3: move any one colonist ★→★★ or ★★→★ ---------------------------------------


def test_greenhouse_4_offers_every_colonist_in_both_directions() -> None:
    game = given(
        with_bottom("Greenhouse 4", ship=0, energy=3, star=[1, 0, 0, 1], star2=[0, 1, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 0, 0, 1]),
    )
    before = begin_bottom(game, "Greenhouse 4")
    assert (game.to_play, game.decision) == (0, "SHIFT")
    assert choices(game) == [
        "SHIFT(Greenhouse, self, ★→★★)",
        "SHIFT(Aqualab, self, ★★→★)",
        "SHIFT(Energy Bank, seat +1, ★→★★)",
        "SHIFT(Comms Center, seat +1, ★★→★)",
    ]
    assert changes(before, game) == {"energy of 0": -3}


@pytest.mark.parametrize(
    ("answer", "moved"),
    [
        ("SHIFT(Greenhouse, self, ★→★★)", upgraded("Greenhouse")),
        ("SHIFT(Aqualab, self, ★★→★)", downgraded("Aqualab")),
        ("SHIFT(Energy Bank, seat +1, ★→★★)", upgraded("Energy Bank", 1)),
        ("SHIFT(Comms Center, seat +1, ★★→★)", downgraded("Comms Center", 1)),
    ],
)
def test_greenhouse_4_moves_the_colonist_chosen(answer: str, moved: Changes) -> None:
    game = given(
        with_bottom("Greenhouse 4", ship=0, energy=3, star=[1, 0, 0, 1], star2=[0, 1, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 0, 0, 1]),
    )
    assert after_bottom(game, "Greenhouse 4", answer) == gained(-3) | moved


def test_greenhouse_4_needs_3_energy_and_somebody_to_move() -> None:
    too_little_energy = given(with_bottom("Greenhouse 4", ship=0, energy=2), seat(star=[1, 0, 0, 0]))
    assert not is_bottom_offered(too_little_energy, "Greenhouse 4")
    nobody = given(with_bottom("Greenhouse 4", ship=0, energy=7), seat())
    assert not is_bottom_offered(nobody, "Greenhouse 4")


# --- Greenhouse 6: downgrade 1 of yours, and gain 4 ------------------------------------------------


def test_greenhouse_6_downgrades_the_only_one_unasked_and_gains_4() -> None:
    game = given(with_bottom("Greenhouse 6", ship=0, energy=1, star2=[0, 0, 0, 1]), seat(star2=[1, 1, 0, 0]))
    assert after_bottom(game, "Greenhouse 6") == downgraded("Comms Center") | gained(4)


def test_greenhouse_6_offers_own_colonists_on_star2_only() -> None:
    game = given(
        with_bottom("Greenhouse 6", ship=0, energy=6, star=[1, 0, 1, 0], star2=[1, 0, 0, 1]),
        seat(star=[1, 0, 0, 0], star2=[0, 1, 1, 0]),
    )
    before = begin_bottom(game, "Greenhouse 6")
    assert decision_of(game) == (
        0,
        "SHIFT",
        ["SHIFT(Greenhouse, self, ★★→★)", "SHIFT(Comms Center, self, ★★→★)"],
    )
    play(game, "SHIFT(Greenhouse, self, ★★→★)")
    assert changes(before, game) == downgraded("Greenhouse") | gained(1)


def test_greenhouse_6_needs_an_own_colonist_on_star2_and_no_free_energy_space() -> None:
    others_only = given(with_bottom("Greenhouse 6", ship=0, star=[1, 0, 0, 0]), seat(star2=[1, 0, 0, 0]))
    assert not is_bottom_offered(others_only, "Greenhouse 6")
    full_of_energy = given(with_bottom("Greenhouse 6", ship=0, energy=7, star2=[1, 0, 0, 0]), seat())
    assert is_bottom_offered(full_of_energy, "Greenhouse 6")


# --- Comms 4: swap a colonist on ★ with one on ★★ ---------------------------------------------------


def test_comms_4_swaps_the_only_pair_unasked() -> None:
    game = given(
        with_bottom("Comms 4", ship=0, star2=[0, 0, 1, 0]), seat(star=[0, 0, 1, 0], star2=[0, 0, 0, 1])
    )
    assert after_bottom(game, "Comms 4") == downgraded("Energy Bank") | upgraded("Energy Bank", 1)


def test_comms_4_offers_every_pair_of_different_players() -> None:
    game = given(
        with_bottom("Comms 4", ship=0, star=[0, 0, 0, 1], star2=[0, 0, 0, 1]),
        seat(star2=[0, 0, 0, 1]),
        seat(star=[0, 1, 0, 1]),
        seat(star2=[0, 1, 0, 0]),
    )
    begin_bottom(game, "Comms 4")
    assert (game.to_play, game.decision) == (0, "SWAP")
    assert choices(game) == [
        "SWAP(Aqualab, ★ seat +2, ★★ seat +3)",
        "SWAP(Comms Center, ★ self, ★★ seat +1)",
        "SWAP(Comms Center, ★ seat +2, ★★ self)",
        "SWAP(Comms Center, ★ seat +2, ★★ seat +1)",
    ]
    before = game.snapshot()
    play(game, "SWAP(Aqualab, ★ seat +2, ★★ seat +3)")
    assert changes(before, game) == upgraded("Aqualab", 2) | downgraded("Aqualab", 3)


def test_comms_4_is_not_offered_without_a_pair_in_one_building() -> None:
    other_buildings = given(with_bottom("Comms 4", ship=0, star=[1, 0, 0, 0]), seat(star2=[0, 1, 0, 0]))
    assert not is_bottom_offered(other_buildings, "Comms 4")
    same_player = given(with_bottom("Comms 4", ship=0, star=[1, 0, 0, 0], star2=[1, 0, 0, 0]), seat())
    assert not is_bottom_offered(same_player, "Comms 4")
