"""The layout of the observation vector: its named pieces, in order, and their start indices.

Every entry of the float32 vector lies in [0, 1]. Seats are relative (+0 is the observing seat, +1 its left
neighbor), so that one network can play every seat. `writing.py` writes the vector.
"""

from pocketmars_env.core.layout import Piece, scales_of, size_of, start_of_piece
from pocketmars_env.games.pocket_mars.rules.cards import CARD_VALUE, CARDS_PER_SUIT, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    COLONISTS,
    MAX_ENERGY,
    MAX_HANDICAP,
    MAX_ROUND_LIMIT,
    MAX_SEATS,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
    Level,
)

ROUNDS_SCALE = 20
SCORE_SCALE = 60
"""An upper bound on all scores, including that of Devious Automatics (DA) with the maximum handicap."""
VALUE_SCALE = int(CARD_VALUE.max())
STAR2_SCALE = 2
LEFT_SCALE = 2
HAND_SCALE = 8

CARD_PLACES = (
    "own hand",
    "own packet (draft)",
    "own prep slot 0",
    "own prep slot 1",
    "hand of seat +1",
    "hand of seat +2",
    "hand of seat +3",
    "prep slot 0 of seat +1",
    "prep slot 1 of seat +1",
    "prep slot 0 of seat +2",
    "prep slot 1 of seat +2",
    "prep slot 0 of seat +3",
    "prep slot 1 of seat +3",
    "drawn, held apart from the hand",
    "in play",
    "discard pile",
    "top of its pile, face up",
    "covered in its pile, face up",
    "top of its pile, face down",
    "covered in its pile, face down",
    "unknown",
    "deck",
)
"""The card places that an observation distinguishes; another seat's hand includes its packet."""

SEAT_FEATURES = (
    "the seat exists", "it is the DA", "it has the highest energy",
    "colonists on Earth / 7", "colonists on the Ship / 7", "colonists in Buildings / 7",
    "energy / 7", "score if the game ended now / 60", "cards in hand / 8",
)  # fmt: skip
SEAT_STEPS = (0, 0, 0, COLONISTS, COLONISTS, COLONISTS, MAX_ENERGY, SCORE_SCALE, HAND_SCALE)
BUILDING_FEATURES = (
    "value to beat / 7",
    "the Building has a card",
    "its top card is face down",
    f"number of cards / {CARDS_PER_SUIT}",
)
BUILDING_STEPS = (VALUE_SCALE, 0, 0, CARDS_PER_SUIT)


