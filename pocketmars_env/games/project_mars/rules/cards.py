"""The 27 card types and the starter decks, as data.

The effect of a card type is a program with one operation (*op*) per line. `effects.py` carries out the ops of
traps, of UTILITY cards and, except ``DISARM``, of "When placed" effects. `plays.py` carries out ``DISARM``;
`field.py` and `scoring.py` compute the continuous effects. In `pocketmars_env`, only this file determines
which card has which effect.

PWR is the power of a card, and TPR is the total power rating of a seat.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pocketmars_env.games.project_mars.rules.constants import (
    BONUS,
    DECK_SIZE,
    LAB_BONUS,
    SPY_LIMIT,
    Category,
    Kind,
    Op,
    Scope,
    Subtype,
)

OFFENSE, GUARDIAN, UTILITY = Category
NONE, PLACED, CONTINUOUS, TRAP, USED = Kind
BOTH, ENEMY, ENEMY_COLUMN, OWN_OTHERS = Scope
S = Subtype


class Line(NamedTuple):
    """A line of a card type's program.

    Attributes:
        op: the operation.
        scope: the cards that the op can affect; used only by ops with targets (``DESTROY_ALL`` to
            ``ZERO_ONE``, and ``DISCARD_TO_DESTROY``).
        what: subtypes, as bits of `Subtype`; an affected card must have at least one of them. Used only by
            ops with targets and by ``DESTROY_PLACED`` and ``ZERO_PLACED``.
        amount: a number of cards, or an amount of PWR or TPR; 0 for ops without an amount.

    """

    op: Op
    scope: Scope = Scope.BOTH
    what: int = Subtype.NONE
    amount: int = 0


@dataclass(frozen=True)
class CardType:
    """A card type: its printed properties and its effect.

    Attributes:
        name: the name of the card.
        category: the category, such as OFFENSE.
        subtypes: bits of `Subtype`.
        power: the printed PWR; 0 for UTILITY cards, which have none.
        kind: the kind of effect, which determines when the effect happens.
        program: the lines of the effect's program; empty if the type has no effect.

    """

    name: str
    category: Category
    subtypes: int
    power: int
    kind: Kind
    program: tuple[Line, ...] = ()


# fmt: off
CARDS: tuple[CardType, ...] = (
    CardType("Scout", OFFENSE, S.ARTIFICIAL, 2, PLACED, (Line(Op.REVEAL, amount=1),)),
    CardType("Drone", OFFENSE, S.ARTIFICIAL, 1, PLACED, (Line(Op.REVEAL_FOR_COLUMN),)),
    CardType("Android", OFFENSE, S.ARTIFICIAL, 1, PLACED, (Line(Op.DISARM),)),
    CardType("Cyber Soldier", OFFENSE, S.ARTIFICIAL, 1, CONTINUOUS, (Line(Op.COUNT_AS_INFANTRY),)),
    CardType("Sentinel", OFFENSE, S.ARTIFICIAL, 0, CONTINUOUS, (Line(Op.ADD_TPR_IF_PAIRED, amount=6),)),
    CardType("Landmine", OFFENSE, S.GHOST | S.TRAP, 0, TRAP,
             (Line(Op.DESTROY_PLACED, what=S.UNIT), Line(Op.ZERO_PLACED, what=S.BUILDING))),
    CardType("Stealth Op", OFFENSE, S.GHOST | S.TRAP, 2, TRAP, (Line(Op.REVEAL_OR_COME_BACK),)),
    CardType("Humvee", OFFENSE, S.VEHICLE, 2, CONTINUOUS, (Line(Op.COUNT_AS_INFANTRY),)),
    CardType("Medic", OFFENSE, S.UNIT | S.SUPPORT, 0, CONTINUOUS, (Line(Op.ADD_TPR, amount=4),)),
    CardType("Artillery Cannon", OFFENSE, S.NONE, 1, PLACED, (Line(Op.DESTROY_ALL, ENEMY, S.INFANTRY),)),
    CardType("Siege Vehicle", OFFENSE, S.VEHICLE, 2, PLACED,
             (Line(Op.BOOST_ONE, OWN_OTHERS, S.VEHICLE, BONUS),)),
    CardType("Infantry", OFFENSE, S.UNIT | S.INFANTRY, 2, CONTINUOUS,
             (Line(Op.ADD_TPR_FOR_INFANTRY, amount=1),)),
    CardType("Strike Team", OFFENSE, S.UNIT, 2, PLACED, (Line(Op.ZERO_ONE, ENEMY, S.UNIT),)),
    CardType("Spy", OFFENSE, S.TRAP, 2, TRAP, (Line(Op.LOSE_OR_COME_BACK, amount=SPY_LIMIT),)),

    CardType("Outpost", GUARDIAN, S.BUILDING, 3, CONTINUOUS, (Line(Op.ADD_TPR, amount=2),)),
    CardType("Defense System", GUARDIAN, S.BUILDING, 1, PLACED,
             (Line(Op.DISABLE_ONE, ENEMY_COLUMN, S.ARTIFICIAL),)),
    CardType("Research Station", GUARDIAN, S.BUILDING, 1, PLACED, (Line(Op.FIND_UTILITY),)),
    CardType("Cybernetics Lab", GUARDIAN, S.BUILDING, 0, CONTINUOUS,
             (Line(Op.RAISE_ARTIFICIAL, amount=LAB_BONUS),)),
    CardType("Comms Station", GUARDIAN, S.BUILDING, 0, CONTINUOUS,
             (Line(Op.RAISE_NEIGHBOURS, amount=BONUS),)),
    CardType("Ballistic Missiles", GUARDIAN, S.SUPPORT, 1, PLACED,
             (Line(Op.DESTROY_ONE, ENEMY_COLUMN, S.BUILDING),)),
    CardType("Defense Turret", GUARDIAN, S.SUPPORT, 3, NONE),
    CardType("Sniper", GUARDIAN, S.GHOST, 0, PLACED, (Line(Op.DESTROY_ONE, ENEMY_COLUMN, S.UNIT),)),

    CardType("EMP Bomb", UTILITY, S.NONE, 0, USED, (Line(Op.DISABLE_ALL, BOTH, S.ARTIFICIAL),)),
    CardType("Top Secret Information", UTILITY, S.NONE, 0, USED,
             (Line(Op.DESTROY_ALL, BOTH, S.GHOST | S.TRAP),)),
    CardType("Favorable Conditions", UTILITY, S.NONE, 0, USED, (Line(Op.BOOST_ALL, BOTH, S.UNIT, BONUS),)),
    CardType("Toxic Gas", UTILITY, S.NONE, 0, USED, (
        Line(Op.DESTROY_ALL, BOTH, S.UNIT), Line(Op.FORBID_REVEALS),
    )),
    CardType("Sinkhole", UTILITY, S.NONE, 0, USED, (Line(Op.DISCARD_TO_DESTROY, ENEMY, S.BUILDING),)),
)

STARTER_CARDS: dict[str, dict[str, int]] = {
    "machines": {
        "Sentinel": 8, "Scout": 4, "Cyber Soldier": 2, "Outpost": 4, "Defense System": 1,
        "Cybernetics Lab": 1, "Ballistic Missiles": 3, "Defense Turret": 4,
        "Top Secret Information": 1, "Toxic Gas": 2,
    },
    "infantry": {
        "Infantry": 7, "Strike Team": 4, "Medic": 4, "Humvee": 3, "Cyber Soldier": 2, "Outpost": 2,
        "Defense System": 3, "Defense Turret": 2, "EMP Bomb": 1, "Favorable Conditions": 2,
    },
    "fortress": {
        "Outpost": 5, "Comms Station": 4, "Defense Turret": 4, "Research Station": 3, "Defense System": 2,
        "Ballistic Missiles": 1, "Medic": 4, "Scout": 3, "Strike Team": 1, "EMP Bomb": 1, "Toxic Gas": 1,
        "Sinkhole": 1,
    },
    "shadow": {
        "Landmine": 2, "Stealth Op": 2, "Spy": 2, "Sniper": 2, "Defense System": 1, "Ballistic Missiles": 2,
        "Defense Turret": 6, "Outpost": 5, "Medic": 5, "Top Secret Information": 1,
        "Toxic Gas": 1, "Sinkhole": 1,
    },
    "motor": {
        "Humvee": 5, "Siege Vehicle": 5, "Artillery Cannon": 3, "Medic": 2, "Drone": 2, "Defense Turret": 3,
        "Ballistic Missiles": 3, "Sniper": 2, "Outpost": 2, "EMP Bomb": 1, "Sinkhole": 2,
    },
}
# fmt: on

NUM_TYPES = len(CARDS)
NUM_FIELD_TYPES = sum(card.category != UTILITY for card in CARDS)
"""The number of card types that can be placed on a field; these types have the lowest numbers."""
NUM_UTILITIES = NUM_TYPES - NUM_FIELD_TYPES
CARD_NUMBER: dict[str, int] = {card.name: number for number, card in enumerate(CARDS)}
"""Maps the name of each card to its type number."""

# The card data as arrays for kernels.
CATEGORY = np.array([card.category for card in CARDS], dtype=np.int64)  # (NUM_TYPES,)
SUBTYPES = np.array([card.subtypes for card in CARDS], dtype=np.int64)  # (NUM_TYPES,) bits of `Subtype`
POWER = np.array([card.power for card in CARDS], dtype=np.int64)  # (NUM_TYPES,)
KIND = np.array([card.kind for card in CARDS], dtype=np.int64)  # (NUM_TYPES,)
PROGRAM_LENGTH = 1 + max(len(card.program) for card in CARDS)
"""The number of lines of each program in `PROGRAM`; the last line is always ``END``."""
PROGRAM = np.array(  # (NUM_TYPES, PROGRAM_LENGTH, 4): op, scope, subtypes, amount
    [[*card.program, *[Line(Op.END)] * (PROGRAM_LENGTH - len(card.program))] for card in CARDS],
    dtype=np.int64,
)
FIRST_OP = np.ascontiguousarray(PROGRAM[:, 0, 0])  # (NUM_TYPES,) op of the first line
AMOUNT = np.ascontiguousarray(PROGRAM[:, 0, 3])  # (NUM_TYPES,) amount of the first line

STARTER_DECKS: dict[str, tuple[int, ...]] = {
    name: tuple(sorted(CARD_NUMBER[card] for card, number in cards.items() for _ in range(number)))
    for name, cards in STARTER_CARDS.items()
}
"""The starter decks by name, each as 30 type numbers in ascending order."""
STARTERS = tuple(STARTER_DECKS)
STARTER_COUNTS = np.array(  # (number of starter decks, NUM_TYPES): copies of each type
    [[deck.count(card) for card in range(NUM_TYPES)] for deck in STARTER_DECKS.values()], dtype=np.int8
)
assert all(len(deck) == DECK_SIZE for deck in STARTER_DECKS.values())
