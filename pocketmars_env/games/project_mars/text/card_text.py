"""English texts of card effects, generated from the programs of the cards."""

from pocketmars_env.games.project_mars.rules.cards import CARDS, CardType, Line
from pocketmars_env.games.project_mars.rules.constants import Category, Kind, Op, Scope, Subtype

WHOSE = {
    Scope.BOTH: "on both fields",
    Scope.ENEMY: "on the enemy's field",
    Scope.ENEMY_COLUMN: "in the enemy's column of this lane",
    Scope.OWN_OTHERS: "on your field, other than this card",
}
OP_TEXT: dict[Op, str] = {
    Op.REVEAL: "{amount} random hidden card in the enemy's hand is revealed",
    Op.REVEAL_FOR_COLUMN: "a random hidden card in the enemy's hand is revealed per card in their column",
    Op.DESTROY_ALL: "every {what} {whose} is destroyed",
    Op.DISABLE_ALL: "every {what} {whose} is disabled",
    Op.BOOST_ALL: "every {what} {whose} gets +{amount} PWR",
    Op.DESTROY_ONE: "destroy {a_what} {whose}",
    Op.DISABLE_ONE: "disable {a_what} {whose}",
    Op.BOOST_ONE: "{a_what} {whose}, gets +{amount} PWR",
    Op.ZERO_ONE: "set the PWR of {a_what} {whose} to 0",
    Op.FIND_UTILITY: "put a card from your hand into your deck, and take any UTILITY card from the deck",
    Op.DISCARD_TO_DESTROY: "discard any number of cards to destroy that many {what}s {whose}",
    Op.FORBID_REVEALS: "until the end of the round no effect reveals cards in a hand",
    Op.ADD_TPR: "+{amount} TPR",
    Op.ADD_TPR_IF_PAIRED: "+{amount} TPR if the other slot of this column holds a copy of this card",
    Op.ADD_TPR_FOR_INFANTRY: "+{amount} TPR for each Infantry on either field; copies do not stack",
    Op.COUNT_AS_INFANTRY: "counts as Infantry",
    Op.RAISE_ARTIFICIAL: "your ARTIFICIAL cards with printed PWR 1 get +{amount} PWR; copies do not stack",
    Op.RAISE_NEIGHBOURS: (
        "your cards left and right, except copies of this card, get +{amount} PWR, at most once each"
    ),
    Op.DISARM: "destroys a trap on which it is placed",
    Op.DESTROY_PLACED: "{a_what} placed on it is destroyed",
    Op.ZERO_PLACED: "the PWR of {a_what} placed on it becomes 0",
    Op.REVEAL_OR_COME_BACK: (
        "a player who places a card on it reveals a hidden hand card, or this trap comes back"
    ),
    Op.LOSE_OR_COME_BACK: (
        "a card placed on it is lost (if its PWR is at most {amount}), or this trap comes back"
    ),
}
ROW_OF = {Category.OFFENSE: "top", Category.GUARDIAN: "bottom"}
"""The row in which the effects of a category's cards work; traps, however, trigger in either row."""
KIND_TEXT = {
    Kind.PLACED: "When placed in the {row} row: ",
    Kind.CONTINUOUS: "In the {row} row: ",
    Kind.TRAP: "Trap, placed on the enemy's field: ",
    Kind.USED: "",
}


def card_text(card: int) -> str:
    """Return the text of a card type's effect; "No effect." if the type has no effect."""
    card_type = CARDS[card]
    if not card_type.program:
        return "No effect."
    words = "; ".join(line_text(line) for line in card_type.program)
    text = KIND_TEXT[card_type.kind].format(row=ROW_OF.get(card_type.category, "")) + words + "."
    return text[0].upper() + text[1:]


def line_text(line: Line) -> str:
    """Return the text of one line of a card's program, as part of a sentence."""
    whose, what = WHOSE[line.scope], what_text(line.what)
    article = "an" if what[:1] in "AEIO" else "a"
    return OP_TEXT[line.op].format(amount=line.amount, what=what, a_what=f"{article} {what}", whose=whose)


def what_text(subtypes: int) -> str:
    """Return the text for a card with one of the subtypes, such as "GHOST or TRAP card"."""
    return " or ".join(name_of(subtype) for subtype in Subtype if subtype & subtypes) + " card"


def name_of(subtype: Subtype) -> str:
    """Return a subtype's name: in capitals, except "Infantry", which is not printed on cards as a subtype."""
    return "Infantry" if subtype is Subtype.INFANTRY else subtype.name


def type_line(card: int) -> str:
    """Return a card type's category, subtypes and printed PWR, such as "OFFENSE · ARTIFICIAL · PWR 2"."""
    card_type: CardType = CARDS[card]
    power = [] if card_type.category == Category.UTILITY else [f"PWR {card_type.power}"]
    return " · ".join([card_type.category.name, *subtypes_of(card), *power])


def subtypes_of(card: int) -> list[str]:
    """Return a card type's printed subtypes; Infantry is not one of them."""
    subtypes = CARDS[card].subtypes
    return [subtype.name for subtype in Subtype if subtype & subtypes and subtype != Subtype.INFANTRY]
