"""The game's constants: sizes, limits and names. Some modules, such as `scoring.py`, define more."""

from enum import IntEnum

NUM_SUITS = 5
"""Number of suits of Project cards; each suit is also a Building."""
NUM_BUILDINGS = 4
"""Number of Buildings that can hold colonists: all except Habitation, the last member of `Building`."""
MAX_SEATS = 4
PREP_SLOTS = 2
HAND_LIMIT = 4
"""Maximum number of cards in a seat's hand and prep module together at the end of a turn (4-card rule)."""
MOST_IN_PLAY = 2
"""Maximum number of cards from hand in play at once: Energy 7 and the card played in its extra action."""
CARDS_DEALT = 4
CARDS_DEALT_IN_DRAFT = 5
COLONISTS = 7
"""Number of colonists per seat."""
MAX_ENERGY = 7
START_ENERGY = 1
START_ON_SHIP = 1
BUILDING_VALUE = 3
"""A colonist settles for the first card on a Building's pile only if the card's value exceeds this value."""
BONUS_BUILDING_COLONISTS = 4
"""A seat with at least this many colonists in a single Building gets a bonus."""

PLAYER_SEAT = 0
"""The player's seat in the solo game."""
DA_SEAT = 1
"""The seat of Devious Automatics (DA) in the solo game."""

NO_CARD = -1
NO_SEAT = -1
NO_PROGRAM = -1
NO_DECISION = -1

MAX_HANDICAP = 20
"""The maximum handicap, in points added to the DA's score."""

MAX_ROUND_LIMIT = 10_000
ROUND_LIMIT_MULTI = 200
ROUND_LIMIT_SOLO = 60


class Building(IntEnum):
    """The five Buildings, which are also the five suits."""

    GREENHOUSE = 0
    AQUALAB = 1
    ENERGY_BANK = 2
    COMMS_CENTER = 3
    HABITATION = 4


BUILDING_NAMES = ("Greenhouse", "Aqualab", "Energy Bank", "Comms Center", "Habitation")


class Level(IntEnum):
    """The difficulty level of the solo game: the DA starts with 5, 6 or 7 colonists on its Ship."""

    STANDARD = 0
    SUPER_DROID = 1
    CYBORG = 2


DA_START_ON_SHIP = (5, 6, 7)
"""Number of colonists on the DA's Ship at the start, by level."""


class Edition(IntEnum):
    """The rulebook whose tie-breaks apply (ruling R-TIE)."""

    GREY_FOX = 0
    BOARD_AND_DICE = 1


class Decision(IntEnum):
    """The decisions, described in `actions.DECISIONS`."""

    DRAFT = 0
    PREP = 1
    TURN = 2
    DISCARD_DA = 3
    SETTLE = 4
    BOTTOM = 5
    ABILITY = 6
    KEEP = 7
    TAKE_DISCARD = 8
    DISCARD_SUIT = 9
    PUT_UNDER = 10
    SETTLE_MORE = 11
    SETTLE_WHERE = 12
    TAKE_TOP = 13
    TURN_DOWN = 14
    SHIFT = 15
    SWAP = 16
    RECALL = 17
    SWAP_HAND = 18
    SWAP_PREP = 19
    SWAP_OTHER = 20
    LOOK = 21
    DRAW = 22
    DISCARD = 23
    FILL = 24
    DA_UPGRADE = 25
    DA_SETTLE = 26


class Termination(IntEnum):
    """The reason why a game ended."""

    ALL_SETTLED = 0  # at the end of a round, a seat had all its colonists in Buildings
    DA_MODULE_EMPTY = 1  # solo: the deck could not refill the DA's prep module to two cards
    ROUND_LIMIT = 2  # the last round was over


class Stage(IntEnum):
    """The step of the game that runs next when no decision, draw or program is pending."""

    DRAFT = 0
    PREP = 1
    TURN = 2
    SETTLE = 3
    BOTTOM = 4
    ABILITY = 5
    END_ACTION = 6
    FOUR_CARDS = 7
    END_TURN = 8
    SYSTEM_FAILURE = 9
    ANDROIDS = 10
    DA_UPGRADES = 11
    REFILL = 12
    END_ROUND = 13


class Op(IntEnum):
    """The ops (operations) of the card language; see "The card language" in this folder's README."""

    END = 0
    # conditions: if one fails, the rest of the program is canceled
    IF_NONE_HERE = 1  # none of your colonists is here
    IF_SHIP_EMPTY = 2
    IF_SHIP_HOLDS = 3  # at least `amount` colonists
    IF_SUIT_IN_HAND = 4
    # prices: paid in full, and only if a later line can change something
    USE = 5  # energy
    DISCARD_SUIT = 6  # a card of this card's suit, from the hand
    # required moves: if one is impossible, the rest of the program is canceled (R-RETURN)
    RECALL = 7  # one of your colonists, from any Building back to the Ship
    DOWNGRADE_OWN = 8  # one of your colonists, ★★→★, in a Building of your choice
    # effects: carried out as far as possible
    LAUNCH = 9
    GAIN = 10
    SETTLE_HERE = 11
    SETTLE_UP_TO = 12  # up to `amount`, here
    SETTLE_ANYWHERE = 13
    SETTLE_FROM_EARTH = 14  # Earth → ★ here
    UPGRADE_HERE = 15  # one of your colonists
    SHIFT_ANY = 16  # any colonist, ★→★★ or ★★→★, in a Building of your choice
    SWAP_COLONISTS = 17
    DRAW = 18
    DRAW_ASIDE = 19  # draw, but set the cards aside
    KEEP_ONE = 20  # keep one of these cards; the other one, if any, goes face down onto its suit's pile
    TAKE_FROM_DISCARD = 21
    TAKE_TOP = 22
    TURN_DOWN = 23
    PUT_UNDER = 24  # up to `amount` cards from the hand, at the bottom of the deck
    PUT_ANY_UNDER = 25  # one card from the hand or prep module
    SWAP_HAND_AND_PREP = 26
    SWAP_PREPS = 27
    LOOK = 28
    ACT_AGAIN = 29  # one more action; always the last line of a top


LAST_CONDITION = Op.IF_SUIT_IN_HAND
LAST_PRICE = Op.DISCARD_SUIT
LAST_REQUIREMENT = Op.DOWNGRADE_OWN
"""The last op that is a requirement: a condition, a price or a required move."""
