"""Search with perfect information, for research on the cost of hidden information.

The search takes a game instead of a view, so it is not an agent and has no name in the agent registry.
"""

import numpy as np

from pocketmars_agents.bots.tree_searcher import Root, SearchResult, TreeSearcher
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game import Game
from pocketmars_env.core.seeds import draw_seed


def search_full_information(game: Game, agent: TreeSearcher, rng: np.random.Generator) -> SearchResult:
    """Run a search from the true state, in which all cards and the order of each deck are known.

    The simulations sample later random events, such as shuffles, but no hidden cards.
    """
    if game.to_play is None:
        raise ValueError("the game is over")
    states = blank_records(1, game.spec.state)
    states.view(np.uint8)[:] = np.frombuffer(game.to_bytes(), dtype=np.uint8)
    seed = draw_seed(rng)
    return agent.search_from(Root(game.spec, states, game.to_play, seed, perfect_information=True))
