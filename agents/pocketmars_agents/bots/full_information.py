"""Search with perfect information, for research on the cost of hidden information.

The search takes a game instead of a view, so it is not an agent and has no name in the registry.
"""

import numpy as np

from pocketmars_agents.bots.tree_searcher import Root, SearchResult, TreeSearcher
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game import Game


def search_full_information(game: Game, agent: TreeSearcher, rng: np.random.Generator) -> SearchResult:
    """Runs a search in which the seat to play sees all cards and the order of the deck.

    Only future shuffles are sampled.

    Args:
        game: the game, which is not changed.
        agent: provides the budget and the settings of the search.
        rng: source of randomness of the simulations.

    Raises:
        ValueError: if the game is over.

    """
    if game.to_play is None:
        raise ValueError("the game is over")
    states = blank_records(1, game.spec.state)
    states.view(np.uint8)[:] = np.frombuffer(game.to_bytes(), dtype=np.uint8)
    seed = rng.integers(0, 2**64, dtype=np.uint64)
    return agent.search_from(Root(game.spec, states, game.to_play, seed, perfect_information=True))
