"""OpenSpiel games. Importing this package registers all games, Pocket Mars as ``python_pocket_mars``.

    import pyspiel
    import pocketmars_env.adapters.open_spiel
    game = pyspiel.load_game("python_pocket_mars(players=3)")
    game = pyspiel.load_game("python_pocket_mars", {"mode": "solo", "level": "cyborg"})

The parameters are the game's settings, ``reward`` and ``seed``, see `parameters_of`. Player `p` has seat `p`.
Seats of automata have no player: the solo game of Pocket Mars has one player, and with ``da_agent=True`` a
second one who makes the DA's choices. `register` registers games that are added later.

**Chance.** At the start OpenSpiel draws the seed of the game, one hexadecimal digit at a time:
16 chance nodes with 16 outcomes each. The seed determines all later chance, so `apply_action` is
deterministic, clones have the same future random events, and a history can be replayed. (OpenSpiel cannot
save Python games that sample their own chance.) `seed_actions` gives the outcomes that lead to
``Game(seed=...)``. With the parameter ``seed`` every game has this seed, and there are no chance nodes.

**Observations and information states.** The observation is `Game.observe`: what a player with perfect memory
knows about the table *now*, without its history. The information state string is a fingerprint of the
player's observations at every decision of the game, in order, and of its own actions. A tensor of this
history would have no fixed size, so the information state tensor is the observation, and two information
states can have equal tensors. Neither observations nor information states include cards that appear and
disappear again between two decisions of the player.

**Determinizations.** `resample_from_infostate` returns a state from the player's information set. The history
of this state starts at the current decision, because the true history would reveal the hands of the other
players. Their information states start there too. Information Set MCTS uses this method; with the following
resampler its play is reproducible:

    from open_spiel.python.algorithms import ismcts, mcts
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 100, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    action = bot.step(state)

OpenSpiel's own scripts load only OpenSpiel's games. This command runs one of them with all games registered:

    python -m pocketmars_env.adapters.open_spiel mcts --game="python_pocket_mars(seed=1)" --player2=random

OpenSpiel's C++ bot, `pyspiel.ISMCTSBot`, does not support Python games: its `step` crashes.

OpenSpiel saves states of Python games as pickles: load only files that you trust.
"""

from pocketmars_env.adapters.open_spiel.game import register
from pocketmars_env.adapters.open_spiel.parameters import parameters_of
from pocketmars_env.adapters.open_spiel.state import IllegalSpielAction, seed_actions
from pocketmars_env.core.game_spec import GAMES

__all__ = ["IllegalSpielAction", "parameters_of", "register", "seed_actions"]

for spec in GAMES.values():
    register(spec)
