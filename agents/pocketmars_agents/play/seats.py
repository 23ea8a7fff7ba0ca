"""The seats of a game: who sits in them."""

from collections.abc import Mapping, Sequence

from pocketmars_agents.arena.match_replays import AUTOMATON
from pocketmars_env.core.agent import Agent
from pocketmars_env.core.game_spec import Config, spec_of

HUMAN = "human"
"""Name of a person in replays."""


class SessionError(ValueError):
    """An invalid request of a person; nothing has changed."""


def seats_to_play(config: Config) -> list[str]:
    """Returns the names of the seats of agents and people."""
    return list(spec_of(config).seat_names(config)[: config.seats_to_play])


def names_of(config: Config, bots: Mapping[str, Agent]) -> tuple[str, ...]:
    """Returns the name of the player in each seat, automata included; seats without a bot are people's."""
    to_play = [bots[seat].name if seat in bots else HUMAN for seat in seats_to_play(config)]
    return (*to_play, *[AUTOMATON] * (config.seats - len(to_play)))


def check_seats(config: Config, bots: Mapping[str, Agent], humans: Sequence[str], practice: bool) -> None:
    """Raises a SessionError unless people and bots fill the seats of a game; see `Session`."""
    to_play = seats_to_play(config)
    taken = [*humans, *bots]
    if sorted(taken) != sorted(to_play):
        raise SessionError(f"the seats to fill are {', '.join(to_play)}; got {', '.join(taken)}")
    if not humans:
        raise SessionError("at least one person must sit at the table")
    if practice and len(humans) > 1:
        raise SessionError("practice games are for one person")
