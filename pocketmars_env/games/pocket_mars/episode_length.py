"""Upper bounds of the episode length, for libraries that need one in advance."""

from pocketmars_env.games.pocket_mars.config import MAX_ROUND_LIMIT, GameConfig
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS

DECISIONS_IN_SETUP = 30
"""Upper bound: each of 4 players drafts 5 cards and prepares 2."""

DECISIONS_IN_TURN = 100
"""Upper bound of the decisions in one turn, far above the real maximum.

- There are at most two main actions, since only one card gives a second. Each has at most the decisions
  TURN, DISCARD_DA, SETTLE, BOTTOM and ABILITY: 10. Each runs at most three programs (the card's top, its
  bottom and the Building's ability) of at most 3 decisions, except the Aqualab's ability: 18.
- A seat begins its turn with at most 4 cards, and no program gives it more than 2: at most 16 leave it.
  The Aqualab's ability and the 4-card rule take one decision for each, the ability one more at its end: 18.
- In the 4-card rule, 4 seats fill 2 slots each: 8.
- In the solo game the player may choose each of 12 cards drawn and 4 cards refilled: 16. The DA's agent
  upgrades two colonists or settles one: 2.

The sum is 72; random play needed at most 16. The other seats' hands cannot grow: seats only swap cards
with each other.
"""


def most_decisions(config: GameConfig) -> int:
    """An upper bound of the decisions in a game, for all seats together."""
    rounds = config.round_limit or MAX_ROUND_LIMIT
    return DECISIONS_IN_SETUP + rounds * config.players * DECISIONS_IN_TURN


MAX_EPISODE_STEPS = most_decisions(GameConfig(players=MAX_SEATS, round_limit=MAX_ROUND_LIMIT))
"""An upper bound of the steps of an episode with any settings."""
