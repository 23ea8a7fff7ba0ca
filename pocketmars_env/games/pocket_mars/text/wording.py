"""An action as a sentence, for people; `actions.action_name` is the short name for machines."""

from pocketmars_env.games.pocket_mars.rules.actions import ACCEPT, BLOCK_OF_DECISION, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, Decision

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
"""What an action says when it is not known what was asked."""

DECISION_WORDS = {
    Decision.DRAFT: "keep {}",
    Decision.PREP: "put {} into your prep module",
    Decision.DISCARD_DA: "discard {}",
    Decision.SETTLE: "settle 1 here",
    Decision.BOTTOM: "trigger the bottom action",
    Decision.ABILITY: "trigger the Building's ability",
    Decision.KEEP: "keep {}",
    Decision.TAKE_DISCARD: "take {} from the discard pile",
    Decision.DISCARD_SUIT: "pay with {}",
    Decision.PUT_UNDER: "put {} under the deck",
    Decision.SETTLE_MORE: "settle 1 more here",
    Decision.SETTLE_WHERE: "settle 1 in {}",
    Decision.TAKE_TOP: "take the top card of {}",
    Decision.TURN_DOWN: "turn down the top card of {}",
    Decision.SWAP_HAND: "give {} from your hand",
    Decision.SWAP_PREP: "give {} from your prep module",
    Decision.SWAP_OTHER: "take {}",
    Decision.LOOK: "look at the prep module of {}",
    Decision.DRAW: "draw {}",
    Decision.DISCARD: "discard {}",
    Decision.FILL: "put {} into your prep module",
    Decision.DA_SETTLE: "settle 1 in {}",
}
"""What a choice says that answers the decision; other actions have the words of their block."""


def describe_action(action: int, decision: Decision | None = None) -> str:
    """What an action means, such as "put Comms 1 under the deck"; seats are relative to the asked one.

    Args:
        action: its number.
        decision: what was asked, if that is known: it makes the words exact.

    Raises:
        ValueError: if there is no such action.

    """
    block, argument = block_of(action)
    words = BLOCK_WORDS[block.name]
    if decision is not None and action - argument == BLOCK_OF_DECISION.get(decision, ACCEPT):
        words = DECISION_WORDS.get(decision, words)
    return words.format(argument_in_words(block.name, argument))


def argument_in_words(block: str, argument: int) -> str:
    """The argument of an action of the block, as a part of a sentence."""
    if block in ("PLAY_HAND", "PLAY_PREP", "DISCARD_FOR_ENERGY", "CARD"):
        return CARDS[argument].name
    if block in ("PLAY_OTHER", "SLOT"):
        return f"the card in prep slot {argument % 2} of {seat_in_words(argument // 2 + 1)}"
    if block == "SEAT":
        return seat_in_words(argument + 1)
    if block == "BUILDING":
        return BUILDING_NAMES[argument]
    if block == "SHIFT":
        building, rest = divmod(argument, 8)
        way = ("from ★ to ★★", "from ★★ to ★")[rest % 2]
        return f"{colonist_in_words(rest // 2)} in {BUILDING_NAMES[building]} {way}"
    if block == "SWAP":
        building, rest = divmod(argument, 16)
        low, high = (colonist_in_words(owner) for owner in divmod(rest, 4))
        return f"{low} on ★ with {high} on ★★ in {BUILDING_NAMES[building]}"
    if block == "RECALL":
        building, place = divmod(argument, 2)
        return f"your colonist on {('★', '★★')[place]} in {BUILDING_NAMES[building]}"
    return ""


def colonist_in_words(distance: int) -> str:
    return "your colonist" if distance == 0 else f"the colonist of {seat_in_words(distance)}"


def seat_in_words(distance: int) -> str:
    """A seat by its distance to the left."""
    return ("yourself", "the next seat", "the second next seat", "the third next seat")[distance]
