"""Entry points that set up games by hand: game `i` of an array, or all games."""

from pocketmars_env.core.compiled.compiling import atomic_entry_point, entry_point
from pocketmars_env.games.pocket_mars.rules import setup, turns


@entry_point
def clear_tables(states):
    """Clears every table except the configuration."""
    for i in range(len(states)):
        setup.clear_table(states[i])


@atomic_entry_point
def set_up_at(states, i):
    """Places the colonists of game `i`, whose cards are dealt; `advance_at` begins the game."""
    setup.set_up(states[i])


@atomic_entry_point
def advance_at(states, i):
    """Advances game `i`, which was set up by hand, to its next decision."""
    turns.advance(states[i])
