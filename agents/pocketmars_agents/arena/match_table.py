"""A batch of games played by bots, stepped together in one process."""

import sys
import time
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from traceback import walk_tb

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import Failure, GameResult
from pocketmars_agents.line_protocol.exec_agent import ExecAgent
from pocketmars_agents.registry import Agent, is_batch_agent, make_agent
from pocketmars_agents.usage import Usage, usage_since
from pocketmars_env.core import version
from pocketmars_env.core.errors import IllegalAction, error_text
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import spec_of
from pocketmars_env.core.games import Games
from pocketmars_env.core.presentation.interface import Entry
from pocketmars_env.core.table import NOBODY, Decisions, Streams, Table

LIBRARIES = (
    "<",
    sys.prefix,
    sys.base_prefix,
    *(str(Path(file).parents[1]) for file in (version.__file__, __file__)),
)
"""How the names of files begin that are not the code of a user's bot."""

Places = NDArray[np.int64]
Words = NDArray[np.uint64]


def play_matches(matches: Sequence[Match]) -> list[GameResult]:
    """Play games that share a configuration and a time limit; see `MatchTable`.

    Games with a time limit are played one at a time, so that each decision is timed separately.
    """
    if matches and matches[0].seconds_per_decision is not None:
        return [MatchTable([match]).play()[0] for match in matches]
    return MatchTable(matches).play() if matches else []


