"""Connections to bots, with one bot process for each command and card game.

After a failure, the bot is restarted, unless it has failed to start `MAX_FAILED_STARTS` times in a row.
"""

import itertools
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.util import Finalize

from pocketmars_agents.line_protocol import messages
from pocketmars_agents.line_protocol.bot_process import BotProcess
from pocketmars_agents.line_protocol.messages import ProtocolError, line_of
from pocketmars_env.core.game import View
from pocketmars_env.core.game_spec import GameSpec

SECONDS_TO_START = 120.0
"""Time limit in seconds for the start of a bot. The limit is long, because ``pocketmars engine`` may have to
compile its kernels first."""
MAX_FAILED_STARTS = 3
"""Number of consecutive failed starts after which a bot is not started again."""


class Connection:
    """A thread-safe connection to a bot's process, which plays one card game."""

    def __init__(self, words: Sequence[str], spec: GameSpec) -> None:
        self._words = words
        self._spec = spec
        self._lock = threading.Lock()
        self._process: BotProcess | None = None
        self._fields: tuple[str, ...] = ()
        self._ids = itertools.count(1)
        self._known: set[int] = set()
        self._over: list[int] = []
        self._failed_starts = 0
        self._last_failure = ""

    def new_game(self) -> int:
        """Return the ID of a new game."""
        return next(self._ids)

    def end_game(self, game_id: int) -> None:
        """Mark a game as over; the next `decide` sends ``game_over`` if the bot received ``new_game``."""
        self._over.append(game_id)

    def decide(self, game_id: int, view: View, seed: int, seconds: float) -> tuple[int, float | None]:
        """Return the bot's action and, if the bot sends one, its value estimate."""
        with self._lock:
            try:
                return self._decide(game_id, view, seed, seconds)
            except ProtocolError:
                if self._process is not None:
                    self._kill()
                    # Restart now, so that the next decision does not have to wait for the start.
                    with suppress(ProtocolError):
                        self._start()
                raise
            except BaseException:  # e.g. Ctrl-C: the next request could read the late reply
                self._kill()
                raise

    def _decide(self, game_id: int, view: View, seed: int, seconds: float) -> tuple[int, float | None]:
        process = self._process or self._start()
        over = [self._over.pop() for _ in range(len(self._over))]
        news = [{"type": "game_over", "game_id": game} for game in over if game in self._known]
        self._known -= set(over)
        if game_id not in self._known:
            news.append(messages.new_game(game_id, view))
            self._known.add(game_id)
        number = next(self._ids)
        news.append(messages.decision(number, game_id, view, seed, seconds, self._fields))
        answer = process.ask(b"".join(map(line_of, news)), seconds)
        return messages.answer_of(answer, number, view.legal)

    def _start(self) -> BotProcess:
        if self._failed_starts >= MAX_FAILED_STARTS:
            raise ProtocolError(
                f"{self._last_failure} ({MAX_FAILED_STARTS} failed starts; not started again)"
            )
        self._known.clear()
        try:
            self._process = BotProcess(self._words)
            answer = self._process.ask(line_of(messages.hello(self._spec)), SECONDS_TO_START)
            self._fields = messages.reply_of(answer, messages.Ready).fields
        except ProtocolError as error:
            self._kill()
            self._failed_starts += 1
            self._last_failure = f"at the start: {error}"
            raise ProtocolError(self._last_failure) from error
        except BaseException:
            self._kill()
            raise
        self._failed_starts = 0
        return self._process

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    def close(self) -> None:
        """Send ``quit`` to the bot and end its process; do nothing if no process is running."""
        with self._lock:
            if self._process is not None:
                self._process.quit(line_of({"type": "quit"}))
                self._process = None


CONNECTIONS: dict[tuple[int, tuple[str, ...], str], Connection] = {}
"""Connections by Python process ID, command and game name; a forked process starts its own bots."""
CHANGING = threading.Lock()
"""Lock that is held while `CONNECTIONS` is read or changed."""


def connection_to(words: Sequence[str], spec: GameSpec) -> Connection:
    """Return this process's connection to a bot; the connection is closed when this process exits."""
    key = (os.getpid(), tuple(words), spec.name)
    with CHANGING:
        if key not in CONNECTIONS:
            if not any(pid == os.getpid() for pid, _, _ in CONNECTIONS):
                Finalize(None, close_all, exitpriority=100)  # unlike atexit, also for multiprocessing workers
            CONNECTIONS[key] = Connection(words, spec)
        return CONNECTIONS[key]


def close_all() -> None:
    """Close all connections of this process."""
    with CHANGING:
        connections = [CONNECTIONS.pop(key) for key in list(CONNECTIONS) if key[0] == os.getpid()]
    for connection in connections:
        connection.close()
