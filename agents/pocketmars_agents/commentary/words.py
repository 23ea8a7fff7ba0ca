"""The words for what a person may choose, and the texts behind them."""

from dataclasses import dataclass

from pocketmars_env.games.pocket_mars.config import seat_name
from pocketmars_env.games.pocket_mars.drawing.words import QUESTIONS
from pocketmars_env.games.pocket_mars.rules.actions import PASS, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_ABILITY, FIRST_BOTTOM, FIRST_TOP
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, PREP_SLOTS, Decision
from pocketmars_env.games.pocket_mars.rules.plays import ENERGY_FOR_DISCARD
from pocketmars_env.games.pocket_mars.seat_view.seeing import program_in_words
from pocketmars_env.games.pocket_mars.seat_view.sight import SeenTable, suit_of
from pocketmars_env.games.pocket_mars.text.card_text import card_text
from pocketmars_env.games.pocket_mars.text.wording import argument_in_words, describe_action, seat_in_words

CARD_BLOCKS = ("PLAY_HAND", "PLAY_PREP", "DISCARD_FOR_ENERGY", "CARD")
"""The actions whose argument is a card."""
SLOT_BLOCKS = ("PLAY_OTHER", "SLOT")
"""The actions whose argument is a place in another prep module."""
SIDES = ("left", "right")
"""Of the places of a prep module."""


@dataclass(frozen=True)
class Choice:
    """A legal answer, for a person.

    Attributes:
        action: its number.
        words: what it means, such as "launch 1 of your colonists".
        kind: its block of action numbers, such as ``"PLAY_HAND"``.
        card: the name of the card that it is about, if there is one that the seat knows.
        text: what to know about it: the card's two halves, or the rule; may be empty.

    """

    action: int
    words: str
    kind: str
    card: str | None
    text: str


def choices_at(table: SeenTable, legal: list[int]) -> tuple[Choice, ...]:
    """The legal answers of the seat that looks at the table and is asked."""
    return tuple(choice_at(table, action) for action in legal)


def choice_at(table: SeenTable, action: int) -> Choice:
    """One of them."""
    card = card_of(table, action)
    return Choice(
        action=action,
        words=action_in_words(table, action),
        kind=block_of(action)[0].name,
        card=None if card is None else CARDS[card].name,
        text=text_of(table, action) if card is None else card_text(card),
    )


def action_in_words(table: SeenTable, action: int) -> str:
    """An answer to the question of the table, as the asked seat says it."""
    asked = asked_seat(table)
    words = describe_action(action, Decision[table.decision] if table.decision else None)
    block, argument = block_of(action)
    if block.name in SLOT_BLOCKS:
        words = words.replace(argument_in_words(block.name, argument), place_in_words(table, argument))
    for distance in range(1, len(table.seats)):
        words = words.replace(
            seat_in_words(distance), seat_name(table.mode, (asked + distance) % len(table.seats))
        )
    return words


def asked_seat(table: SeenTable) -> int:
    return table.active_seat if table.asked_seat is None else table.asked_seat


def place_in_words(table: SeenTable, argument: int) -> str:
    """A place in another prep module, by what the asked seat sees there."""
    distance, slot = divmod(argument, PREP_SLOTS)
    owner = table.seats[(asked_seat(table) + distance + 1) % len(table.seats)]
    card = owner.prep[slot]
    name = "the card" if card is None else card.name
    return f"{name} ({SIDES[slot]} in the prep module of {owner.name})"


def card_of(table: SeenTable, action: int) -> int | None:
    """The card that an action is about, if the seat knows it."""
    block, argument = block_of(action)
    if block.name in CARD_BLOCKS:
        return argument
    if block.name in SLOT_BLOCKS:
        distance, slot = divmod(argument, PREP_SLOTS)
        card = table.seats[(asked_seat(table) + distance + 1) % len(table.seats)].prep[slot]
        return None if card is None else card.card
    if table.decision == Decision.BOTTOM.name:
        return table.played
    return None


def text_of(table: SeenTable, action: int) -> str:
    """What to know about an action that is about no card that the seat knows."""
    block, argument = block_of(action)
    if table.decision == Decision.ABILITY.name and table.played is not None:
        return ability_of(suit_of(table.played))
    if block.name in SLOT_BLOCKS:
        distance, slot = divmod(argument, PREP_SLOTS)
        card = table.seats[(asked_seat(table) + distance + 1) % len(table.seats)].prep[slot]
        return "" if card is None or block.name == "SLOT" else ability_of(card.suit)
    if block.name == "LAUNCH":
        cost = "; 1 of the DA's cards is discarded with it" if table.mode == "solo" else ""
        return f"1 of your colonists from Earth to your Ship{cost}"
    return table.resolving if action != PASS else ""


def ability_of(building: int) -> str:
    return program_in_words(FIRST_ABILITY + building, -1)


# --- reasons ---------------------------------------------------------------------------------------

RULES = {
    Decision.DRAFT: "setup: everybody secretly chooses a card to keep, and then passes the others on",
    Decision.PREP: "setup: everybody secretly chooses two of the four cards for the prep module",
    Decision.DISCARD_DA: "a launch against Devious Automatics also discards one of its cards",
    Decision.DRAW: "cards are drawn from the DA's prep module as long as it holds any",
    Decision.DISCARD: "4-card rule: at the end of a turn everybody has four cards",
    Decision.FILL: "4-card rule: at the end of a turn two of the four cards are in the prep module",
    Decision.DA_UPGRADE: "android activation, Greenhouse: two upgrades",
    Decision.DA_SETTLE: "android activation, Habitation: one of the DA's colonists is settled",
}
"""Why a seat is asked, where it is no card's or Building's doing."""


def reason_of(table: SeenTable, action: int) -> str:
    """The rule or the card by which the asked seat answers."""
    decision = Decision[table.decision] if table.decision else None
    if decision in RULES:
        return RULES[decision]
    if action == PASS and decision is not None:
        return f"the question was: {QUESTIONS[decision]}"
    if decision == Decision.TURN:
        return reason_of_turn(table, action)
    if decision == Decision.SETTLE and table.played is not None:
        return f"the value of {CARDS[table.played].name} is higher than that of what lies under it"
    if decision == Decision.BOTTOM and table.played is not None:
        return program_in_words(FIRST_BOTTOM + table.played, -1)
    if decision == Decision.ABILITY and table.played is not None:
        return ability_of(suit_of(table.played))
    return table.resolving


def reason_of_turn(table: SeenTable, action: int) -> str:
    """The rule of a turn's main action."""
    block, argument = block_of(action)
    if block.name == "PLAY_HAND":
        return program_in_words(FIRST_TOP + argument, -1)
    if block.name == "DISCARD_FOR_ENERGY":
        return f"a discarded card is worth {ENERGY_FOR_DISCARD[table.mode == 'solo']} energy"
    if block.name == "LAUNCH":
        return "a turn's action may be to launch 1"
    if block.name == "PLAY_OTHER" and table.mode != "solo":
        return "played from another module: its bottom is its owner's, the Building's ability the player's"
    if block.name == "PLAY_OTHER":
        return "played from the DA's module: it may settle, and the Building's ability is the player's"
    building = BUILDING_NAMES[suit_of(argument)]
    return f"played to the {building}: it may settle, then come its bottom and the Building's ability"
