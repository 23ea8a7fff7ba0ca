"""Agent that gets its actions from a program through the line protocol."""

import shlex
import shutil
import sys
import weakref

import numpy as np

from pocketmars_agents.bots.estimates import Estimate
from pocketmars_agents.game_bots import earlier_name
from pocketmars_agents.line_protocol.connection import Connection, connection_to
from pocketmars_env.core.errors import MAX_QUOTED, one_line, quoted
from pocketmars_env.core.game import View

KIND = "exec"
SECONDS_PER_DECISION = 60.0
ESCAPE = "" if sys.platform == "win32" else "\\"
"""The escape character in commands; on Windows, there is none, because paths contain backslashes."""


class ExecAgent:
    """An agent that runs as a program in another process and communicates through the line protocol.

    All decisions of one `ExecAgent` are sent with the same `game_id`, even if they belong to different games.
    The name is ``"exec:COMMAND"``; the command is split into words as in a shell but runs without a shell.
    The time limit for each decision, `seconds_per_decision`, is also sent to the bot.
    """

    def __init__(self, name: str) -> None:
        self.name = checked_exec_name(name)
        self.seconds_per_decision = SECONDS_PER_DECISION
        self._words = words_of(name)
        self._game: tuple[Connection, int] | None = None
        if shutil.which(self._words[0]) is None:
            raise ValueError(
                f"{one_line(self._words[0], MAX_QUOTED)} in {quoted(name)} is not a program that can be run"
            )

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Return the bot's action; raise a ProtocolError if the bot fails."""
        return self.estimate(view, rng).action

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """Return the bot's action and, if the bot sends one, its estimated win probability."""
        if self._game is None:
            connection = connection_to(self._words, view.spec)
            self._game = connection, connection.new_game()
            weakref.finalize(self, connection.end_game, self._game[1]).atexit = False
        connection, game_id = self._game
        return Estimate(*connection.decide(game_id, view, seed_of(rng), self.seconds_per_decision))


def checked_exec_name(name: str) -> str:
    """Return an agent's name without spaces around its command; raise a ValueError for an invalid command."""
    words_of(name)
    return f"{KIND}:{name.partition(':')[2].strip()}"


def words_of(name: str) -> list[str]:
    """Return the program and its arguments from an agent's name; raise a ValueError for an invalid name."""
    command = name.partition(":")[2]
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    try:
        words = list(lexer)
    except ValueError as error:
        raise ValueError(f"the command of {quoted(name)} cannot be split: {error}") from error
    if not words or not words[0] or not command.isprintable():
        raise ValueError(f"an agent 'exec:COMMAND' needs a printable command, got {quoted(name)}")
    return words


def stream_name(name: str) -> str:
    """Return the name that selects an agent's random stream.

    For ``exec:… engine BOT``, this is BOT; for all other agents, it is `name`. For a policy with an earlier
    name, it is this name, so that the policy's games stay the same.
    """
    try:
        words = words_of(name) if name.startswith(f"{KIND}:") else []
    except ValueError:  # results files may contain invalid names
        words = []
    return earlier_name(words[-1] if len(words) > 2 and words[-2] == "engine" else name)


def seed_of(rng: np.random.Generator) -> int:
    """Return the seed of a new generator, or 64 random bits from any other generator.

    A new generator is an unused PCG64 generator with a seed below 2**64. `choose_actions` passes new
    generators, so the bot gets the same seed as an agent with `act_batch` would.
    """
    seed = getattr(getattr(rng.bit_generator, "seed_seq", None), "entropy", None)
    if type(seed) is int and seed < 2**64 and np.random.PCG64(seed).state == rng.bit_generator.state:
        return seed
    return int(rng.integers(2**64, dtype=np.uint64))
