"""For research: a search that sees all cards, to measure what hidden information costs.

It takes a game and not a view, so it is no agent, and has no name to be made from.
"""

import numpy as np

from pocketmars_agents.bots.tree_searcher import SearchResult, TreeSearcher
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game import Game


def search_full_information(game: Game, agent: TreeSearcher, rng: np.random.Generator) -> SearchResult:
    """Search for the seat that is asked, with all cards open, the deck's order included.

    Only shuffles to come stay unknown.

    Args:
        game: the game; stays as it is.
        agent: whose budget and settings the search has.
        rng: decides the simulations.

    Raises:
        ValueError: if the game is over.

    """
    if game.asked is None:
        raise ValueError("the game is over, so there is nothing to choose")
    states = blank_records(1, game.spec.state)
    states.view(np.uint8)[:] = np.frombuffer(game.to_bytes(), dtype=np.uint8)
    seed = rng.integers(0, 2**64, dtype=np.uint64)
    return agent.search_states(game.spec, states, game.asked, seed, is_open=True)
