"""Numbers and names of the rules."""

from enum import IntEnum

SEATS = 2
LANES = 4
SLOTS = 2 * LANES
"""Number of slots of a field. A slot has the number row × 4 + lane; row 0 is the attack row (top), row 1 the
defence row (bottom)."""
HAND_LIMIT = 10
DECK_SIZE = 30
MAX_UTILITIES = 3
"""Maximum number of UTILITY cards in a deck."""
MAX_TRADES = 3
"""Maximum number of trades in a mulligan."""
ROUNDS = 3
BONUS = 2
"""PWR that a card gets from Siege Vehicle, Favorable Conditions or a Comms Station."""
LAB_BONUS = 1
SPY_LIMIT = 2
"""Maximum PWR of a card that can be lost to a Spy."""

NO_CARD = NO_SEAT = NO_SLOT = NO_DECISION = -1


class Category(IntEnum):
    """The category of a card type, which determines where a card can be placed and where its effect works."""

    OFFENSE = 0
    GUARDIAN = 1
    UTILITY = 2


class Subtype(IntEnum):
    """The subtypes that effects refer to, as bits, because a card can have several."""

    NONE = 0
    ARTIFICIAL = 1
    GHOST = 2
    TRAP = 4
    VEHICLE = 8
    UNIT = 16
    SUPPORT = 32
    BUILDING = 64
    INFANTRY = 128
    """Infantry cards, and cards that count as Infantry while their effect works; not a printed subtype."""


class Kind(IntEnum):
    """When the effect of a card type happens."""

    NONE = 0
    PLACED = 1
    CONTINUOUS = 2
    TRAP = 3
    USED = 4


class Scope(IntEnum):
    """The cards that an effect can apply to."""

    BOTH = 0
    """All cards on both fields."""
    ENEMY = 1
    """The enemy's cards on the enemy's field."""
    ENEMY_COLUMN = 2
    """The enemy's cards in the enemy's column of the same lane."""
    OWN_OTHERS = 3
    """The player's cards on their own field, except the card with the effect."""


class Op(IntEnum):
    """The operations of card programs."""

    END = 0
    # chance
    REVEAL = 1
    """Reveal `amount` random hidden cards of the enemy's hand."""
    REVEAL_FOR_COLUMN = 2
    """Reveal as many random hidden cards of the enemy's hand as there are cards in the enemy's column."""
    # every card that fits
    DESTROY_ALL = 3
    DISABLE_ALL = 4
    BOOST_ALL = 5
    # one card of the player's choice
    DESTROY_ONE = 6
    DISABLE_ONE = 7
    BOOST_ONE = 8
    ZERO_ONE = 9
    # others
    FIND_UTILITY = 10
    DISCARD_TO_DESTROY = 11
    FORBID_REVEALS = 12
    # continuous
    ADD_TPR = 13
    """Add `amount` to the player's TPR."""
    ADD_TPR_IF_PAIRED = 14
    """Add `amount` to the TPR if the other slot of the column holds a card of the same type."""
    ADD_TPR_FOR_INFANTRY = 15
    """Add `amount` to the TPR for each Infantry on both fields; one card with this op counts per player."""
    COUNT_AS_INFANTRY = 16
    RAISE_ARTIFICIAL = 17
    """Raise the PWR of the player's ARTIFICIAL cards with printed PWR 1 by `amount`, once per card."""
    RAISE_NEIGHBOURS = 18
    """Raise the PWR of the left and right neighbours by `amount`, once per card; skip cards with this op."""
    DISARM = 19
    """Destroy the trap on which the card is placed, before the trap triggers."""
    # traps
    DESTROY_PLACED = 20
    """Destroy the placed card if it has one of the subtypes."""
    ZERO_PLACED = 21
    REVEAL_OR_COME_BACK = 22
    LOSE_OR_COME_BACK = 23
    """Lose the placed card (only if its PWR is at most `amount`), or let the trap come back."""


FIRST_OF_ONE, LAST_OF_ONE = Op.DESTROY_ONE, Op.ZERO_ONE


class Decision(IntEnum):
    """The decisions."""

    MULLIGAN = 0
    KEEP = 1
    TURN = 2
    TRAP = 3
    COME_BACK = 4
    TARGET = 5
    GIVE = 6
    TAKE = 7
    DISCARD = 8


class Stage(IntEnum):
    """The step of the game that runs next when no decision is pending."""

    MULLIGAN = 0
    KEEP = 1
    TURN = 2
    PLACED = 3
    """A card has been placed and the trap below it, if any, is resolved; the card's own effect is next."""
    SINKHOLE = 4
    """Cards are being discarded; afterwards, the same number of buildings is destroyed."""
    END_TURN = 5


class Mode(IntEnum):
    """The source of the decks."""

    STARTER = 0
    SAME = 1
    RANDOM = 2
    CONSTRUCTED = 3


class Termination(IntEnum):
    """The reason why a game ended."""

    TWO_ROUNDS = 0
    """One player has won more rounds after round 2."""
    THREE_ROUNDS = 1
    """Round 3 has been played."""
