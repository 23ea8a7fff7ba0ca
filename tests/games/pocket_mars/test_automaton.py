"""Devious Automatics (DA): its five abilities, the automaton policy, and agents that play the DA's seat."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game
from tests.builders import GREENHOUSE, HABITATION, at, choices, decision_of, given, play, seat, table
from tests.games.pocket_mars.automaton_policy import Seat, after_activation
from tests.games.pocket_mars.test_solo import HAND, PREP, activate_by

DECK = [f"Energy {value}" for value in range(1, 8)]
CARD_OF = {
    "Greenhouse": "Greenhouse 7",
    "Aqualab": "Aqualab 7",
    "Energy Bank": "Energy 1",
    "Comms Center": "Comms 7",
    "Habitation": "Habitation b",
}
BUILDINGS = ["Greenhouse", "Aqualab", "Energy Bank", "Comms Center"]


def activate(
    suit: str,
    da: dict[str, Any],
    player: dict[str, Any] | None = None,
    deck: list[str] | None = None,
    da_agent: bool = False,
) -> Game:
    """Activate the androids by a card of this suit: the player launches and discards the DA's other card."""
    card = CARD_OF[suit]
    cards = [name for name in (DECK if deck is None else deck) if name != card]
    more = {"ship": 0, **(player or {}), "da_agent": da_agent}
    return activate_by(card, da, deck=cards, is_all=deck is not None, **more)


def places(game: Game, number: int = 1) -> tuple[list[int], list[int]]:
    """Return the colonists of a seat on ★ and on ★★, by Building."""
    entry = at(game, number)
    return entry["star"], entry["star2"]


# --- the five abilities ---------------------------------------------------------------------------


def test_greenhouse_counts_the_colonist_that_has_just_settled_there() -> None:
    game = activate("Greenhouse", {"ship": 1, "star": [0, 1, 0, 0]})
    assert places(game) == ([0] * 4, [1, 1, 0, 0])


@pytest.mark.parametrize("left", [5, 3, 2, 1])
def test_aqualab_discards_two_cards_of_the_deck_as_far_as_there_are(left: int) -> None:
    game = activate("Aqualab", {"ship": 0}, deck=DECK[:left])
    data = table(game)
    assert data["discard"][-min(left, 4) :] == DECK[: min(left, 4)]  # two by system failure, two by Aqualab
    assert data["deck"] == []
    assert at(game, 1)["prep"] == ["Aqualab 7", DECK[4] if left == 5 else None]


@pytest.mark.parametrize(("before", "after"), [(0, 2), (4, 6), (5, 7), (6, 7)])
def test_energy_bank_gains_two_energy_as_far_as_the_track_goes(before: int, after: int) -> None:
    game = activate("Energy Bank", {"ship": 0, "energy": before})
    assert at(game, 1)["energy"] == after
    assert len(table(game)["discard"]) == 1 + 2  # no spark


def test_energy_bank_sparks_with_full_energy() -> None:
    game = activate("Energy Bank", {"ship": 0, "energy": 7})
    assert at(game, 1)["energy"] == 7
    assert table(game)["discard"] == ["Habitation a", "Energy 2", "Energy 3", "Energy 4", "Energy 5"]


def test_comms_center_launches_a_da_colonist() -> None:
    game = activate("Comms Center", {"ship": 3})
    assert (at(game, 1)["ship"], at(game, 1)["earth"], places(game)[0]) == (3, 3, [0, 0, 0, 1])


def test_comms_center_launches_twice_from_an_empty_ship() -> None:
    game = activate("Comms Center", {"ship": 0})  # one because nobody can settle, one by the ability
    assert (at(game, 1)["ship"], at(game, 1)["earth"], places(game)[0]) == (2, 5, [0] * 4)


def test_habitation_launches_a_da_colonist_when_none_is_on_the_ship() -> None:
    game = activate("Habitation", {"ship": 0, "star": [0, 0, 3, 0]})
    assert (at(game, 1)["ship"], at(game, 1)["earth"], places(game)[0]) == (1, 3, [0, 0, 3, 0])


# --- the policy, criterion by criterion -----------------------------------------------------------

