"""The 35 Project cards and the five Building abilities, as data.

Each half of a card, and each ability, is a short program: a sequence of lines ``(op, amount)``, which
`interpreter.py` runs. No other module of the engine contains code for a particular card.
"""

from dataclasses import dataclass

import numpy as np

from pocketmars_env.games.pocket_mars.rules.constants import Building, Op

Line = tuple[Op, int]
Program = tuple[Line, ...]

GREENHOUSE, AQUALAB, ENERGY_BANK, COMMS_CENTER, HABITATION = Building


@dataclass(frozen=True)
class Card:
    """A Project card: name, suit (a Building), value (0..7) and the programs of its two halves."""

    name: str
    suit: Building
    value: int
    top: Program
    bottom: Program


def do(op: Op, amount: int = 1) -> Line:
    """Return a program line; `amount` counts colonists, energy or cards, and some ops do not use it."""
    return (op, amount)


def use(energy: int) -> Line:
    return (Op.USE, energy)


# Programs of card halves and abilities; most of them are used more than once.
LAUNCH_AND_GAIN = (do(Op.LAUNCH, 1), do(Op.GAIN, 1))
LAUNCH_IF_NONE_HERE = (do(Op.IF_NONE_HERE), do(Op.LAUNCH, 2))
DRAW_AND_KEEP = (do(Op.DRAW_ASIDE, 2), do(Op.KEEP_ONE))
LAUNCH_IF_SHIP_EMPTY = (do(Op.IF_SHIP_EMPTY), do(Op.LAUNCH, 2))
LAUNCH_IF_SUIT_IN_HAND = (do(Op.IF_SUIT_IN_HAND), do(Op.LAUNCH, 1))
SETTLE_HERE = (do(Op.SETTLE_HERE),)
SETTLE_ANYWHERE = (do(Op.SETTLE_ANYWHERE),)
SWAP_COLONISTS = (do(Op.SWAP_COLONISTS),)
SWAP_HAND_AND_PREP = (do(Op.SWAP_HAND_AND_PREP),)
TAKE_FROM_DISCARD = (do(Op.TAKE_FROM_DISCARD),)
TAKE_TOP = (do(Op.TAKE_TOP),)
GAIN_2 = (do(Op.GAIN, 2),)
LAUNCH_1 = (do(Op.LAUNCH, 1),)
LAUNCH_2 = (do(Op.LAUNCH, 2),)
DRAW_2 = (do(Op.DRAW, 2),)
LOOK = (do(Op.LOOK),)
PAY_1_LAUNCH_1 = (use(1), do(Op.LAUNCH, 1))
PAY_1_LOOK = (use(1), do(Op.LOOK))
PAY_3_SETTLE_ANYWHERE = (use(3), do(Op.SETTLE_ANYWHERE))

# fmt: off
CARDS: tuple[Card, ...] = (
    Card("Greenhouse 1", GREENHOUSE, 1, top=LAUNCH_AND_GAIN, bottom=LAUNCH_IF_NONE_HERE),
    Card("Greenhouse 2", GREENHOUSE, 2, top=DRAW_AND_KEEP, bottom=LAUNCH_1),
    Card("Greenhouse 3", GREENHOUSE, 3, top=LAUNCH_IF_SHIP_EMPTY, bottom=PAY_1_LAUNCH_1),
    Card("Greenhouse 4", GREENHOUSE, 4, top=SETTLE_HERE, bottom=(use(3), do(Op.SHIFT_ANY))),
    Card("Greenhouse 5", GREENHOUSE, 5, top=SWAP_COLONISTS, bottom=LAUNCH_IF_SUIT_IN_HAND),
    Card("Greenhouse 6", GREENHOUSE, 6, top=SETTLE_ANYWHERE, bottom=(do(Op.DOWNGRADE_OWN), do(Op.GAIN, 4))),
    Card("Greenhouse 7", GREENHOUSE, 7, top=SETTLE_ANYWHERE, bottom=LAUNCH_IF_SUIT_IN_HAND),

    Card("Aqualab 1", AQUALAB, 1, top=LAUNCH_AND_GAIN, bottom=LAUNCH_IF_NONE_HERE),
    Card("Aqualab 2", AQUALAB, 2, top=DRAW_AND_KEEP, bottom=TAKE_TOP),
    Card("Aqualab 3", AQUALAB, 3, top=(do(Op.SWAP_PREPS),), bottom=(do(Op.DISCARD_SUIT), do(Op.SETTLE_FROM_EARTH))),
    Card("Aqualab 4", AQUALAB, 4, top=SETTLE_HERE, bottom=(use(2), do(Op.PUT_UNDER, 2))),
    Card("Aqualab 5", AQUALAB, 5, top=(do(Op.UPGRADE_HERE), do(Op.PUT_UNDER, 1)), bottom=LAUNCH_IF_SUIT_IN_HAND),
    Card("Aqualab 6", AQUALAB, 6, top=DRAW_2, bottom=LOOK),
    Card("Aqualab 7", AQUALAB, 7, top=DRAW_2, bottom=LAUNCH_IF_SUIT_IN_HAND),

    Card("Energy 1", ENERGY_BANK, 1, top=LAUNCH_AND_GAIN, bottom=LAUNCH_IF_NONE_HERE),
    Card("Energy 2", ENERGY_BANK, 2, top=DRAW_AND_KEEP, bottom=GAIN_2),
    Card("Energy 3", ENERGY_BANK, 3, top=LAUNCH_IF_SHIP_EMPTY, bottom=(do(Op.IF_SHIP_HOLDS, 2), do(Op.GAIN, 2))),
    Card("Energy 4", ENERGY_BANK, 4, top=SETTLE_HERE, bottom=(use(2), do(Op.LAUNCH, 2))),
    Card("Energy 5", ENERGY_BANK, 5, top=(do(Op.UPGRADE_HERE), do(Op.GAIN, 2)), bottom=LAUNCH_IF_SUIT_IN_HAND),
    Card("Energy 6", ENERGY_BANK, 6, top=(use(3), do(Op.SETTLE_UP_TO, 2)), bottom=(use(2), do(Op.TURN_DOWN))),
    Card("Energy 7", ENERGY_BANK, 7, top=(do(Op.GAIN, 2), do(Op.ACT_AGAIN)), bottom=LAUNCH_IF_SUIT_IN_HAND),

    Card("Comms 1", COMMS_CENTER, 1, top=LAUNCH_AND_GAIN, bottom=LAUNCH_IF_NONE_HERE),
    Card("Comms 2", COMMS_CENTER, 2, top=DRAW_AND_KEEP, bottom=TAKE_FROM_DISCARD),
    Card("Comms 3", COMMS_CENTER, 3, top=LAUNCH_IF_SHIP_EMPTY, bottom=(do(Op.DISCARD_SUIT), do(Op.LAUNCH, 2))),
    Card("Comms 4", COMMS_CENTER, 4, top=SETTLE_HERE, bottom=SWAP_COLONISTS),
    Card("Comms 5", COMMS_CENTER, 5, top=(do(Op.UPGRADE_HERE), do(Op.LAUNCH, 1)), bottom=LAUNCH_IF_SUIT_IN_HAND),
    Card("Comms 6", COMMS_CENTER, 6, top=(do(Op.LAUNCH, 1), do(Op.GAIN, 2)), bottom=(do(Op.RECALL), do(Op.GAIN, 2))),
    Card("Comms 7", COMMS_CENTER, 7, top=LAUNCH_2, bottom=LAUNCH_IF_SUIT_IN_HAND),

    Card("Habitation a", HABITATION, 0, top=GAIN_2, bottom=PAY_1_LOOK),
    Card("Habitation b", HABITATION, 0, top=GAIN_2, bottom=PAY_1_LAUNCH_1),
    Card("Habitation c", HABITATION, 0, top=TAKE_FROM_DISCARD, bottom=PAY_3_SETTLE_ANYWHERE),
    Card("Habitation d", HABITATION, 0, top=SWAP_HAND_AND_PREP, bottom=PAY_3_SETTLE_ANYWHERE),
    Card("Habitation e", HABITATION, 0, top=TAKE_TOP, bottom=PAY_1_LOOK),
    Card("Habitation f", HABITATION, 0, top=TAKE_FROM_DISCARD, bottom=PAY_1_LOOK),
    Card("Habitation g", HABITATION, 0, top=SWAP_HAND_AND_PREP, bottom=PAY_1_LAUNCH_1),
)

