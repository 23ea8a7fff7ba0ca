"""The bottom actions that move colonists between ★ and ★★: Greenhouse 4, Greenhouse 6, Comms 4."""

import pytest

from tests.builders import choices, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import after_bottom, is_bottom_offered, with_bottom

# --- Greenhouse 4: use 3: move any one colonist ★→★★ or ★★→★ ---------------------------------------


def test_greenhouse_4_offers_every_colonist_in_both_directions() -> None:
    game = given(
        with_bottom("Greenhouse 4", ship=0, energy=3, star=[1, 0, 0, 1], star2=[0, 1, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 0, 0, 1]),
    )
    assert is_bottom_offered(game, "Greenhouse 4")
    before = game.snapshot()
    play(game, "ACCEPT")
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
        ("SHIFT(Greenhouse, self, ★→★★)", {"★ Greenhouse of 0": -1, "★★ Greenhouse of 0": 1}),
        ("SHIFT(Aqualab, self, ★★→★)", {"★★ Aqualab of 0": -1, "★ Aqualab of 0": 1}),
        ("SHIFT(Energy Bank, seat +1, ★→★★)", {"★ Energy Bank of 1": -1, "★★ Energy Bank of 1": 1}),
        ("SHIFT(Comms Center, seat +1, ★★→★)", {"★★ Comms Center of 1": -1, "★ Comms Center of 1": 1}),
    ],
)
def test_greenhouse_4_moves_the_colonist_chosen(answer: str, moved: dict[str, int]) -> None:
    game = given(
        with_bottom("Greenhouse 4", ship=0, energy=3, star=[1, 0, 0, 1], star2=[0, 1, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 0, 0, 1]),
    )
    assert after_bottom(game, "Greenhouse 4", answer) == {"energy of 0": -3, **moved}


def test_greenhouse_4_needs_3_energy_and_somebody_to_move() -> None:
    too_little_energy = given(with_bottom("Greenhouse 4", ship=0, energy=2), seat(star=[1, 0, 0, 0]))
    assert not is_bottom_offered(too_little_energy, "Greenhouse 4")
    nobody = given(with_bottom("Greenhouse 4", ship=0, energy=7), seat())
    assert not is_bottom_offered(nobody, "Greenhouse 4")


def test_greenhouse_4_moves_a_colonist_of_the_da() -> None:
    game = given(
        with_bottom("Greenhouse 4", ship=0, energy=3),
        seat(ship=4, star=[0, 1, 0, 0]),
        mode="solo",
    )
    assert after_bottom(game, "Greenhouse 4") == {
        "energy of 0": -3,
        "★ Aqualab of 1": -1,
        "★★ Aqualab of 1": 1,
    }


# --- Greenhouse 6: downgrade 1 of yours, and gain 4 ------------------------------------------------


def test_greenhouse_6_downgrades_the_only_one_unasked_and_gains_4() -> None:
    game = given(
        with_bottom("Greenhouse 6", ship=0, energy=1, star2=[0, 0, 0, 1]),
        seat(star2=[1, 1, 0, 0]),
    )
    assert after_bottom(game, "Greenhouse 6") == {
        "★★ Comms Center of 0": -1,
        "★ Comms Center of 0": 1,
        "energy of 0": 4,
    }


def test_greenhouse_6_offers_own_colonists_on_star2_only() -> None:
    game = given(
        with_bottom("Greenhouse 6", ship=0, energy=6, star=[1, 0, 1, 0], star2=[1, 0, 0, 1]),
        seat(star=[1, 0, 0, 0], star2=[0, 1, 1, 0]),
    )
    assert is_bottom_offered(game, "Greenhouse 6")
    before = game.snapshot()
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "SHIFT")
    assert choices(game) == ["SHIFT(Greenhouse, self, ★★→★)", "SHIFT(Comms Center, self, ★★→★)"]
    play(game, "SHIFT(Greenhouse, self, ★★→★)")
    assert changes(before, game) == {
        "★★ Greenhouse of 0": -1,
        "★ Greenhouse of 0": 1,
        "energy of 0": 1,
    }


def test_greenhouse_6_needs_an_own_colonist_on_star2_and_no_free_energy_space() -> None:
    others_only = given(with_bottom("Greenhouse 6", ship=0, star=[1, 0, 0, 0]), seat(star2=[1, 0, 0, 0]))
    assert not is_bottom_offered(others_only, "Greenhouse 6")
    full_of_energy = given(with_bottom("Greenhouse 6", ship=0, energy=7, star2=[1, 0, 0, 0]), seat())
    assert is_bottom_offered(full_of_energy, "Greenhouse 6")


# --- Comms 4: swap a colonist on ★ with one on ★★ ---------------------------------------------------


def test_comms_4_swaps_the_only_pair_unasked() -> None:
    game = given(
        with_bottom("Comms 4", ship=0, star2=[0, 0, 1, 0]),
        seat(star=[0, 0, 1, 0], star2=[0, 0, 0, 1]),
    )
    assert after_bottom(game, "Comms 4") == {
        "★★ Energy Bank of 0": -1,
        "★ Energy Bank of 0": 1,
        "★ Energy Bank of 1": -1,
        "★★ Energy Bank of 1": 1,
    }


def test_comms_4_offers_every_pair_of_different_players() -> None:
    game = given(
        with_bottom("Comms 4", ship=0, star=[0, 0, 0, 1], star2=[0, 0, 0, 1]),
        seat(star2=[0, 0, 0, 1]),
        seat(star=[0, 1, 0, 1]),
        seat(star2=[0, 1, 0, 0]),
    )
    assert is_bottom_offered(game, "Comms 4")
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "SWAP")
    assert choices(game) == [
        "SWAP(Aqualab, ★ seat +2, ★★ seat +3)",
        "SWAP(Comms Center, ★ self, ★★ seat +1)",
        "SWAP(Comms Center, ★ seat +2, ★★ self)",
        "SWAP(Comms Center, ★ seat +2, ★★ seat +1)",
    ]
    before = game.snapshot()
    play(game, "SWAP(Aqualab, ★ seat +2, ★★ seat +3)")
    assert changes(before, game) == {
        "★ Aqualab of 2": -1,
        "★★ Aqualab of 2": 1,
        "★★ Aqualab of 3": -1,
        "★ Aqualab of 3": 1,
    }


def test_comms_4_swaps_with_the_da() -> None:
    game = given(
        with_bottom("Comms 4", ship=0, star=[1, 0, 0, 0]),
        seat(ship=4, star2=[1, 0, 0, 0]),
        mode="solo",
    )
    assert after_bottom(game, "Comms 4") == {
        "★ Greenhouse of 0": -1,
        "★★ Greenhouse of 0": 1,
        "★★ Greenhouse of 1": -1,
        "★ Greenhouse of 1": 1,
    }


def test_comms_4_is_not_offered_without_a_pair_in_one_building() -> None:
    other_buildings = given(with_bottom("Comms 4", ship=0, star=[1, 0, 0, 0]), seat(star2=[0, 1, 0, 0]))
    assert not is_bottom_offered(other_buildings, "Comms 4")
    same_player = given(with_bottom("Comms 4", ship=0, star=[1, 0, 0, 0], star2=[1, 0, 0, 0]), seat())
    assert not is_bottom_offered(same_player, "Comms 4")