SETTLINGS = [
    # the DA's ★, its ★★, the player's ★★ -> the Building
    ("four in one Building, 5 points, before all four, 4 points", [0, 1, 1, 3], [0] * 4, [0] * 4, 3),
    ("all four Buildings, if four in one is not near", [2, 1, 1, 0], [0] * 4, [0] * 4, 3),
    ("a colonist on ★★ counts towards four in one", [0, 0, 2, 0], [0, 0, 1, 0], [0] * 4, 2),
    ("a colonist on ★★ counts towards all four", [0, 0, 1, 1], [0, 1, 0, 0], [0] * 4, 0),
    ("fewer missing for four in one, the cheaper bonus", [0, 0, 2, 0], [0] * 4, [0] * 4, 2),
    ("fewer missing for all four, the cheaper bonus", [1, 0, 1, 0], [0] * 4, [0] * 4, 1),
    ("with four in one reached, towards all four", [4, 0, 0, 0], [0] * 4, [0] * 4, 1),
    ("with all four reached, towards four in one", [1, 1, 2, 1], [0] * 4, [0] * 4, 2),
    ("a bonus near comes before a free ★★", [0, 0, 2, 0], [0] * 4, [0, 0, 1, 0], 2),
    ("a free ★★ comes before the order", [0, 0, 0, 0], [0] * 4, [1, 1, 0, 0], 2),
    ("its own colonist takes a ★★ too", [0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], 2),
    ("the order", [0, 0, 0, 0], [0] * 4, [0] * 4, 0),
    ("the order, if no ★★ is free", [0, 0, 0, 0], [0] * 4, [1, 1, 1, 1], 0),
    ("the order among those with a bonus near", [1, 0, 1, 0], [0] * 4, [0, 0, 0, 0], 1),
    ("a free ★★ among those with a bonus near", [1, 0, 1, 0], [0] * 4, [0, 1, 0, 0], 3),
]


@pytest.mark.parametrize(
    ("star", "star2", "players_star2", "building"),
    [row[1:] for row in SETTLINGS],
    ids=[row[0] for row in SETTLINGS],
)
def test_habitation_settles_by(
    star: list[int], star2: list[int], players_star2: list[int], building: int
) -> None:
    game = activate("Habitation", {"ship": 1, "star": star, "star2": star2}, {"star2": players_star2})
    expected = star.copy()
    expected[building] += 1
    assert places(game) == (expected, star2)


UPGRADES = [
    # ★ of the DA, ★★ of the player -> afterwards: ★ and ★★ of the DA, ★ and ★★ of the player
    ("two upgrades", [0, 2, 1, 0], [0] * 4, [0, 1, 0, 0], [0, 1, 1, 0], [0] * 4, [0] * 4),
    ("the order", [1, 1, 1, 1], [0] * 4, [0, 0, 1, 1], [1, 1, 0, 0], [0] * 4, [0] * 4),
    ("free places", [1] * 4, [1, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0] * 4, [1, 0, 1, 0]),
    ("downgrades in the order", [0] * 4, [0, 1, 1, 1], [0] * 4, [0] * 4, [0, 1, 1, 0], [0, 0, 0, 1]),
    ("one of each", [0, 0, 0, 3], [0, 1, 1, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]),
    # one DA colonist can move up, the other is blocked until the player's colonist has left
    ("up before down", [1, 0, 1, 0], [0, 0, 1, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0] * 4),
    ("the freed place", [1, 0, 0, 0], [1, 0, 1, 0], [0] * 4, [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]),
    ("a later upgrade", [0, 0, 0, 1], [1, 0, 1, 1], [0] * 4, [0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 1, 0]),
    ("nothing more", [0, 0, 3, 0], [0] * 4, [0, 0, 2, 0], [0, 0, 1, 0], [0] * 4, [0] * 4),
]


@pytest.mark.parametrize(
    ("star", "players_star2", "star_after", "star2_after", "players_star_after", "players_star2_after"),
    [row[1:] for row in UPGRADES],
    ids=[row[0] for row in UPGRADES],
)
def test_greenhouse_takes_two_upgrades_by(
    star: list[int],
    players_star2: list[int],
    star_after: list[int],
    star2_after: list[int],
    players_star_after: list[int],
    players_star2_after: list[int],
) -> None:
    game = activate("Greenhouse", {"ship": 0, "star": star}, {"star2": players_star2})
    assert places(game) == (star_after, star2_after)
    assert places(game, 0) == (players_star_after, players_star2_after)


# --- the policy against a second implementation ---------------------------------------------------


def colonists(rng: np.random.Generator, free: list[int]) -> Seat:
    """Return a random side. `free` holds the number of free ★★ places by Building and is updated."""
    side: Seat = {"star": [0] * 4, "star2": [0] * 4, "ship": 0, "earth": 0, "energy": int(rng.integers(8))}
    weights = rng.dirichlet([1.0] * 6)
    for _ in range(7):
        place = int(rng.choice(6, p=weights))
        if place >= 4:
            side["ship" if place == 4 else "earth"] += 1
        elif free[place] and rng.random() < 0.4:
            free[place] -= 1
            side["star2"][place] += 1
        else:
            side["star"][place] += 1
    return side


def random_positions(count: int) -> Iterator[tuple[Game, int]]:
    """Yield TURN positions with randomly placed colonists, each with the suit of the DA's card in slot 1."""
    rng = np.random.default_rng(20)
    for number in range(count):
        suit = (GREENHOUSE, HABITATION)[number % 2]
        free = [1] * 4
        sides = [colonists(rng, free), colonists(rng, free)]
        for side in sides:
            del side["earth"]
        card = "Greenhouse 7" if suit == GREENHOUSE else "Habitation b"
        mine, da = seat(hand=HAND, prep=PREP, **sides[0]), seat(prep=["Habitation a", card], **sides[1])
        level = ("standard", "super_droid", "cyborg")[number % 3]
        yield given(mine, da, mode="solo", level=level, deck=DECK), suit


