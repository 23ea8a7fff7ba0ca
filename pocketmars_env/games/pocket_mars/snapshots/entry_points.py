"""Entry points for games that are set up by hand."""

from pocketmars_env.core.compiled.compiling import atomic_entry_point, entry_point
from pocketmars_env.games.pocket_mars.rules import setup, turns


@entry_point
def clear_tables(states):
    """Clears the tables of all games, but keeps the settings."""
    for i in range(len(states)):
        setup.clear_table(states[i])


@atomic_entry_point
def set_up_at(states, i):
    """Places the colonists of game `i` after the deal; `advance_at` then begins the game."""
    setup.set_up(states[i])


@atomic_entry_point
def advance_at(states, i):
    """Advances game `i` to its next decision."""
    turns.advance(states[i])
