"""The layout of the observation vector: its named pieces, in order, and their start indices.

Every entry of a float32 observation lies in [0, 1]. "Own" refers to the observing seat. Along a seat axis,
the observing seat comes first and the enemy second. The kernels in `writing.py` write the vector.
"""

from pocketmars_env.core.layout import Piece, scales_of, size_of, start_of_piece
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES, NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import (
    DECK_SIZE,
    HAND_LIMIT,
    LANES,
    ROUNDS,
    SEATS,
    SLOTS,
    Decision,
    Mode,
)

POWER_SCALE = 24
COLUMN_SCALE = 48
BONUS_SCALE = 20
TPR_SCALE = 80
WINS_SCALE = 2
LEFT_SCALE = 10
HAND_STEPS, DECK_STEPS = (HAND_LIMIT,), (DECK_SIZE,)
FIELD = (SEATS, SLOTS)

OBSERVATION_LAYOUT: tuple[Piece, ...] = (
    Piece("mode", (len(Mode),), "one-hot: the mode, which determines the decks"),
    Piece("decision", (len(Decision),),
          "one-hot, in the order of the enum `Decision`; zeros unless the seat is to play"),
    Piece("left", (1,), "remaining trades, discards or BUILDINGs to destroy, depending on the decision, / 10",
          (LEFT_SCALE,)),
    Piece("round", (ROUNDS,), "one-hot: the round"),
    Piece("began", (SEATS,),
          "one-hot: the seat that began the round; zeros until the first player is chosen"),
    Piece("wins", (SEATS,), "rounds won / 2", (WINS_SCALE,)),
    Piece("passed", (SEATS,), "flag: has passed"),
    Piece("utility_used", (SEATS,), "flag: has used a UTILITY card in this round"),
    Piece("gas", (1,), "flag: Toxic Gas was used in this round"),
    Piece("turn", (SEATS,), "one-hot: whose turn it is; zeros outside turns"),
    Piece("effect_card", (NUM_TYPES,), "one-hot: the card whose effect is being carried out"),
    Piece("effect_seat", (SEATS,), "one-hot: the seat that owns this card"),
    Piece("effect_slot", (SLOTS,), "one-hot: the slot of this card; zeros for a UTILITY"),
    Piece("field_card", (*FIELD, NUM_FIELD_TYPES), "one-hot: the card type in each slot"),
    Piece("field_trap", FIELD, "flag: the card lies on the field of its owner's enemy"),
    Piece("field_power", FIELD, "PWR / 24", (POWER_SCALE,)),
    Piece("field_bonus", FIELD, "bonus / 20", (BONUS_SCALE,)),
    Piece("field_zeroed", FIELD, "flag: the card is zeroed"),
    Piece("field_disabled", FIELD, "flag: the card is disabled"),
    Piece("field_works", FIELD, "flag: the card's effect works (correct row, not disabled); 0 for traps"),
    Piece("lane_power", (SEATS, LANES), "PWR of each column / 48", (COLUMN_SCALE,)),
    Piece("lane_won", (SEATS, LANES), "flag: the seat would win the lane if the round were resolved now"),
    Piece("tpr", (SEATS,), "TPR if the round were resolved now / 80", (TPR_SCALE,)),
    Piece("results", (ROUNDS - 1, SEATS), "TPR / 80 in rounds 1 and 2", (TPR_SCALE,)),
    Piece("hand", (NUM_TYPES,), "own cards of each type in hand / 10", HAND_STEPS),
    Piece("hand_revealed", (SEATS, NUM_TYPES), "revealed cards in hand / 10", HAND_STEPS),
    Piece("back_hand", (NUM_TYPES,), "own cards in the back hand / 10", HAND_STEPS),
    Piece("back_revealed", (SEATS, NUM_TYPES), "revealed cards in the back hand / 10", HAND_STEPS),
    Piece("aside", (NUM_TYPES,), "own cards set aside / 10", HAND_STEPS),
    Piece("deck", (NUM_TYPES,), "own cards in the deck / 30", DECK_STEPS),
    Piece("pool", (NUM_TYPES,), "the enemy's cards that are hidden from the seat / 30", DECK_STEPS),
    Piece("sizes", (SEATS, 3), "cards in hand / 10, in the back hand / 10, in the deck / 30",
          (HAND_LIMIT, HAND_LIMIT, DECK_SIZE)),
    Piece("set_aside", (1,), "cards that the enemy has set aside / 10", (HAND_LIMIT,)),
    Piece("junkyard", (SEATS, NUM_TYPES), "cards in the junkyards / 30", DECK_STEPS),
    Piece("decklist", (SEATS, NUM_TYPES), "cards in the deck lists / 30", DECK_STEPS),
)  # fmt: skip

OBSERVATION_SIZE = size_of(OBSERVATION_LAYOUT)
SCALES = scales_of(OBSERVATION_LAYOUT)
"""``(OBSERVATION_SIZE,)`` float32: the factors that convert uint8 observations to float32 observations."""


def __getattr__(name: str) -> int:
    """Return the start index of a piece; `name` is its name in capitals, such as ``DECISION``."""
    return start_of_piece(OBSERVATION_LAYOUT, name.lower())