def check_activation(game: Game, suit: int) -> None:
    """Check the activation by the DA's card in slot 1 after the player has taken the card in slot 0."""
    player, da = at(game, 0), at(game, 1)
    player["energy"] = min(7, player["energy"] + 2)
    expected = after_activation(player, da, suit)
    play(game, f"DISCARD_FOR_ENERGY({player['hand'][0]})", "SLOT(seat +1, slot 0)")
    for number in (0, 1):
        after = at(game, number)
        assert {key: after[key] for key in ("star", "star2", "ship", "energy")} == expected.sides[number]


def test_random_positions_are_answered_like_the_second_implementation() -> None:
    for game, suit in random_positions(600):
        check_activation(game, suit)


# --- the DA seat as an agent ----------------------------------------------------------------------


def test_an_agent_is_asked_where_to_settle() -> None:
    game = activate("Habitation", {"ship": 2, "star": [3, 0, 0, 0]}, da_agent=True)
    assert (game.to_play, game.decision, table(game)["active_seat"]) == (1, "DA_SETTLE", 0)
    assert choices(game) == [f"BUILDING({building})" for building in BUILDINGS]
    assert game.legal == np.flatnonzero(game.mask(1)).tolist()
    assert not game.mask(0).any()
    play(game, "BUILDING(Energy Bank)")
    assert places(game)[0] == [3, 0, 1, 0]
    assert (game.to_play, game.decision, table(game)["round"]) == (0, "TURN", 2)


def test_an_agent_is_asked_for_each_upgrade() -> None:
    game = activate("Greenhouse", {"ship": 1, "star": [0, 2, 0, 1]}, {"star2": [0, 0, 1, 0]}, da_agent=True)
    assert (game.to_play, game.decision, table(game)["active_seat"]) == (1, "DA_UPGRADE", 0)
    ups = [f"SHIFT({building}, self, ★→★★)" for building in BUILDINGS]
    assert choices(game) == [ups[0], ups[1], ups[3]]
    play(game, ups[3])
    assert decision_of(game) == (1, "DA_UPGRADE", [ups[0], ups[1]])
    play(game, ups[1])
    assert places(game) == ([1, 1, 0, 0], [0, 1, 0, 1])
    assert (game.to_play, game.decision) == (0, "TURN")


def test_an_agent_is_asked_for_downgrades_only_without_an_upgrade() -> None:
    game = activate("Greenhouse", {"ship": 0, "star": [0, 0, 1, 0]}, {"star2": [0, 1, 1, 1]}, da_agent=True)
    downs = [f"SHIFT({building}, seat +1, ★★→★)" for building in BUILDINGS]
    assert choices(game) == downs[1:]
    play(game, downs[3])
    assert choices(game) == [downs[1], downs[2]]
    play(game, downs[2])
    assert places(game) == ([0, 0, 1, 0], [0] * 4)  # freed too late to upgrade
    assert places(game, 0) == ([0, 0, 1, 1], [0, 1, 0, 0])
    assert game.decision == "TURN"


def test_an_agents_downgrade_can_force_an_upgrade() -> None:
    game = activate("Greenhouse", {"ship": 0, "star": [0, 0, 1, 0]}, {"star2": [0, 1, 1, 0]}, da_agent=True)
    play(game, "SHIFT(Energy Bank, seat +1, ★★→★)")
    assert places(game) == ([0] * 4, [0, 0, 1, 0])  # the only upgrade, made without asking
    assert game.decision == "TURN"


def test_an_agent_is_not_asked_for_forced_upgrades() -> None:
    game = activate("Greenhouse", {"ship": 0, "star": [0, 0, 2, 0]}, {"star2": [0, 1, 0, 0]}, da_agent=True)
    assert (game.to_play, game.decision) == (0, "TURN")
    assert places(game) == ([0, 0, 1, 0], [0, 0, 1, 0])
    assert places(game, 0) == ([0, 1, 0, 0], [0] * 4)


def test_an_agent_is_not_asked_when_nothing_can_be_done() -> None:
    assert activate("Greenhouse", {"ship": 0}, da_agent=True).decision == "TURN"
    assert activate("Habitation", {"ship": 0}, da_agent=True).decision == "TURN"


@pytest.mark.parametrize("suit", ["Aqualab", "Energy Bank", "Comms Center"])
def test_an_agent_is_not_asked_for_the_other_abilities(suit: str) -> None:
    assert activate(suit, {"ship": 2}, da_agent=True).decision == "TURN"
