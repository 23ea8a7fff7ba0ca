"""The constants and enums of the rules.

PWR is the power of a card, and TPR is the total power rating of a seat.
"""

from enum import IntEnum

SEATS = 2
LANES = 4
SLOTS = 2 * LANES
"""Number of slots on a field. The number of a slot is row × 4 + lane; row 0 is the attack row (top), and row
1 is the defense row (bottom)."""
HAND_LIMIT = 10
DECK_SIZE = 30
MAX_UTILITIES = 3
"""Maximum number of UTILITY cards in a deck."""
MAX_TRADES = 3
"""Maximum number of trades in a mulligan."""
ROUNDS = 3
BONUS = 2
"""PWR that a card gains from Siege Vehicle, Favorable Conditions or Comms Station."""
LAB_BONUS = 1
SPY_LIMIT = 2
"""Maximum PWR of a card that can be lost to a Spy."""
EVENTS_WRAP = 100
"""The counters of shuffles and random reveals start again at 0 instead of reaching this number; no game has
that many."""

NO_CARD = NO_SEAT = NO_SLOT = NO_DECISION = -1


class Category(IntEnum):
    """The category of a card type.

    Effects of OFFENSE cards work in the attack row, and effects of GUARDIAN cards in the defense row. Traps
    are OFFENSE cards, but trigger in either row. UTILITY cards are not placed on a field.
    """

    OFFENSE = 0
    GUARDIAN = 1
    UTILITY = 2


class Subtype(IntEnum):
    """The subtypes of card types, as bit flags, because a type can have several."""

    NONE = 0
    ARTIFICIAL = 1
    GHOST = 2
    TRAP = 4
    VEHICLE = 8
    UNIT = 16
    SUPPORT = 32
    BUILDING = 64
    INFANTRY = 128
    """Not a printed subtype; it refers to Infantry cards and to cards that count as Infantry.

    A card with the effect COUNT_AS_INFANTRY counts as Infantry only while this effect works.
    """


class Kind(IntEnum):
    """The kind of a card type's effect, which determines when it happens; NONE if there is no effect."""

    NONE = 0
    PLACED = 1
    CONTINUOUS = 2
    TRAP = 3
    USED = 4


class Scope(IntEnum):
    """The cards that an op can affect; they must also have one of the required subtypes."""

    BOTH = 0
    """All cards on both fields."""
    ENEMY = 1
    """The enemy's cards on the enemy's field."""
    ENEMY_COLUMN = 2
    """The enemy's cards on the enemy's field, in the lane of the card with the effect."""
    OWN_OTHERS = 3
    """The player's cards on the player's field, except the card with the effect."""


class Op(IntEnum):
    """The operations (*ops*) of which the programs in `cards.py` consist."""

    END = 0
    # random reveals
    REVEAL = 1
    """Reveal up to `amount` random hidden cards in the enemy's hand."""
    REVEAL_FOR_COLUMN = 2
    """Reveal random hidden cards in the enemy's hand: up to one for each card in this card's lane on the
    enemy's field."""
    # effects on all targets
    DESTROY_ALL = 3
    DISABLE_ALL = 4
    BOOST_ALL = 5
    # effects on one target that the player chooses
    DESTROY_ONE = 6
    DISABLE_ONE = 7
    BOOST_ONE = 8
    ZERO_ONE = 9
    # other effects of placed cards and UTILITY cards
    FIND_UTILITY = 10
    DISCARD_TO_DESTROY = 11
    FORBID_REVEALS = 12
    # continuous effects
    ADD_TPR = 13
    """Add `amount` to the player's TPR."""
    ADD_TPR_IF_PAIRED = 14
    """Add `amount` to the player's TPR if the player has another copy of this card in the same column."""
    ADD_TPR_FOR_INFANTRY = 15
    """Add `amount` to the player's TPR for each card on either field that is Infantry or counts as Infantry.

    If a player has several cards with this op, only one of them adds TPR.
    """
    COUNT_AS_INFANTRY = 16
    RAISE_ARTIFICIAL = 17
    """Add `amount` to the PWR of the player's ARTIFICIAL cards whose printed PWR is 1.

    If a player has several cards with this op, the PWR is raised only once.
    """
    RAISE_NEIGHBOURS = 18
    """Add `amount` to the PWR of the player's cards directly to the left and right of this card.

    The PWR of each card is raised at most once. The PWR of cards that have this op is not raised.
    """
    DISARM = 19
    """Destroy the trap on which the card is placed; the trap does not trigger."""
    # traps
    DESTROY_PLACED = 20
    """Destroy the card placed on the trap if that card has one of the subtypes in `what`."""
    ZERO_PLACED = 21
    REVEAL_OR_COME_BACK = 22
    LOSE_OR_COME_BACK = 23
    """The player who placed a card on the trap either loses that card (possible only if its PWR is at most
    `amount`) or sends the trap back to an empty slot on the field of the trap's owner."""


FIRST_OF_ONE, LAST_OF_ONE = Op.DESTROY_ONE, Op.ZERO_ONE


class Decision(IntEnum):
    """The types of decisions, which the table `actions.DECISIONS` describes."""

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
    """A card has been placed; its own effect follows once the trap below it (if any) is resolved."""
    SINKHOLE = 4
    """Cards are being discarded; afterwards, the same number of enemy BUILDING cards is destroyed."""
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
    """After round 2, one player has won more rounds than the other."""
    THREE_ROUNDS = 1
    """Round 3 has been played."""
    ONE_ROUND = 2
    """The only round of a small game has been played."""
