"""How many questions a game can ask at most, for libraries that want to know it beforehand."""

from pocketmars_env.games.pocket_mars.config import MAX_ROUND_LIMIT, GameConfig
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS

QUESTIONS_IN_SETUP = 30
"""At most: drafting 5 and preparing 2 cards, of 4 players each."""

QUESTIONS_IN_TURN = 100
"""At most, and never nearly so many.

- There are at most two main actions, since only one card gives a second. Each asks at most TURN,
  DISCARD_DA, SETTLE, BOTTOM and ABILITY: 10. Each runs at most three programs, the card's top, its bottom
  and the Building's ability, of at most 3 questions, except the Aqualab's ability: 18.
- A seat begins its turn with at most 4 cards, and no program gives it more than 2: at most 16 leave it.
  The Aqualab's ability and the 4-card rule ask once for each, the ability once more at its end: 18.
- The 4-card rule lets 4 seats fill 2 slots each: 8.
- In the solo game a card may be chosen for each of 12 cards drawn and 4 filled up: 16. The DA's agent
  upgrades two colonists or settles one: 2.

Together 72; random play has needed 16. That no other seat's cards become more is in the rules: seats only
swap cards with each other.
"""


def most_questions(config: GameConfig) -> int:
    """An upper bound of the questions in a game, of all seats together."""
    rounds = config.round_limit or MAX_ROUND_LIMIT
    return QUESTIONS_IN_SETUP + rounds * config.players * QUESTIONS_IN_TURN


MAX_EPISODE_STEPS = most_questions(GameConfig(players=MAX_SEATS, round_limit=MAX_ROUND_LIMIT))
"""More than the steps of any episode, whatever its settings."""
