"""The 227 action numbers, grouped in blocks, and a table of the decisions.

The argument of an action is its index in its block. The table of actions in
``docs/project_mars/environment.md`` must agree with `ACTION_BLOCKS`.
"""

from functools import partial

import numpy as np

from pocketmars_env.core.compiled.compiling import shared
from pocketmars_env.core.layout import Block, DecisionRow, block_of_action, first_action_of
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES, NUM_TYPES, NUM_UTILITIES
from pocketmars_env.games.project_mars.rules.constants import SEATS, SLOTS

ACTION_BLOCKS = (
    Block(
        "PLAY", NUM_FIELD_TYPES * SLOTS, "type * 8 + slot (for a trap, a slot of the enemy's field)", "TURN"
    ),
    Block("UTILITY", NUM_UTILITIES, f"type - {NUM_FIELD_TYPES}", "TURN"),
    Block("PASS", 1, "-", "TURN, MULLIGAN, KEEP, DISCARD"),
    Block("CARD", NUM_TYPES, "type", "MULLIGAN, KEEP, TRAP, GIVE, TAKE, DISCARD"),
    Block("SLOT", SEATS * SLOTS, "relative seat * 8 + slot", "TARGET, COME_BACK"),
    Block("LOSE", 1, "-", "TRAP"),
    Block("SEND_BACK", 1, "-", "TRAP"),
)

NUM_ACTIONS = sum(block.size for block in ACTION_BLOCKS)


first_action = partial(first_action_of, ACTION_BLOCKS)
"""Return the first action number of the block with the given name."""
PLAY = first_action("PLAY")
UTILITY = first_action("UTILITY")
PASS = first_action("PASS")
CARD = first_action("CARD")
SLOT = first_action("SLOT")
LOSE = first_action("LOSE")
SEND_BACK = first_action("SEND_BACK")

DECISIONS = (
    DecisionRow("MULLIGAN", ("CARD",), "which card to trade for the top card of the deck?", "trade {}",
                is_hidden=True, may_pass=True,
                reason="mulligan: up to three cards are traded; they are shuffled into the deck afterwards"),
    DecisionRow("KEEP", ("CARD",), "which card to keep for the next round?", "keep {}",
                is_hidden=True, may_pass=True,
                reason="between rounds: each player keeps any number of cards"),
    DecisionRow("TURN", ("PLAY", "UTILITY"), "which card to play?", may_pass=True),
    DecisionRow("TRAP", ("CARD", "LOSE", "SEND_BACK"), "what happens?", "reveal {}",
                reason="a trap triggers when its owner's enemy places a card on it"),
    DecisionRow("COME_BACK", ("SLOT",), "which slot does the trap come back to?", "put the trap into {}",
                reason="a trap that comes back lies on its owner's field, without an effect"),
    DecisionRow("TARGET", ("SLOT",), "which card?", "choose {}"),
    DecisionRow("GIVE", ("CARD",), "which card to put into the deck?", "put {} into the deck",
                is_hidden=True),
    DecisionRow("TAKE", ("CARD",), "which utility card to take from the deck?", "take {} from the deck"),
    DecisionRow("DISCARD", ("CARD",), "which card to discard?", "discard {}", may_pass=True),
)  # fmt: skip
"""One row per `Decision`, in the order of the enum."""
FIRST_ACTION = np.array([first_action(row.blocks[0]) for row in DECISIONS], dtype=np.int64)
"""``(number of decisions,)`` int64: the first action number of each decision's first block."""
MAY_PASS = np.array([row.may_pass for row in DECISIONS])
"""``(number of decisions,)`` bool: whether PASS is legal."""
block_of = partial(block_of_action, ACTION_BLOCKS)
"""Return the block that contains an action number, and the action's index in the block."""


# --- arguments: encoding and decoding ---------------------------------------------------------------


@shared
def encode_play(card: int, slot: int) -> int:
    """Return the argument of the PLAY action that places a card of type `card` in `slot`."""
    return (card << 3) + slot


@shared
def decode_play(argument: int) -> tuple[int, int]:
    """Return the card type and the slot that a PLAY argument encodes."""
    return argument >> 3, argument & 7


@shared
def decode_slot(argument: int) -> tuple[int, int]:
    """Return the field (0 for one's own, 1 for the enemy's) and the slot that a SLOT argument encodes."""
    return argument >> 3, argument & 7
