"""Games for OpenSpiel: importing this package registers all games, Pocket Mars as ``python_pocket_mars``.

    import pyspiel
    import pocketmars_env.adapters.open_spiel
    game = pyspiel.load_game("python_pocket_mars(players=3)")
    game = pyspiel.load_game("python_pocket_mars", {"mode": "solo", "level": "cyborg"})

The parameters are the game's settings, ``reward`` and ``seed``, see `parameters_of`. Player `p` sits in seat
`p`. Seats of automata have no player: the solo game of Pocket Mars has one player, with ``da_agent=True`` a
second one who makes the DA's choices. `register` registers a game that came later.

**Chance.** At the start OpenSpiel draws the seed of the game, one hexadecimal digit after the other:
16 chance nodes with 16 outcomes each. The seed decides all chance that follows, so `apply_action` is
deterministic, clones have the same future, and a history can be played again. (OpenSpiel cannot save games
written in Python that sample their own chance.) `seed_actions` gives the outcomes that lead to
``Game(seed=...)``. With the parameter ``seed`` every game is that one, and there are no chance nodes.

**What players see.** The observation is `Game.observe`: it shows what a player with a perfect memory
knows about the table *now*. It does not say how it came about. The information state does: as a string
it is a fingerprint of the player's observations at every decision of the game, in order, and of its own
actions. A tensor of that has no fixed size; the information state's tensor is the observation, so two
information states may share one. What comes and goes between two decisions is in neither.

**Sampled worlds.** `resample_from_infostate` gives a state that the player cannot tell from the true one.
Its history begins there: the true one would give away what the others hold. The information states of
the others begin there too. Information Set MCTS uses it; with this resampler its play is reproducible:

    from open_spiel.python.algorithms import ismcts, mcts
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 100, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    action = bot.step(state)

OpenSpiel's own scripts know only OpenSpiel's games; this command runs one of them with all games registered:

    python -m pocketmars_env.adapters.open_spiel mcts --game="python_pocket_mars(seed=1)" --player2=random

OpenSpiel's C++ bot, `pyspiel.ISMCTSBot`, cannot play games that are written in Python: its `step` crashes
with any of them.

OpenSpiel saves states of games in Python as pickles: load only those that you trust.
"""

from pocketmars_env.adapters.open_spiel.game import register
from pocketmars_env.adapters.open_spiel.parameters import parameters_of
from pocketmars_env.adapters.open_spiel.state import IllegalSpielAction, seed_actions
from pocketmars_env.core.game_spec import GAMES

__all__ = ["IllegalSpielAction", "parameters_of", "register", "seed_actions"]

for spec in GAMES.values():
    register(spec)
