"""Compiled functions that reset states, and that set up and advance games from deals or snapshots."""

from pocketmars_env.core.compiled.compiling import atomic_entry_point, entry_point
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules import setup, turns


@entry_point
def clear_tables(states: States) -> None:
    """Reset all fields of the states except the settings."""
    for i in range(len(states)):
        setup.clear_table(states[i])


@atomic_entry_point
def set_up_at(states: States, i: int) -> None:
    """Set the colonists and the energy in game `i` after the deal; `advance_at` then starts the game."""
    setup.set_up(states[i])


@atomic_entry_point
def advance_at(states: States, i: int) -> None:
    """Advance game `i` to the next decision that a seat must make, or to the end of the game."""
    turns.advance(states[i])
