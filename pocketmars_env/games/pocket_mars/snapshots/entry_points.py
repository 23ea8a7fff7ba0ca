"""What Python calls to set up games by hand: one game `i` of an array, or all of them."""

from pocketmars_env.core.compiled.compiling import atomic_entry_point, entry_point
from pocketmars_env.games.pocket_mars.rules import setup, turns


@entry_point
def clear_tables(states):
    """Clear every table; the configuration stays."""
    for i in range(len(states)):
        setup.clear_table(states[i])


@atomic_entry_point
def set_up_at(states, i):
    """Place the colonists of game `i`, whose cards have been dealt; `advance_at` begins it."""
    setup.set_up(states[i])


@atomic_entry_point
def advance_at(states, i):
    """Let game `i`, set up by hand to just before a question, go on to it."""
    turns.advance(states[i])
