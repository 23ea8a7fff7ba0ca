"""Weights for the evaluation of Project Mars positions.

The worth of a card, and of having the turn, is given in points of total power rating (TPR). Most weights were
fitted to 197,000 positions and then rounded. The positions are from games between bots that used earlier
weights and sometimes acted at random. The worth of cards was fitted by linear regression to the change in the
TPR lead from each position to the end of its round. A logistic curve maps the expected final lead to the
probability of winning the round; its scale was fitted to the results of the rounds by maximum likelihood.
"""

import numpy as np

from pocketmars_env.games.project_mars.rules.cards import CARDS

# fmt: off
WORTH: dict[str, float] = {
    "Scout": 1.9,
    "Drone": 1.3,
    "Android": 0.9,
    "Cyber Soldier": 0.9,
    "Sentinel": 1.0,
    "Landmine": -0.2,
    "Stealth Op": -0.4,
    "Humvee": 2.3,
    "Medic": 2.0,
    "Artillery Cannon": 1.9,
    "Siege Vehicle": 3.4,
    "Infantry": 2.5,
    "Strike Team": 2.5,
    "Spy": 0.1,
    "Outpost": 4.2,
    "Defense System": 1.2,
    "Research Station": 0.9,
    "Cybernetics Lab": 0.3,
    "Comms Station": 1.5,
    "Ballistic Missiles": 2.2,
    "Defense Turret": 3.2,
    "Sniper": 1.0,
    "EMP Bomb": -0.2,
    "Top Secret Information": -0.4,
    "Favorable Conditions": 0.3,
    "Toxic Gas": 0.0,
    "Sinkhole": 1.0,
}
"""For each card name, the TPR by which the card, if in hand, is expected to raise its owner's final lead in
the round."""
# fmt: on
NOT_FITTED = 2.0
"""The worth of a card type that is not in `WORTH`."""

CARD_WORTH = np.array([WORTH.get(card.name, NOT_FITTED) for card in CARDS])
"""The worth of each card type, ``(NUM_TYPES,)``."""
TRAP_WORTH = 0.7
"""The worth of a trap on the enemy's field if the enemy has not passed."""
TEMPO = 0.8
"""The worth of having the turn if the enemy has not passed."""
SPREAD, SPREAD_PER_CARD = 1.15, 0.18
"""The scale of the logistic curve, in TPR, when neither seat has a playable card, and its increase for each
playable card of either seat."""
CERTAIN = 0.99
"""The assumed probability that a seat wins the round if its TPR is higher and the enemy has passed."""
ROUND_CHANCE = np.array(
    [
        # columns: a lead of -2, -1, 0, 1 or 2 in rounds won
        [0.0, 0.25, 0.5, 0.75, 1.0],
        [0.0, 0.0, 0.5, 1.0, 1.0],
        [0.0, 0.0, 0.5, 1.0, 1.0],
    ]
)
"""The assumed probability of winning the game, by the last completed round (row) and the lead in rounds won
(column), ``(3, 5)``. A drawn game counts as half a win."""
