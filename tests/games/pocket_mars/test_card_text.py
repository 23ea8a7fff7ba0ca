"""Texts generated from the card programs match a list that was checked against the rules by hand."""

from pocketmars_env.games.pocket_mars.rules.cards import (
    CARD_NUMBER,
    CARDS,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    FIRST_TOP,
)
from pocketmars_env.games.pocket_mars.rules.constants import Building, Op
from pocketmars_env.games.pocket_mars.text.card_text import PHRASES, program_text

TEXTS = {
    "Greenhouse 1": ("launch 1 and gain 1 energy", "if you have no colonist here: launch 2"),
    "Greenhouse 2": ("draw 2 and keep 1; the other one goes face down onto its suit's pile", "launch 1"),
    "Greenhouse 3": ("if your Ship is empty: launch 2", "use 1 energy: launch 1"),
    "Greenhouse 4": (
        "settle 1 here",
        "use 3 energy: upgrade or downgrade any colonist, no matter whose, in any Building",
    ),
    "Greenhouse 5": (
        "in any Building, let a colonist on ★ and one on ★★ trade places",
        "if another Greenhouse card is in your hand: launch 1",
    ),
    "Greenhouse 6": ("settle 1 in any Building", "downgrade 1 of yours in any Building and gain 4 energy"),
    "Greenhouse 7": ("settle 1 in any Building", "if another Greenhouse card is in your hand: launch 1"),
    "Aqualab 1": ("launch 1 and gain 1 energy", "if you have no colonist here: launch 2"),
    "Aqualab 2": (
        "draw 2 and keep 1; the other one goes face down onto its suit's pile",
        "take the top card off any Building into your hand",
    ),
    "Aqualab 3": (
        "exchange a card in your prep module for one in another player's",
        "discard another Aqualab card from your hand: settle 1 here straight from Earth",
    ),
    "Aqualab 4": ("settle 1 here", "use 2 energy: put up to 2 of your hand cards under the deck"),
    "Aqualab 5": (
        "upgrade 1 of yours here and put up to 1 of your hand cards under the deck",
        "if another Aqualab card is in your hand: launch 1",
    ),
    "Aqualab 6": ("draw 2", "look into another player's prep module"),
    "Aqualab 7": ("draw 2", "if another Aqualab card is in your hand: launch 1"),
    "Energy 1": ("launch 1 and gain 1 energy", "if you have no colonist here: launch 2"),
    "Energy 2": ("draw 2 and keep 1; the other one goes face down onto its suit's pile", "gain 2 energy"),
    "Energy 3": ("if your Ship is empty: launch 2", "if your Ship holds 2 or more: gain 2 energy"),
    "Energy 4": ("settle 1 here", "use 2 energy: launch 2"),
    "Energy 5": (
        "upgrade 1 of yours here and gain 2 energy",
        "if another Energy card is in your hand: launch 1",
    ),
    "Energy 6": (
        "use 3 energy: settle up to 2 here",
        "use 2 energy: turn the top card of any Building face down",
    ),
    "Energy 7": ("gain 2 energy and take 1 more action", "if another Energy card is in your hand: launch 1"),
    "Comms 1": ("launch 1 and gain 1 energy", "if you have no colonist here: launch 2"),
    "Comms 2": (
        "draw 2 and keep 1; the other one goes face down onto its suit's pile",
        "take any discarded card into your hand",
    ),
    "Comms 3": ("if your Ship is empty: launch 2", "discard another Comms card from your hand: launch 2"),
    "Comms 4": ("settle 1 here", "in any Building, let a colonist on ★ and one on ★★ trade places"),
    "Comms 5": ("upgrade 1 of yours here and launch 1", "if another Comms card is in your hand: launch 1"),
    "Comms 6": (
        "launch 1 and gain 2 energy",
        "bring 1 of yours back from any Building to your Ship and gain 2 energy",
    ),
    "Comms 7": ("launch 2", "if another Comms card is in your hand: launch 1"),
    "Habitation a": ("gain 2 energy", "use 1 energy: look into another player's prep module"),
    "Habitation b": ("gain 2 energy", "use 1 energy: launch 1"),
    "Habitation c": ("take any discarded card into your hand", "use 3 energy: settle 1 in any Building"),
    "Habitation d": (
        "exchange a card in your hand for one in your prep module",
        "use 3 energy: settle 1 in any Building",
    ),
    "Habitation e": (
        "take the top card off any Building into your hand",
        "use 1 energy: look into another player's prep module",
    ),
    "Habitation f": (
        "take any discarded card into your hand",
        "use 1 energy: look into another player's prep module",
    ),
    "Habitation g": ("exchange a card in your hand for one in your prep module", "use 1 energy: launch 1"),
}

ABILITY_TEXTS = {
    Building.GREENHOUSE: "upgrade or downgrade any colonist, no matter whose, in any Building",
    Building.AQUALAB: "put 1 of your hand or prep cards under the deck",
    Building.ENERGY_BANK: "gain 1 energy",
    Building.COMMS_CENTER: "launch 1",
    Building.HABITATION: "settle 1 in any Building",
}


def test_the_list_names_every_card_and_building() -> None:
    assert list(TEXTS) == [card.name for card in CARDS]
    assert list(ABILITY_TEXTS) == list(Building)


def test_the_texts_of_cards_and_abilities() -> None:
    for name, texts in TEXTS.items():
        number = CARD_NUMBER[name]
        assert (program_text(FIRST_TOP + number), program_text(FIRST_BOTTOM + number)) == texts
    for building, text in ABILITY_TEXTS.items():
        assert program_text(FIRST_ABILITY + building) == text


def test_every_op_but_the_end_has_a_phrase() -> None:
    assert list(PHRASES) == [op for op in Op if op != Op.END]
