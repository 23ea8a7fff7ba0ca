"""What `greedy` and `planner` think of a position of Project Mars: weights in points of TPR."""

import numpy as np

from pocketmars_env.games.project_mars.rules.cards import CARDS

# fmt: off
WORTH: dict[str, float] = {
    "Scout": 2.0,
    "Drone": 1.0,
    "Android": 1.2,
    "Cyber Soldier": 1.5,
    "Sentinel": 2.5,
    "Landmine": 2.0,
    "Stealth Op": 1.5,
    "Humvee": 2.5,
    "Medic": 4.0,
    "Artillery Cannon": 2.0,
    "Siege Vehicle": 3.0,
    "Infantry": 4.0,
    "Strike Team": 3.5,
    "Spy": 1.5,
    "Outpost": 5.0,
    "Defense System": 1.7,
    "Research Station": 1.7,
    "Cybernetics Lab": 1.0,
    "Comms Station": 2.5,
    "Ballistic Missiles": 2.5,
    "Defense Turret": 3.0,
    "Sniper": 2.0,
    "EMP Bomb": 1.0,
    "Top Secret Information": 1.0,
    "Favorable Conditions": 2.0,
    "Toxic Gas": 1.5,
    "Sinkhole": 1.5,
}
"""TPR that a card in hand adds to the final lead of the round."""
# fmt: on
NOT_FITTED = 2.0
"""The worth of a type that is not listed."""

CARD_WORTH = np.array([WORTH.get(card.name, NOT_FITTED) for card in CARDS])
"""``(NUM_TYPES,)``."""
TRAP_WORTH = 1.5
"""The worth of a trap on the enemy's field, while the enemy may still place cards."""
TEMPO = 0.5
"""The worth of having the turn."""
SPREAD, SPREAD_PER_CARD = 0.6, 0.4
"""Scale of the logistic curve, in TPR: when nothing can be played any more, and for each card that can."""
CERTAIN = 0.98
"""The chance of a seat that leads when its enemy has passed."""
ROUND_CHANCE = np.array(
    [
        # after the round, by the rounds won more than the enemy: -2, -1, 0, 1, 2
        [0.0, 0.25, 0.5, 0.75, 1.0],
        [0.0, 0.0, 0.5, 1.0, 1.0],
        [0.0, 0.0, 0.5, 1.0, 1.0],
    ]
)
"""The chance to win the game after each round, ``(3, 5)``."""
