"""The 267 action numbers, grouped in blocks, and the table of decisions.

The argument of an action is its index in its block. The tables of actions and decisions in `README.md` are
generated from `ACTION_BLOCKS` and `DECISIONS`.
"""

from functools import partial

import numpy as np

from pocketmars_env.core.compiled.compiling import shared
from pocketmars_env.core.layout import Block, DecisionRow, block_of_action, first_action_of
from pocketmars_env.games.pocket_mars.rules.cards import NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    MAX_SEATS,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
)

OTHERS = MAX_SEATS - 1
SHIFTS = 2
"""Number of directions of a SHIFT action: ★→★★ (upgrade) and ★★→★ (downgrade)."""


ACTION_BLOCKS = (
    Block("PLAY_HAND", NUM_CARDS, "card", "TURN"),
    Block("PLAY_PREP", NUM_CARDS, "card", "TURN"),
    Block("PLAY_OTHER", OTHERS * PREP_SLOTS, "(relative seat - 1) * 2 + prep slot", "TURN"),
    Block("LAUNCH", 1, "-", "TURN"),
    Block("DISCARD_FOR_ENERGY", NUM_CARDS, "card (in hand or prep module)", "TURN"),
    Block("PASS", 1, "-", "every optional decision"),
    Block("ACCEPT", 1, "-", "every yes/no decision"),
    Block("CARD", NUM_CARDS, "card", "choosing a card that the seat to play can see"),
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

# --- arguments: encoding and decoding ---------------------------------------------------------------


@shared
def encode_slot(distance: int, slot: int) -> int:
    """Encode prep slot `slot` (0 or 1) of relative seat `distance` (1..3) as a SLOT argument."""
    return (distance - 1 << 1) + slot


@shared
def decode_slot(argument: int) -> tuple[int, int]:
    """Decode a SLOT argument into the owner's relative seat (1..3) and the prep slot (0 or 1)."""
    return (argument >> 1) + 1, argument & 1


@shared
def encode_shift(building: int, distance: int, direction: int) -> int:
    """Encode an upgrade (`direction` 0) or downgrade (1) of a colonist of the relative seat `distance`."""
    return (building << 3) + (distance << 1) + direction


@shared
def decode_shift(argument: int) -> tuple[int, int, int]:
    """Decode a SHIFT argument into the Building, the owner's relative seat and the direction."""
    return argument >> 3, argument >> 1 & 3, argument & 1


@shared
def encode_swap(building: int, on_star: int, on_star2: int) -> int:
    """Encode a swap of the colonists of two relative seats, one on ★ and one on ★★, as a SWAP argument."""
    return (building << 4) + (on_star << 2) + on_star2


@shared
def decode_swap(argument: int) -> tuple[int, int, int]:
    """Decode a SWAP argument into the Building and the relative seats that own the colonists on ★ and ★★."""
    return argument >> 4, argument >> 2 & 3, argument & 3


@shared
def encode_recall(building: int, star: int) -> int:
    """Encode the return of a colonist to the Ship as a RECALL argument; `star` is 0 for ★ and 1 for ★★."""
    return (building << 1) + star


@shared
def decode_recall(argument: int) -> tuple[int, int]:
    """Decode a RECALL argument into the Building and the colonist's place: 0 for ★ and 1 for ★★."""
    return argument >> 1, argument & 1


NUM_ACTIONS = sum(block.size for block in ACTION_BLOCKS)


first_action = partial(first_action_of, ACTION_BLOCKS)
"""Returns the first action number of the block with the given name."""
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

DECISIONS = (
    DecisionRow("DRAFT", ("CARD",), "which card of the packet to keep?", "keep {}", is_hidden=True,
                reason="setup: everybody secretly chooses a card to keep, and then passes the rest on"),
    DecisionRow("PREP", ("CARD",), "which card to put into the prep module?", "put {} into your prep module",
                is_hidden=True,
                reason="setup: everybody secretly chooses two of the four cards for the prep module"),
    DecisionRow("TURN", ("PLAY_HAND", "PLAY_PREP", "PLAY_OTHER", "LAUNCH", "DISCARD_FOR_ENERGY"),
                "which action?"),
    DecisionRow("DISCARD_DA", ("SLOT",), "which of the DA's cards to discard for the launch?", "discard {}",
                reason="a launch against Devious Automatics also discards one of its cards"),
    DecisionRow("SETTLE", ("ACCEPT",), "the card's value is higher: settle 1 here?", "settle 1 here",
                may_pass=True),
    DecisionRow("BOTTOM", ("ACCEPT",), "trigger the card's bottom action?", "trigger the bottom action",
                may_pass=True),
    DecisionRow("ABILITY", ("ACCEPT",), "trigger the Building's ability?", "trigger the Building's ability",
                may_pass=True),
    DecisionRow("KEEP", ("CARD",), "which of the two drawn cards to keep?", "keep {}", is_hidden=True),
    DecisionRow("TAKE_DISCARD", ("CARD",), "which card to take from the discard pile?",
                "take {} from the discard pile"),
    DecisionRow("DISCARD_SUIT", ("CARD",), "which card to pay with?", "pay with {}"),
    DecisionRow("PUT_UNDER", ("CARD",), "which card to put under the deck?", "put {} under the deck",
                is_hidden=True, may_pass=True),
    DecisionRow("SETTLE_MORE", ("ACCEPT",), "settle 1 more here?", "settle 1 more here", may_pass=True),
    DecisionRow("SETTLE_WHERE", ("BUILDING",), "which Building to settle 1 in?", "settle 1 in {}"),
    DecisionRow("TAKE_TOP", ("BUILDING",), "which Building to take the top card from?",
                "take the top card of {}"),
    DecisionRow("TURN_DOWN", ("BUILDING",), "which Building's top card to turn face down?",
                "turn down the top card of {}"),
    DecisionRow("SHIFT", ("SHIFT",), "which colonist to upgrade or downgrade?"),
    DecisionRow("SWAP", ("SWAP",), "which two colonists trade places?"),
    DecisionRow("RECALL", ("RECALL",), "which colonist to bring back to the Ship?"),
    DecisionRow("SWAP_HAND", ("CARD",), "which card from your hand to exchange?",
                "exchange {} from your hand", is_hidden=True),
    DecisionRow("SWAP_PREP", ("CARD",), "which card from your prep module to exchange?",
                "exchange {} from your prep module", is_hidden=True),
    DecisionRow("SWAP_OTHER", ("SLOT",), "for which card in another prep module to exchange it?", "take {}"),
    DecisionRow("LOOK", ("SEAT",), "which prep module to look into?", "look at the prep module of {}"),
    DecisionRow("DRAW", ("SLOT",), "which of the DA's cards to draw?", "draw {}",
                reason="cards are drawn from the DA's prep module as long as it holds any"),
    DecisionRow("DISCARD", ("CARD",), "too many cards: which to discard?", "discard {}",
                reason="4-card rule: at the end of a turn nobody has more than four cards"),
    DecisionRow("FILL", ("CARD",), "which card to put into the prep module?", "put {} into your prep module",
                is_hidden=True,
                reason="4-card rule: at the end of a turn two of the four cards are in the prep module"),
    DecisionRow("DA_UPGRADE", ("SHIFT",), "which colonist to move?",
                reason="android activation, Greenhouse: two upgrades"),
    DecisionRow("DA_SETTLE", ("BUILDING",), "which Building to settle 1 in?", "settle 1 in {}",
                reason="android activation, Habitation: one of the DA's colonists is settled"),
)  # fmt: skip
"""One row per `Decision`, in the order of the enum."""
YES_NO_DECISIONS = tuple(Decision[row.name] for row in DECISIONS if row.blocks == ("ACCEPT",))
FIRST_ACTION = np.array([first_action(row.blocks[0]) for row in DECISIONS], dtype=np.int64)
"""``(number of decisions,)`` int64: the first action number of each decision's first block."""
block_of = partial(block_of_action, ACTION_BLOCKS)
"""Returns the block that contains an action number, and the action's argument; see `block_of_action`."""
