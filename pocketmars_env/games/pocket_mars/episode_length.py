"""Upper bounds on the episode length, for libraries that need a bound in advance."""

from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.constants import MAX_ROUND_LIMIT, MAX_SEATS

DECISIONS_IN_SETUP = 30
"""Upper bound on the decisions in the setup: each of 4 players drafts 5 cards and chooses 2 prep cards."""

DECISIONS_IN_TURN = 100
"""Upper bound on the decisions in one turn, from a generous estimate.

- A turn has at most two main actions, because only one card gives an extra one. Each main action asks for
  at most TURN, DISCARD_DA, SETTLE, BOTTOM and ABILITY: 10 decisions. It runs at most three programs (the
  card's top, its bottom and the Building's ability) with at most 3 decisions each, not counting the
  Aqualab's ability: 18 decisions.
- A seat begins its turn with at most 4 cards, and each of the six programs gives it at most 2, so at most 16
  cards leave the seat. The Aqualab's ability and the 4-card rule ask for one decision per card, and each of
  two uses of the ability asks for one more decision: 18 decisions.
- In the 4-card rule, each of 4 seats fills at most 2 slots: 8 decisions.
- In the solo game, the player may choose each of 12 cards drawn by programs and 4 cards drawn in the 4-card
  rule: 16 decisions. The DA's agent upgrades two colonists or settles one: 2 decisions.

The sum is 72; in random games, a turn had at most 16. The hands of the other seats cannot grow, because seats
only swap cards with each other.
"""


def most_decisions(config: GameConfig) -> int:
    """An upper bound on the number of decisions in a game, summed over all seats."""
    rounds = config.round_limit or MAX_ROUND_LIMIT
    return DECISIONS_IN_SETUP + rounds * config.players * DECISIONS_IN_TURN


MAX_EPISODE_STEPS = most_decisions(GameConfig(players=MAX_SEATS, round_limit=MAX_ROUND_LIMIT))
"""An upper bound on the number of steps of an episode with any settings."""
