"""Actions as text: descriptions for people, and short, unique names for code."""

from pocketmars_env.core.layout import Block
from pocketmars_env.games.pocket_mars.rules.actions import (
    DECISIONS,
    block_of,
    decode_recall,
    decode_shift,
    decode_slot,
    decode_swap,
)
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES

BLOCK_WORDS = {
    "PLAY_HAND": "play {} from your hand",
    "PLAY_PREP": "play {} from your prep module",
    "PLAY_OTHER": "play {}",
    "LAUNCH": "launch 1 of your colonists",
    "DISCARD_FOR_ENERGY": "discard {} for energy",
    "PASS": "pass",
    "ACCEPT": "accept",
    "CARD": "choose {}",
    "SLOT": "choose {}",
    "SEAT": "choose {}",
    "BUILDING": "choose {}",
    "SHIFT": "move {}",
    "SWAP": "swap {}",
    "RECALL": "bring {} back to the Ship",
}
"""The default text for the actions in each block; a decision may have a more specific text."""
CARD_BLOCKS = ("PLAY_HAND", "PLAY_PREP", "DISCARD_FOR_ENERGY", "CARD")
"""Action blocks whose argument is a card."""


def describe_action(action: int, decision: int | None = None) -> str:
    """Return an action as text, such as "choose the next seat"; seats are relative to the seat to play."""
    block, argument = block_of(action)
    words = BLOCK_WORDS[block.name]
    if decision is not None and block.name == DECISIONS[decision].blocks[0]:
        words = DECISIONS[decision].action_text or words
    return words.format(argument_text(block.name, argument))


def argument_text(block: str, argument: int) -> str:
    """Return an action's argument as text, such as "your colonist on ★ in Aqualab"; empty if none."""
    if block in CARD_BLOCKS:
        return CARDS[argument].name
    if block in ("PLAY_OTHER", "SLOT"):
        distance, slot = decode_slot(argument)
        return f"the card in prep slot {slot} of {seat_text(distance)}"
    if block == "SEAT":
        return seat_text(argument + 1)
    if block == "BUILDING":
        return BUILDING_NAMES[argument]
    if block == "SHIFT":
        building, owner, direction = decode_shift(argument)
        way = ("from ★ to ★★", "from ★★ to ★")[direction]
        return f"{colonist_text(owner)} in {BUILDING_NAMES[building]} {way}"
    if block == "SWAP":
        building, low, high = decode_swap(argument)
        return f"{colonist_text(low)} on ★ with {colonist_text(high)} on ★★ in {BUILDING_NAMES[building]}"
    if block == "RECALL":
        building, place = decode_recall(argument)
        return f"your colonist on {('★', '★★')[place]} in {BUILDING_NAMES[building]}"
    return ""


def colonist_text(distance: int) -> str:
    return "your colonist" if distance == 0 else f"the colonist of {seat_text(distance)}"


def seat_text(distance: int) -> str:
    """Return the text for the seat at the given clockwise distance from the seat to play."""
    return ("yourself", "the next seat", "the seat two places on", "the seat three places on")[distance]


# --- short names ------------------------------------------------------------------------------------


def action_name(action: int) -> str:
    """Return a short, unique name such as ``PLAY_HAND(Comms 1)``, the same for every seat and mode.

    Raises:
        ValueError: if `action` is not in 0..NUM_ACTIONS - 1.

    """
    block, argument = block_of(action)
    if block.argument == "-":
        return block.name
    return f"{block.name}({short_argument(block, argument)})"


def short_argument(block: Block, argument: int) -> str:
    """Return an action's argument for its short name; other seats are named by their distance."""
    if block.argument.startswith("card"):
        return CARDS[argument].name
    if block.name in ("PLAY_OTHER", "SLOT"):
        distance, slot = decode_slot(argument)
        return f"{short_seat(distance)}, slot {slot}"
    if block.name == "SEAT":
        return short_seat(argument + 1)
    if block.name == "BUILDING":
        return BUILDING_NAMES[argument]
    if block.name == "SHIFT":
        building, owner, direction = decode_shift(argument)
        arrow = ("★→★★", "★★→★")[direction]
        return f"{BUILDING_NAMES[building]}, {short_seat(owner)}, {arrow}"
    if block.name == "SWAP":
        building, on_star, on_star2 = decode_swap(argument)
        return f"{BUILDING_NAMES[building]}, ★ {short_seat(on_star)}, ★★ {short_seat(on_star2)}"
    building, place = decode_recall(argument)
    return f"{BUILDING_NAMES[building]}, {('★', '★★')[place]}"


def short_seat(distance: int) -> str:
    return "self" if distance == 0 else f"seat +{distance}"
