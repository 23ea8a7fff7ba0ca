"""Weights of the evaluation in `evaluation.py`, in log-odds of winning.

The weights were fitted by logistic regression to the results of about 45,000 games and then rounded.
`planner` played these games against itself and against Devious Automatics, with earlier weights and some
random actions, on deals outside the benchmark. In the tables, "own" refers to the evaluated seat, and "rival"
to its opponent with the most points.
"""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER

# fmt: off
# the weights of each feature: early and late in the solo game, then early and late with 2 to 4 players
POSITION: dict[str, tuple[float, float, float, float]] = {
    "own: on the Ship":                                      ( 0.57,  0.02,  0.33,  0.44),
    "own: on ★":                                             ( 0.80,  0.21,  0.56,  0.87),
    "own: on ★★":                                            ( 1.07,  0.51,  0.50,  1.23),
    "own: energy":                                           ( 0.28, -0.03,  0.16,  0.06),
    "own: Buildings with a colonist":                        ( 0.45,  0.17,  0.44,  0.62),
    "own: colonists in the fullest Building, up to 4":       ( 0.16,  0.08,  0.02,  0.65),
    "own: Buildings where one could be upgraded":            (-0.08,  0.09, -0.47,  0.01),
    "rival: on the Ship":                                    (-0.41, -0.14, -0.37, -0.45),
    "rival: on ★":                                           (-0.56, -0.42, -0.36, -0.69),
    "rival: on ★★":                                          (-0.98, -0.61, -1.29, -1.41),
    "rival: energy":                                         (-0.22, -0.01, -0.13, -0.09),
    "rival: Buildings with a colonist":                      (-0.21, -0.12,  0.31, -0.47),
    "rival: colonists in the fullest Building, up to 4":     (-0.19, -0.45, -0.05, -0.72),
    "rival: Buildings where one could be upgraded":          (-0.10, -0.06, -0.39, -0.13),
    "points ahead of the rival":                             (-0.16,  0.57, -0.16,  0.23),
    "colonists that the prep module could settle by value":  ( 0.29,  0.44,  0.14,  0.17),
    "always":                                                ( 0.92,  1.03,  0.15, -0.84),
}

# the weights of each card: in hand and in the prep module in the solo game, then the same with 2 to 4 players
CARDS: dict[str, tuple[float, float, float, float]] = {
    "Greenhouse 1": (-0.03,  0.09, -0.05,  0.01),
    "Greenhouse 2": ( 0.18,  0.35,  0.05,  0.22),
    "Greenhouse 3": (-0.01,  0.07,  0.06,  0.08),
    "Greenhouse 4": (-0.07, -0.06,  0.11, -0.04),
    "Greenhouse 5": (-0.11,  0.01,  0.05,  0.13),
    "Greenhouse 6": ( 0.04, -0.04,  0.17,  0.04),
    "Greenhouse 7": (-0.05,  0.07,  0.17,  0.22),
    "Aqualab 1":    ( 0.07,  0.49, -0.12, -0.26),
    "Aqualab 2":    ( 0.21,  0.25, -0.08, -0.29),
    "Aqualab 3":    (-0.04,  0.34, -0.15, -0.12),
    "Aqualab 4":    ( 0.06,  0.28, -0.01, -0.27),
    "Aqualab 5":    ( 0.33,  0.24, -0.14, -0.21),
    "Aqualab 6":    ( 0.16,  0.16, -0.22, -0.19),
    "Aqualab 7":    ( 0.14,  0.25, -0.09, -0.08),
    "Energy 1":     (-0.09,  0.04, -0.15, -0.15),
    "Energy 2":     ( 0.11, -0.30, -0.25, -0.19),
    "Energy 3":     (-0.01, -0.26, -0.06, -0.31),
    "Energy 4":     (-0.07, -0.03, -0.07, -0.09),
    "Energy 5":     (-0.15, -0.23, -0.04, -0.10),
    "Energy 6":     (-0.15, -0.28, -0.13, -0.18),
    "Energy 7":     ( 0.84, -0.03,  0.18, -0.13),
    "Comms 1":      ( 0.05,  0.15, -0.04,  0.04),
    "Comms 2":      ( 0.47,  0.99, -0.22, -0.06),
    "Comms 3":      (-0.06,  0.27, -0.02, -0.06),
    "Comms 4":      (-0.03, -0.08,  0.12,  0.31),
    "Comms 5":      ( 0.05, -0.05, -0.03,  0.02),
    "Comms 6":      ( 0.04, -0.13,  0.02,  0.00),
    "Comms 7":      ( 0.04, -0.08,  0.01,  0.06),
    "Habitation a": (-0.13, -0.12, -0.11, -0.07),
    "Habitation b": (-0.12,  0.08, -0.07,  0.10),
    "Habitation c": ( 0.26,  0.11, -0.12, -0.04),
    "Habitation d": (-0.10, -0.13, -0.11, -0.03),
    "Habitation e": ( 0.03, -0.34, -0.18, -0.10),
    "Habitation f": ( 0.26, -0.10, -0.16, -0.06),
    "Habitation g": (-0.08,  0.06,  0.01,  0.13),
}
NOT_FITTED = (0.0, 0.0, 0.0, 0.0)
"""The weights of cards that are not in `CARDS`."""

# the weights of a card in the rival's prep module, by suit: in the solo game, then with 2 to 4 players
MODULE: dict[str, tuple[float, float]] = {
    "Greenhouse":   ( 0.26, -0.45),
    "Aqualab":      ( 0.69, -0.27),
    "Energy Bank":  ( 0.35, -0.26),
    "Comms Center": ( 0.44, -0.39),
    "Habitation":   ( 0.31, -0.31),
}
# fmt: on

Table = NDArray[np.float64]


def by_mode(columns: Table) -> tuple[Table, Table]:
    """Split a table into its left columns (the solo game) and its right columns (2 to 4 players)."""
    half = columns.shape[1] // 2
    return np.ascontiguousarray(columns[:, :half]), np.ascontiguousarray(columns[:, half:])


POSITION_WEIGHTS = by_mode(np.array(list(POSITION.values())))
"""The weights in `POSITION`, for solo and for multiplayer games, each of shape ``(len(POSITION), 2)``; column
0 applies early in the game, and column 1 late in the game."""
CARD_WEIGHTS = by_mode(np.array([CARDS.get(name, NOT_FITTED) for name in CARD_NUMBER]))
"""The weights of all cards, for solo and for multiplayer games, each of shape ``(NUM_CARDS, 2)``; column 0
applies to a card in hand, and column 1 to a card in the prep module."""
MODULE_WEIGHTS = tuple(weights[:, 0].copy() for weights in by_mode(np.array(list(MODULE.values()))))
"""The weights in `MODULE`, for solo and for multiplayer games, each of shape ``(NUM_SUITS,)``."""

assert CARDS.keys() <= CARD_NUMBER.keys()