OBSERVATION_LAYOUT: tuple[Piece, ...] = (
    Piece("players", (MAX_SEATS,), "one-hot: 1 (the solo game), 2, 3 or 4 players"),
    Piece("level", (len(Level),), "solo, one-hot: standard, super_droid, cyborg"),
    Piece("handicap", (1,), f"handicap / {MAX_HANDICAP}", (MAX_HANDICAP,)),
    Piece("variants", (3,), "flags: edition board_and_dice, draft, an agent makes the DA's choices"),
    Piece("round", (4,),
          "round and rounds left until truncation, each / 20 (at most 1); the same two, each / 10,000",
          (ROUNDS_SCALE, ROUNDS_SCALE, MAX_ROUND_LIMIT, MAX_ROUND_LIMIT)),
    Piece("starting_seat", (MAX_SEATS,), "one-hot, relative; zeros during the setup"),
    Piece("active_seat", (MAX_SEATS,), "one-hot, relative: the seat whose turn it is; zeros in the setup"),
    Piece("to_play", (MAX_SEATS,), "one-hot, relative: the seat to play; zeros when the game is over"),
    Piece("to_move", (1,),
          "number of seats that move after the active seat in this round, / 3; 0 during the setup",
          (MAX_SEATS - 1,)),
    Piece("last_round", (1,), "flag: a seat has all colonists in Buildings"),
    Piece("decision", (len(Decision),), "one-hot, in the order of `Decision`"),
    Piece("resolving", (NUM_CARDS,), "one-hot: the card whose action is being resolved"),
    Piece("half", (3,), "one-hot: the part being carried out: top, bottom, or the Building's ability"),
    Piece("owner", (MAX_SEATS,), "one-hot, relative: the seat whose prep module the card came from"),
    Piece("left", (1,), "choices left, including this one (at DA_UPGRADE: excluding it) / 2", (LEFT_SCALE,)),
    Piece("extra_action", (1,), "flag: this is the extra action of Energy 7"),
    Piece("picked", (NUM_CARDS,), "one-hot: the first card that the seat itself has chosen for a swap"),
    Piece("pending", (NUM_CARDS,),
          "setup, the seat's choices that are not carried out yet: 1/2 for the first card, 1 for the second",
          (PREP_SLOTS,)),
    Piece("seats", (MAX_SEATS, len(SEAT_FEATURES)), "; ".join(SEAT_FEATURES), SEAT_STEPS),
    Piece("star", (MAX_SEATS, NUM_BUILDINGS), "colonists on ★ / 7", (COLONISTS,)),
    Piece("star2", (MAX_SEATS, NUM_BUILDINGS), "colonists on ★★ / 2", (STAR2_SCALE,)),
    Piece("hand_suits", (MAX_SEATS, NUM_SUITS),
          f"cards of each suit in hand or packet / {CARDS_PER_SUIT}", (CARDS_PER_SUIT,)),
    Piece("packet_suits", (MAX_SEATS, NUM_SUITS),
          f"draft: cards of each suit in the packet alone / {CARDS_PER_SUIT}", (CARDS_PER_SUIT,)),
    Piece("prep_suits", (MAX_SEATS, PREP_SLOTS, NUM_SUITS), "one-hot suit of the card in the slot"),
    Piece("free_star2", (NUM_BUILDINGS,), "free ★★ places / 2", (STAR2_SCALE,)),
    Piece("buildings", (NUM_SUITS, len(BUILDING_FEATURES)), "; ".join(BUILDING_FEATURES), BUILDING_STEPS),
    Piece("deck", (3,),
          f"cards in the deck, in the discard pile, and put under the deck, each / {NUM_CARDS}",
          (NUM_CARDS,)),
    Piece("deck_suits", (NUM_CARDS, NUM_SUITS),
          "one-hot suit of each card of the deck, top first; zeros unless all seats know the suit"),
    Piece("drawn_suits", (NUM_SUITS,), "cards of each suit held apart from the hand / 2", (2,)),
    Piece("in_packet", (NUM_CARDS,),
          "flag: the card is in a packet, and the observing seat knows which packet"),
    Piece("depth", (NUM_CARDS,), "known cards in the deck, the discard pile or a Building's pile: 1 on top, "
          "1/35 less for each card above", (NUM_CARDS,)),
    Piece("cards", (NUM_CARDS, len(CARD_PLACES)), "one-hot place of each card: " + "; ".join(CARD_PLACES)),
)  # fmt: skip

OBSERVATION_SIZE = size_of(OBSERVATION_LAYOUT)
SCALES = scales_of(OBSERVATION_LAYOUT)
"""``(OBSERVATION_SIZE,)`` float32: the factors that turn counts into observations."""


def __getattr__(name: str) -> int:
    """Return the start index of a piece; `name` is its name in upper case, such as ``DECISION``."""
    return start_of_piece(OBSERVATION_LAYOUT, name.lower())


OWN_HAND = CARD_PLACES.index("own hand")
OWN_PACKET = CARD_PLACES.index("own packet (draft)")
OWN_PREP = CARD_PLACES.index("own prep slot 0")
OTHER_HAND = CARD_PLACES.index("hand of seat +1")
OTHER_PREP = CARD_PLACES.index("prep slot 0 of seat +1")
DRAWN = CARD_PLACES.index("drawn, held apart from the hand")
IN_PLAY = CARD_PLACES.index("in play")
DISCARDED = CARD_PLACES.index("discard pile")
TOP_UP = CARD_PLACES.index("top of its pile, face up")
COVERED_UP = CARD_PLACES.index("covered in its pile, face up")
TOP_DOWN = CARD_PLACES.index("top of its pile, face down")
COVERED_DOWN = CARD_PLACES.index("covered in its pile, face down")
UNKNOWN = CARD_PLACES.index("unknown")
IN_DECK = CARD_PLACES.index("deck")
