"""Actions as text: phrases for people and short names for programs."""

from pocketmars_env.core.layout import Block
from pocketmars_env.games.project_mars.rules.actions import DECISIONS, block_of, decode_play, decode_slot
from pocketmars_env.games.project_mars.rules.cards import CARDS, KIND, NUM_FIELD_TYPES
from pocketmars_env.games.project_mars.rules.constants import LANES, Kind

BLOCK_TEXT = {
    "PLAY": "play {}", "UTILITY": "use {}", "PASS": "pass", "CARD": "choose {}", "SLOT": "choose {}",
    "LOSE": "lose the placed card", "SEND_BACK": "send the trap back",
}  # fmt: skip
"""The default text for each block (kind of action); a decision may have a more specific text."""
PASS_TEXT = {
    "MULLIGAN": "end the mulligan", "KEEP": "keep no more cards", "TURN": "pass for this round",
    "DISCARD": "discard no more cards",
}  # fmt: skip


def describe_action(action: int, decision: int | None = None) -> str:
    """Return an action as text, such as "play Scout in your top slot in lane 1"."""
    block, argument = block_of(action)
    text = BLOCK_TEXT[block.name]
    if decision is not None:
        row = DECISIONS[decision]
        if block.name == "PASS":
            text = PASS_TEXT.get(row.name, text)
        elif block.name == row.blocks[0] and row.action_text:
            text = row.action_text
    return text.format(argument_text(block, argument))


def argument_text(block: Block, argument: int) -> str:
    """Return an action's argument as text, such as "Scout in your top slot in lane 1"; "" if it has none."""
    if block.name == "PLAY":
        card, slot = decode_play(argument)
        distance = int(KIND[card] == Kind.TRAP)
        return f"{CARDS[card].name} in {slot_text(distance, slot)}"
    if block.name == "SLOT":
        return slot_text(*decode_slot(argument))
    if block.name in ("CARD", "UTILITY"):
        return CARDS[argument + (NUM_FIELD_TYPES if block.name == "UTILITY" else 0)].name
    return ""


def slot_text(distance: int, slot: int) -> str:
    """Return a slot on one's own field (`distance` 0) or the enemy's (1) as text; lane 1 is leftmost."""
    side = ("your", "the enemy's")[distance]
    return f"{side} {('top', 'bottom')[slot // LANES]} slot in lane {slot % LANES + 1}"


# --- short names --------------------------------------------------------------------------------------


def action_name(action: int) -> str:
    """Return an action's short, unique name, such as ``PLAY(Scout, top 0)``; lanes are numbered from 0."""
    block, argument = block_of(action)
    return f"{block.name}({short_argument(block, argument)})" if block.argument != "-" else block.name


def short_argument(block: Block, argument: int) -> str:
    """Return the argument in the short name of an action, such as "Scout, top 0"."""
    if block.name == "PLAY":
        card, slot = decode_play(argument)
        return f"{CARDS[card].name}, {short_slot(slot)}"
    if block.name == "SLOT":
        distance, slot = decode_slot(argument)
        return f"{('own', 'enemy')[distance]}, {short_slot(slot)}"
    return argument_text(block, argument)


def short_slot(slot: int) -> str:
    return f"{('top', 'bottom')[slot // LANES]} {slot % LANES}"