class MatchTable(Table):
    """A table at which bots play games, stepped together.

    Every bot has its own random stream for each game and seat. Each decision gets 64 bits from this stream,
    so the actions of an agent that follows the `Agent` protocol do not depend on the other games in the
    batch. If a bot is a `BatchAgent`, one agent object plays all of the bot's games and seats; otherwise,
    each seat of each game has its own agent object.

    A game ends early if a bot raises an exception, returns an invalid or illegal action, or exceeds the time
    limit. The bot loses, regardless of the scores, and all other seats share the win.

    The `matches` have the same configuration and time limit. `moves` has the actions played so far, as pairs
    of game indices and the actions in these games; `usage` has the language-model calls and tokens, keyed by
    game index and seat, without entries for seats that made no calls.
    """

    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches = matches
        config = matches[0].config
        games = Games.blank(spec_of(config), config, len(matches))
        games.reset(seeds=[match.seed for match in matches])
        seeds = np.zeros((len(matches), config.seats), dtype=np.uint64)
        line_up = np.full(seeds.shape, NOBODY)
        agents: list[Agent] = []
        shared: dict[str, int] = {}
        for i, match in enumerate(matches):
            for seat in range(len(match.bots)):
                name = match.bot_at(seat)
                seeds[i, seat] = match.bot_seed(seat)
                if name not in shared:
                    agents.append(self._agent(name))
                    if is_batch_agent(agents[-1]):
                        shared[name] = len(agents) - 1
                line_up[i, seat] = shared.get(name, len(agents) - 1)
        self.decisions = np.zeros(seeds.shape, dtype=np.int64)
        self.seconds = np.zeros(seeds.shape, dtype=np.float64)
        self.failures: dict[int, Failure] = {}
        self.moves: list[tuple[Places, Places]] = []
        self.usage: dict[tuple[int, int], Usage] = {}
        self.games: Games
        super().__init__(games, agents, line_up, Streams(games.spec, seeds))

    def _agent(self, name: str) -> Agent:
        agent = make_agent(name)
        limit = self.matches[0].seconds_per_decision
        if isinstance(agent, ExecAgent) and limit is not None:
            agent.seconds_per_decision = limit
        return agent

    def prepare(self, number: int) -> None:
        try:
            super().prepare(number)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a bot may raise anything
            for game, seat in np.argwhere(self.line_up == number).tolist():
                self._fail(game, seat, failure_text(error))

    def play(self) -> list[GameResult]:
        """Play all games to the end, and return their results."""
        self.advance(np.arange(len(self.matches)))
        return self.results()

    def step(self) -> bool:
        """Make one decision in every unfinished game; return False if all games were already over."""
        decisions = self.waiting(np.arange(len(self.matches)))
        if len(decisions.games):
            self.act(decisions)
        return len(decisions.games) > 0

    # --- decisions ------------------------------------------------------------------------------------

    def act(self, decisions: Decisions) -> None:
        for agent, rows in self.groups(decisions):
            games, seats = decisions.games[rows], decisions.seats[rows]
            self._act(agent, games, seats, self.words(games, seats))

    def _act(self, agent: Agent, games: Places, seats: Places, words: Words) -> None:
        """Get an agent's actions and play them; if a call for several games fails, retry each game alone."""
        views = self.views(agent, games, seats)
        start = time.perf_counter()
        try:
            actions = self.choose(agent, views, words.copy())
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a bot may raise anything
            self._count_usage(agent, games, seats)
            if len(games) > 1:
                for k in range(len(games)):
                    self._act(agent, games[k : k + 1], seats[k : k + 1], words[k : k + 1])
            else:
                self._fail(int(games[0]), int(seats[0]), failure_text(error))
            return
        seconds = time.perf_counter() - start
        self._count_usage(agent, games, seats)
        self.seconds[games, seats] += seconds / len(games)
        limit = self.matches[games[0]].seconds_per_decision
        if limit is not None and seconds > limit:
            reason = f"took more than {limit:g} s for a decision"
            self._fail(int(games[0]), int(seats[0]), reason)
            return
        self._play(games, seats, actions)

    def events(self, games: Places, seats: Places) -> tuple[tuple[Entry, ...], ...]:
        return tuple(self._game(game).events(seat) for game, seat in zip(games.tolist(), seats.tolist()))

    def _count_usage(self, agent: Agent, games: Places, seats: Places) -> None:
        """Add an agent's language-model usage to the total of its game and seat.

        Only the first entries of `games` and `seats` are used, because an `LlmAgent` plays one seat of one
        game.
        """
        usage, key = usage_since(agent), (int(games[0]), int(seats[0]))
        if usage != Usage():
            self.usage[key] = self.usage.get(key, Usage()) + usage

    def _game(self, i: int) -> Game:
        """Return game `i` with its history, replayed from its actions."""
        match = self.matches[i]
        game = Game(self.games.spec, **match.config.as_dict(), seed=match.seed)
        for action in self.actions()[i]:
            game.step(action)
        return game

    def _play(self, games: Places, seats: Places, actions: Places) -> None:
        """Play the actions; an illegal action counts as a failure of the bot."""
        while (bad := self.games._step_some(games, actions)) >= 0:
            try:
                self.games.game(int(games[bad])).step(int(actions[bad]))
            except IllegalAction as error:
                self._fail(int(games[bad]), int(seats[bad]), str(error))
            games, seats, actions = (np.delete(array, bad) for array in (games, seats, actions))
        self.decisions[games, seats] += 1
        self.moves.append((games, actions))

    def _fail(self, game: int, seat: int, reason: str) -> None:
        self.failures[game] = Failure(seat, reason)
        self.line_up[game] = NOBODY

    # --- the end --------------------------------------------------------------------------------------

    def actions(self) -> list[tuple[int, ...]]:
        """Return the actions played so far in every game."""
        if not self.moves:
            return [()] * len(self.matches)
        games = np.concatenate([games for games, _ in self.moves])
        actions = np.concatenate([actions for _, actions in self.moves])
        ends = np.cumsum(np.bincount(games, minlength=len(self.matches)))[:-1]
        by_game = np.split(actions[np.argsort(games, kind="stable")], ends)
        return [tuple(game_actions.tolist()) for game_actions in by_game]

    def results(self) -> list[GameResult]:
        """Return the results in the order of the matches; unfinished games are scored as they stand."""
        actions = self.actions()
        truncated = self.games.truncated
        scores, is_winner = self.games.standings()
        return [
            GameResult(
                match=match,
                winners=self._winners(i, is_winner[i]),
                scores=tuple(scores[i].tolist()),
                truncated=bool(truncated[i]),
                decisions=tuple(self.decisions[i].tolist()),
                seconds=tuple(round(seconds, 9) for seconds in self.seconds[i].tolist()),
                failure=self.failures.get(i),
                actions=actions[i],
                usage=self._usage_of(i),
            )
            for i, match in enumerate(self.matches)
        ]

    def _usage_of(self, i: int) -> tuple[tuple[int, ...], ...]:
        if not any(game == i for game, _ in self.usage):
            return ()
        return tuple(astuple(self.usage.get((i, seat), Usage())) for seat in range(self.games.config.seats))

    def _winners(self, i: int, is_winner: NDArray[np.bool_]) -> tuple[int, ...]:
        if i in self.failures:
            return tuple(seat for seat in range(self.games.config.seats) if seat != self.failures[i].seat)
        return tuple(np.flatnonzero(is_winner).tolist())


def failure_text(error: BaseException) -> str:
    """Return the reason for a failure: an exception, and the last line of the user's own code in it."""
    reason = f"{type(error).__name__}: {error_text(error)}"
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [f"{Path(file).name}, line {line}" for file, line in frames if not file.startswith(LIBRARIES)]
    return f"{reason} ({own[-1]})" if own else reason
