"""The 267 actions: blocks of numbers, one for each kind of answer.

Everything about action numbers comes from `ACTION_BLOCKS`; the table in the README is printed from it.
"""

from pocketmars_env.core.layout import Block, block_of_action, first_action_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    BUILDING_NAMES,
    MAX_SEATS,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
)

OTHERS = MAX_SEATS - 1
SHIFTS = 2
"""★→★★ and ★★→★."""


ACTION_BLOCKS = (
    Block("PLAY_HAND", NUM_CARDS, "card", "TURN"),
    Block("PLAY_PREP", NUM_CARDS, "card", "TURN"),
    Block("PLAY_OTHER", OTHERS * PREP_SLOTS, "(relative seat - 1) * 2 + prep slot", "TURN"),
    Block("LAUNCH", 1, "-", "TURN"),
    Block("DISCARD_FOR_ENERGY", NUM_CARDS, "card (of hand or prep module)", "TURN"),
    Block("PASS", 1, "-", "every optional decision"),
    Block("ACCEPT", 1, "-", "every yes/no decision"),
    Block("CARD", NUM_CARDS, "card", "choosing a card that the asked seat may see"),
    Block(
        "SLOT",
        OTHERS * PREP_SLOTS,
        "(relative seat - 1) * 2 + prep slot",
        "choosing a face-down card in another prep module",
    ),
    Block("SEAT", OTHERS, "relative seat - 1", "choosing another player (look)"),
    Block("BUILDING", NUM_SUITS, "building", "choosing a Building or its pile"),
    Block(
        "SHIFT",
        NUM_BUILDINGS * MAX_SEATS * SHIFTS,
        "building * 8 + relative owner * 2 + (0: ★→★★, 1: ★★→★)",
        "upgrade, downgrade",
    ),
    Block(
        "SWAP",
        NUM_BUILDINGS * MAX_SEATS * MAX_SEATS,
        "building * 16 + relative owner on ★ * 4 + relative owner on ★★",
        "swap",
    ),
    Block("RECALL", NUM_BUILDINGS * 2, "building * 2 + (0: from ★, 1: from ★★)", "Comms 6 bottom"),
)

NUM_ACTIONS = sum(block.size for block in ACTION_BLOCKS)


def first_action(name: str) -> int:
    """The number of the first action of the block `name`."""
    return first_action_of(ACTION_BLOCKS, name)


PLAY_HAND = first_action("PLAY_HAND")
PLAY_PREP = first_action("PLAY_PREP")
PLAY_OTHER = first_action("PLAY_OTHER")
LAUNCH = first_action("LAUNCH")
DISCARD_FOR_ENERGY = first_action("DISCARD_FOR_ENERGY")
PASS = first_action("PASS")
ACCEPT = first_action("ACCEPT")
CARD = first_action("CARD")
SLOT = first_action("SLOT")
SEAT = first_action("SEAT")
BUILDING = first_action("BUILDING")
SHIFT = first_action("SHIFT")
SWAP = first_action("SWAP")
RECALL = first_action("RECALL")

BLOCK_OF_DECISION: dict[Decision, int] = {
    Decision.DRAFT: CARD,
    Decision.PREP: CARD,
    Decision.DISCARD_DA: SLOT,
    Decision.KEEP: CARD,
    Decision.TAKE_DISCARD: CARD,
    Decision.DISCARD_SUIT: CARD,
    Decision.PUT_UNDER: CARD,
    Decision.SETTLE_WHERE: BUILDING,
    Decision.TAKE_TOP: BUILDING,
    Decision.TURN_DOWN: BUILDING,
    Decision.SHIFT: SHIFT,
    Decision.SWAP: SWAP,
    Decision.RECALL: RECALL,
    Decision.SWAP_HAND: CARD,
    Decision.SWAP_PREP: CARD,
    Decision.SWAP_OTHER: SLOT,
    Decision.LOOK: SEAT,
    Decision.DRAW: SLOT,
    Decision.DISCARD: CARD,
    Decision.FILL: CARD,
    Decision.DA_UPGRADE: SHIFT,
    Decision.DA_SETTLE: BUILDING,
}
"""The block that the choices of a decision are numbered in (TURN and the yes/no decisions apart)."""

YES_NO_DECISIONS = (Decision.SETTLE, Decision.BOTTOM, Decision.ABILITY, Decision.SETTLE_MORE)


def block_of(action: int) -> tuple[Block, int]:
    """The block of an action number and the argument in it.

    Raises:
        ValueError: if the number is not in 0 .. NUM_ACTIONS - 1.

    """
    return block_of_action(ACTION_BLOCKS, action)


def action_name(action: int) -> str:
    """A short, unique name such as ``PLAY_HAND(Comms 1)``, the same for every seat and mode.

    Raises:
        ValueError: if the number is not in 0 .. NUM_ACTIONS - 1.

    """
    block, argument = block_of(action)
    if block.argument == "-":
        return block.name
    return f"{block.name}({argument_in_words(block, argument)})"


def argument_in_words(block: Block, argument: int) -> str:
    """The argument of an action of `block`; seats are relative to the seat that is asked."""
    if block.argument.startswith("card"):
        return CARDS[argument].name
    if block.name in ("PLAY_OTHER", "SLOT"):
        return f"{relative_seat_in_words(argument // 2 + 1)}, slot {argument % 2}"
    if block.name == "SEAT":
        return relative_seat_in_words(argument + 1)
    if block.name == "BUILDING":
        return BUILDING_NAMES[argument]
    if block.name == "SHIFT":
        building, rest = divmod(argument, 8)
        owner, direction = divmod(rest, 2)
        arrow = ("★→★★", "★★→★")[direction]
        return f"{BUILDING_NAMES[building]}, {relative_seat_in_words(owner)}, {arrow}"
    if block.name == "SWAP":
        building, rest = divmod(argument, 16)
        on_star, on_star2 = (relative_seat_in_words(seat) for seat in divmod(rest, 4))
        return f"{BUILDING_NAMES[building]}, ★ {on_star}, ★★ {on_star2}"
    building, place = divmod(argument, 2)
    return f"{BUILDING_NAMES[building]}, {('★', '★★')[place]}"


def relative_seat_in_words(distance: int) -> str:
    return "self" if distance == 0 else f"seat +{distance}"
