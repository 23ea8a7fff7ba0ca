"""A bottom action belongs to the owner of the card, who may decline it."""

from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from tests.builders import ENERGY_BANK, HABITATION, choices, decision_of, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import is_bottom_offered, one_in

NAMES = [card.name for card in CARDS]


def another(suit: str, *used: str) -> str:
    """Return a card of the suit that is not among `used`."""
    return next(name for name in NAMES if name.startswith(suit) and name not in used)


def table_for(card: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return parts of a position in which the card's bottom action would change something.

    Returns:
        The seat of the card's owner, another seat, and the piles. The owner has a hand card of the suit,
        energy, and colonists on Earth, the Ship, ★ and ★★, but none at the card's own Building. The
        other seat has a colonist to swap with.

    """
    suit = card.split()[0]
    there = one_in("Comms Center" if suit == "Aqualab" else "Aqualab")
    in_hand = another(suit, card)
    spare = another("Greenhouse", card, in_hand)
    piles = {
        HABITATION: [another("Habitation", card, in_hand)],
        ENERGY_BANK: [another("Energy", card, in_hand)],
    }
    discarded = another("Comms", card, in_hand)
    owner = seat(hand=[in_hand], prep=[card, spare], ship=2, energy=3, star=there, star2=there)
    return owner, seat(star=there), {"piles": piles, "discard": [discarded]}


@pytest.mark.parametrize("card", NAMES)
def test_a_bottom_action_may_be_declined(card: str) -> None:
    owner, other, cards = table_for(card)
    game = given(owner, other, **cards)
    assert is_bottom_offered(game, card)
    assert choices(game) == ["PASS", "ACCEPT"]
    before = game.snapshot()
    play(game, "PASS")
    assert (game.to_play, game.decision) == (0, "ABILITY")
    assert changes(before, game) == {}


@pytest.mark.parametrize("card", NAMES)
def test_the_owner_is_asked_when_another_player_plays_the_card(card: str) -> None:
    owner, other, cards = table_for(card)
    game = given(other, owner, **cards)
    before = game.snapshot()
    play(game, "PLAY_OTHER(seat +1, slot 0)")
    assert (game.to_play, game.decision) == (1, "BOTTOM")
    assert changes(before, game) == {card: "slot 0 of 1 → pile"}
    play(game, "PASS")
    assert (game.to_play, game.decision) == (0, "ABILITY")
    assert changes(before, game) == {card: "slot 0 of 1 → pile"}


@pytest.mark.parametrize("card", NAMES)
def test_a_card_of_the_da_has_no_bottom_action(card: str) -> None:
    player, other, cards = table_for(card)
    spare = player["prep"][1]
    player = {**player, "prep": [spare, another("Greenhouse", card, spare, *player["hand"])]}
    module = [card, another("Aqualab", card, *player["hand"])]
    game = given(player, {**other, "prep": module}, mode="solo", **cards)
    before = game.snapshot()
    play(game, "PLAY_OTHER(seat +1, slot 0)")
    if game.decision == "SETTLE":
        play(game, "PASS")
    assert (game.to_play, game.decision) == (0, "ABILITY")
    assert changes(before, game) == {card: "slot 0 of 1 → pile"}


def played_by_another(owner: dict[str, Any], *others: dict[str, Any], **more: Any) -> Game:
    """Let seat 0, which has 6 energy, play the card in slot 0 of seat 1, which accepts the bottom action."""
    active = seat(hand=["Greenhouse 6", "Comms 6"], energy=6, ship=3, star2=[1, 0, 0, 0])
    game = play(given(active, owner, *others, **more), "PLAY_OTHER(seat +1, slot 0)")
    assert (game.to_play, game.decision) == (1, "BOTTOM")
    return play(game, "ACCEPT")


def test_the_owner_pays_and_launches() -> None:
    owner = seat(hand=["Energy 1", "Energy 3"], prep=["Energy 4", "Energy 5"], energy=2, ship=0)
    after = played_by_another(owner).snapshot()["seats"]
    assert [(entry["energy"], entry["ship"]) for entry in after] == [(6, 3), (0, 2)]


def test_the_owners_poverty_counts() -> None:
    rich = seat(hand=["Greenhouse 6", "Comms 6"], energy=6, ship=3)
    poor = seat(hand=["Energy 1", "Energy 3"], prep=["Energy 4", "Greenhouse 7"], energy=1, ship=0)
    no_energy = play(given(rich, poor), "PLAY_OTHER(seat +1, slot 0)")
    assert (no_energy.to_play, no_energy.decision) == (0, "ABILITY")
    no_suit = play(given({**rich, "star": [1, 0, 0, 0]}, poor), "PLAY_OTHER(seat +1, slot 1)")
    assert (no_suit.to_play, no_suit.decision) == (0, "ABILITY")


def test_the_owners_colonists_count_as_here() -> None:
    owner = seat(hand=["Energy 1", "Energy 3"], prep=["Greenhouse 1", "Energy 5"], ship=0)
    after = played_by_another(owner).snapshot()["seats"]
    assert [entry["ship"] for entry in after] == [3, 2]


def test_the_owner_chooses_and_takes_the_card() -> None:
    owner = seat(hand=["Energy 1", "Energy 3"], prep=["Comms 2", "Energy 5"])
    game = played_by_another(owner, discard=["Aqualab 1", "Aqualab 2"])
    assert (game.to_play, game.decision) == (1, "TAKE_DISCARD")
    before = game.snapshot()
    play(game, "CARD(Aqualab 2)")
    assert (game.to_play, game.decision) == (0, "ABILITY")
    assert changes(before, game) == {"Aqualab 2": "discard → hand of 1"}


def test_the_owner_counts_seats_from_the_own_place() -> None:
    owner = seat(hand=["Energy 1", "Energy 3"], prep=["Aqualab 6", "Energy 5"])
    game = played_by_another(owner, seat())
    assert decision_of(game) == (1, "LOOK", ["SEAT(seat +1)", "SEAT(seat +2)"])
    play(game, "SEAT(seat +2)")
    seats = game.snapshot()["seats"]
    assert set(seats[0]["prep"]) <= set(seats[1]["knows"])
    assert not set(seats[2]["prep"]) & set(seats[1]["knows"])


def test_the_owner_refills_the_slot_at_the_end_of_the_turn() -> None:
    """The 4-card rule starts with the active seat, which has nothing to do here; the owner is next."""
    owner = seat(hand=["Energy 1", "Energy 3"], prep=["Energy 2", "Energy 5"], energy=0)
    game = given(seat(energy=7), owner, deck=["Aqualab 1"])
    before = game.snapshot()
    play(game, "PLAY_OTHER(seat +1, slot 0)", "ACCEPT")
    assert decision_of(game) == (1, "FILL", ["CARD(Aqualab 1)", "CARD(Energy 1)", "CARD(Energy 3)"])
    play(game, "CARD(Aqualab 1)")
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {
        "Energy 2": "slot 0 of 1 → pile",
        "Aqualab 1": "deck → slot 0 of 1",
        "energy of 1": 2,
    }
