"""OpenSpiel adapter. Importing this package registers all games of `pocketmars_env` with OpenSpiel.

Pocket Mars is ``python_pocket_mars``, and Project Mars is ``python_project_mars``.

    import pyspiel
    import pocketmars_env.adapters.open_spiel
    game = pyspiel.load_game("python_pocket_mars(players=3)")
    game = pyspiel.load_game("python_pocket_mars", {"mode": "solo", "level": "cyborg"})

The parameters of a game are its settings plus ``reward`` and ``seed``; see `parameters_of`. Player `p` plays
seat `p`. An automaton is not a player, so the solo game of Pocket Mars has one player. With
``da_agent=True``, the solo game has two players, and player 1 makes the automaton's choices. For a game that
you add with `register_game` after this import, also call `register`.

**Chance:** A game starts with 16 chance nodes, which draw the hexadecimal digits of the game's seed. The seed
determines all later random events, so `apply_action` is deterministic, clones have the same future random
events, and a history can be replayed. (The chance mode ``SAMPLED_STOCHASTIC`` is not used, because OpenSpiel
cannot save Python games in this mode.) `seed_actions` returns the chance actions that lead to the same game
as ``Game(seed=...)``. If the parameter ``seed`` is set, every game has this seed, and there are no chance
nodes. A small game (the setting ``small``) starts with one chance node, whose outcomes are the deals of its
pool. OpenSpiel's solvers therefore get the whole tree.

**Observations and information states:** The observation (see `Game.observe`) contains what a player with
perfect memory knows about the current position, but not the history. The information state string contains a
hash of the player's own actions, and of what the player observed at every decision so far, including other
players' decisions. A tensor of the history would have no fixed size, so the information state tensor is the
observation, and different information states can have equal tensors. Cards that are visible only between two
decisions appear in neither observations nor information states.

**Determinizations:** `resample_from_infostate` returns a random state from a player's information set. The
history of this state starts at the current decision, because the true history would reveal the other
players' hands. For the same reason, the other players' information states contain nothing from before this
decision. OpenSpiel's Information Set MCTS (`ISMCTSBot` in Python) calls `resample_from_infostate`. With the
following resampler, the search is reproducible:

    from open_spiel.python.algorithms import ismcts, mcts
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 100, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    action = bot.step(state)

OpenSpiel's own scripts do not import this package. This command runs an OpenSpiel script with the games of
this project:

    python -m pocketmars_env.adapters.open_spiel mcts --game="python_pocket_mars(seed=1)" --player2=random

OpenSpiel's search bots in C++, `pyspiel.MCTSBot` and `pyspiel.ISMCTSBot`, do not support Python games: their
`step` crashes. Use the bots of the same names in `open_spiel.python.algorithms`.

OpenSpiel saves states of Python games as pickles, so load only files that you trust.
"""

from pocketmars_env.adapters.open_spiel.game import register
from pocketmars_env.adapters.open_spiel.parameters import parameters_of
from pocketmars_env.adapters.open_spiel.state import IllegalSpielAction, seed_actions
from pocketmars_env.core.game_spec import GAMES

__all__ = ["IllegalSpielAction", "parameters_of", "register", "seed_actions"]

for _spec in GAMES.values():
    register(_spec)
