"""Upper bounds on the episode length, for libraries that need a bound in advance."""

from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.constants import MAX_ROUND_LIMIT, MAX_SEATS

DECISIONS_IN_SETUP = 30
"""Upper bound on the decisions in the setup; with 4 players, 4 drafted and 2 prep cards each give 24."""

DECISIONS_IN_TURN = 100
"""Upper bound on the decisions in one turn; a generous estimate gives 66.

- A turn has at most two main actions, because only one card gives an extra action. Each main action can
  require the 5 decisions TURN, DISCARD_DA, SETTLE, BOTTOM and ABILITY: 10 decisions for both. Each main
  action also runs at most three programs (the card's top, its bottom and the Building's ability), with at
  most 3 decisions each, not counting DRAW: 18 decisions for both.
- At the beginning of a turn, no seat has more than 4 cards in hand and prep module together. Each of the
  turn's six programs gives at most 2 cards, all to one seat, so the seats discard at most 12 cards under the
  4-card rule: 12 decisions. Each of 4 seats then fills at most 2 slots: 8 decisions.
- In the solo game, the player may have to choose each drawn card (DRAW): 12 cards drawn by programs and 4
  cards drawn under the 4-card rule, 16 decisions. The DA's agent moves up to two colonists (Greenhouse)
  or settles one: 2 decisions.

In random games, the longest turn had 16 decisions.
"""


def most_decisions(config: GameConfig) -> int:
    """Return an upper bound on the number of decisions in a game, summed over all seats."""
    rounds = config.round_limit or MAX_ROUND_LIMIT
    return DECISIONS_IN_SETUP + rounds * config.players * DECISIONS_IN_TURN


MAX_EPISODE_STEPS = most_decisions(GameConfig(players=MAX_SEATS, round_limit=MAX_ROUND_LIMIT))
"""An upper bound on the number of steps in an episode, for all settings."""
