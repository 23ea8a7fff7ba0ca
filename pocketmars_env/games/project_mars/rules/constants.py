"""Numbers and names of the rules."""

from enum import IntEnum

SEATS = 2
LANES = 4
SLOTS = 2 * LANES
"""Slots of a field: row × 4 + lane; row 0 is the attack row (top), row 1 the defence row (bottom)."""
HAND_LIMIT = 10
DECK_SIZE = 30
MAX_UTILITIES = 3
"""The most UTILITY cards in a deck."""
MAX_TRADES = 3
"""Trades in a mulligan."""
ROUNDS = 3
BONUS = 2
"""PWR for each time that Siege Vehicle or Favorable Conditions picks a card, and from a Comms Station."""
LAB_BONUS = 1
SPY_LIMIT = 2
"""The most PWR of a card that can be lost to a Spy."""

NO_CARD = NO_SEAT = NO_SLOT = NO_DECISION = -1


class Category(IntEnum):
    """What a card type is; decides where it can be placed and in which row its effect works."""

    OFFENSE = 0
    GUARDIAN = 1
    UTILITY = 2


class Subtype(IntEnum):
    """Subtypes, to which effects refer, as bits: a card can have several."""

    NONE = 0
    ARTIFICIAL = 1
    GHOST = 2
    TRAP = 4
    VEHICLE = 8
    UNIT = 16
    SUPPORT = 32
    BUILDING = 64
    INFANTRY = 128
    """Not printed: Infantry cards, and cards that count as Infantry while their effect works (1.5)."""


class Kind(IntEnum):
    """When an effect happens."""

    NONE = 0
    PLACED = 1
    CONTINUOUS = 2
    TRAP = 3
    USED = 4


class Scope(IntEnum):
    """The cards that an effect can touch."""

    BOTH = 0
    """All cards on both fields."""
    ENEMY = 1
    """The enemy's cards on the enemy's field."""
    ENEMY_COLUMN = 2
    """The enemy's cards in the enemy's column of the same lane."""
    OWN_OTHERS = 3
    """The player's other cards on their own field."""


class Op(IntEnum):
    """What a line of a card's program does."""

    END = 0
    # chance
    REVEAL = 1
    """Reveal `amount` random hidden cards of the enemy's hand."""
    REVEAL_FOR_COLUMN = 2
    """The same for as many cards as lie in the enemy's column."""
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
    """Adds `amount` to the TPR."""
    ADD_TPR_IF_PAIRED = 14
    """The same, if the other slot of the column holds a card of the same type."""
    ADD_TPR_FOR_INFANTRY = 15
    """The same for each Infantry on both fields; once per player."""
    COUNT_AS_INFANTRY = 16
    RAISE_ARTIFICIAL = 17
    """ARTIFICIAL cards with printed PWR 1 get `amount`; once, however many of these work."""
    RAISE_NEIGHBOURS = 18
    """The cards left and right get `amount`; once per card, and never a card with this effect."""
    DISARM = 19
    """A trap on which the card is placed is destroyed and does not trigger."""
    # traps
    DESTROY_PLACED = 20
    """The placed card is destroyed if it has the subtype."""
    ZERO_PLACED = 21
    REVEAL_OR_COME_BACK = 22
    LOSE_OR_COME_BACK = 23
    """The placed card is lost (only with at most `amount` PWR), or the trap comes back."""


FIRST_OF_ONE, LAST_OF_ONE = Op.DESTROY_ONE, Op.ZERO_ONE


class Decision(IntEnum):
    """The decisions, in the order of the interface page."""

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
    """What happens next when no decision is open."""

    MULLIGAN = 0
    KEEP = 1
    TURN = 2
    PLACED = 3
    """A card lies in its slot, and what it was placed on has been dealt with: its own effect is next."""
    SINKHOLE = 4
    """Cards are being discarded; then as many buildings are destroyed."""
    END_TURN = 5


class Mode(IntEnum):
    """Where the decks come from."""

    STARTER = 0
    SAME = 1
    RANDOM = 2
    CONSTRUCTED = 3


class Termination(IntEnum):
    """Why a game is over."""

    TWO_ROUNDS = 0
    """After round 2 one player has won more rounds."""
    THREE_ROUNDS = 1
    """After round 3."""