ABILITIES: dict[Building, Program] = {
    GREENHOUSE: (do(Op.SHIFT_ANY),),
    AQUALAB: (do(Op.PUT_ANY_UNDER),),
    ENERGY_BANK: (do(Op.GAIN, 1),),
    COMMS_CENTER: LAUNCH_1,
    HABITATION: SETTLE_ANYWHERE,
}
# fmt: on

NUM_CARDS = len(CARDS)
CARDS_PER_SUIT = max(sum(card.suit == suit for card in CARDS) for suit in Building)
"""The number of cards in the largest suit, which is also the maximum size of a pile."""

# Programs are numbered in this order: the tops of all cards, the bottoms of all cards, the abilities.
FIRST_TOP = 0
FIRST_BOTTOM = NUM_CARDS
FIRST_ABILITY = 2 * NUM_CARDS
ALL_PROGRAMS: tuple[Program, ...] = (
    *(card.top for card in CARDS),
    *(card.bottom for card in CARDS),
    *(ABILITIES[building] for building in Building),
)
NUM_PROGRAMS = len(ALL_PROGRAMS)
PROGRAM_LENGTH = 1 + max(len(program) for program in ALL_PROGRAMS)
"""The number of lines per program in the arrays below; the last line is always ``END``."""

# The card data as arrays for kernels.
CARD_SUIT = np.array([card.suit for card in CARDS], dtype=np.int64)  # (NUM_CARDS,)
CARD_VALUE = np.array([card.value for card in CARDS], dtype=np.int64)  # (NUM_CARDS,)
SUIT_CARDS = np.array(  # (NUM_SUITS,) card sets, see `card_sets.py`
    [sum(1 << number for number, card in enumerate(CARDS) if card.suit == suit) for suit in Building],
    dtype=np.int64,
)
CARD_RANK = np.array(  # (NUM_CARDS,) 0 for the first card of a suit
    [sum(card.suit == other.suit for other in CARDS[:number]) for number, card in enumerate(CARDS)],
    dtype=np.int64,
)
PROGRAM_OP = np.array(  # (NUM_PROGRAMS, PROGRAM_LENGTH)
    [
        [int(op) for op, _ in program] + [int(Op.END)] * (PROGRAM_LENGTH - len(program))
        for program in ALL_PROGRAMS
    ],
    dtype=np.int64,
)
PROGRAM_AMOUNT = np.array(  # (NUM_PROGRAMS, PROGRAM_LENGTH)
    [[amount for _, amount in program] + [0] * (PROGRAM_LENGTH - len(program)) for program in ALL_PROGRAMS],
    dtype=np.int64,
)
PROGRAM_BUILDING = np.array(  # (NUM_PROGRAMS,) the Building that "here" refers to in the program
    [*(card.suit for card in CARDS), *(card.suit for card in CARDS), *Building], dtype=np.int64
)

CARD_NUMBER: dict[str, int] = {card.name: number for number, card in enumerate(CARDS)}
"""Card name → card number."""
