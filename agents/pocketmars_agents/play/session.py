"""A game with people in some of its seats: what they are shown, and what they may do."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np

from pocketmars_agents.arena.match_replays import AUTOMATON, title_of
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.playing import checked
from pocketmars_agents.play.hints import Hint, estimate_of
from pocketmars_env.core.agent import Agent, choose_actions
from pocketmars_env.core.errors import IllegalAction
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import Config, spec_of
from pocketmars_env.core.presentation import Choice, Entry, SeatPoints, presentation_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.view import View
from pocketmars_env.replays import Replay

HUMAN = "human"
"""Who sits in a person's seat, in replays."""


class SessionError(ValueError):
    """What a person wanted is not possible; nothing has changed."""


def seats_to_play(config: Config) -> list[str]:
    """The names of the seats that an agent or a person has to fill."""
    return list(spec_of(config).seat_names(config)[: config.seats_to_play])


def names_of(config: Config, bots: Mapping[str, Agent]) -> tuple[str, ...]:
    """Who sits in each seat if people sit where no bot does, automata included."""
    to_play = [bots[seat].name if seat in bots else HUMAN for seat in seats_to_play(config)]
    return (*to_play, *[AUTOMATON] * (config.seats - len(to_play)))


def check_seats(config: Config, bots: Mapping[str, Agent], humans: Sequence[str], practice: bool) -> None:
    """Raise a SessionError unless people and bots can play a game; see `Sitting`."""
    to_play = seats_to_play(config)
    taken = [*humans, *bots]
    if sorted(taken) != sorted(to_play):
        raise SessionError(f"the seats to be filled are {', '.join(to_play)}; got {', '.join(taken)}")
    if not humans:
        raise SessionError("at least one person must sit at the table")
    if practice and len(humans) > 1:
        raise SessionError("answers can be taken back only if one person sits at the table")


class Session:
    """One game with people and bots.

    What a person is shown is made from that seat's view. A bot's chance is drawn by position: its nth
    answer has the nth word of its seat's stream, as in the arena. So the same seed and the same
    answers give the same game, also after answers were taken back.

    Several threads may use a sitting at once: a position that has been reached is never changed, and
    the bots think in the thread that gave the answer.

    Args:
        config: the game's settings.
        bots: an agent for each seat that no person sits in, by the seat's name, such as ``"player_1"``.
        humans: the names of the seats with people.
        seed: decides all chance; None draws one.
        practice: whether answers may be taken back; for one person alone.
        hint: who is asked for hints; None for a game without.
        actions: the answers of a game that is continued, from its beginning, the bots' included.

    Attributes:
        config, humans, seed, practice: as above.
        spec: which game it is.
        presentation: shows it to people.
        names: who sits in each seat, automata included.
        version: a number that grows whenever something changes.
        failure: what a bot did that ended the sitting early, or None.
        on_change: called after every change, in the thread that made it.

    Raises:
        SessionError: if people and bots do not fill exactly the seats that are asked, or if answers
            shall be taken back with several people at the table.
        IllegalAction: if one of the actions is not legal.

    """

    def __init__(
        self,
        config: Config,
        bots: Mapping[str, Agent],
        humans: Sequence[str],
        seed: SupportsIndex | None = None,
        practice: bool = False,
        hint: Agent | None = None,
        actions: Iterable[int] = (),
    ) -> None:
        check_seats(config, bots, humans, practice)
        self.config = config
        self.spec = spec_of(config)
        self.presentation = presentation_of(self.spec)
        self.humans = tuple(humans)
        self.practice = practice
        self.seed = check_seed(seed)
        self._bots = dict(bots)
        self._advisor = hint
        self.names = names_of(config, self._bots)
        self._seats = self.spec.seat_names(config)
        self._match = Match(self.names[: len(seats_to_play(config))], config, self.seed)
        self.failure: str | None = None
        self.version = 0
        self.on_change: Callable[[], None] = lambda: None
        self._positions = [self.spec.game(**config.as_dict(), seed=self.seed)]
        for action in actions:
            self._positions.append(self.game.clone())
            self.game.step(action)
        self._logs: dict[str, list[tuple[Entry, ...]]] = {name: [] for name in self.humans}
        self._changing = threading.RLock()
        self._thinking = threading.Lock()  # one bot at a time
        self._advising = threading.Lock()
        self.go_on()

    # --- the game -----------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The true game, for tests and replays: nothing of it is for a person's eyes. Do not change it."""
        return self._positions[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended, or cannot go on since a bot failed."""
        return self.game.over or self.failure is not None

    @property
    def to_play(self) -> str | None:
        """The person's seat that is asked; None while bots think and when it is over."""
        name = self._name_to_play(self.game)
        return name if name in self.humans and not self.over else None

    def _name_to_play(self, game: Game) -> str | None:
        return None if game.to_play is None else self._seats[game.to_play]

    def number_of(self, seat: str) -> int:
        """A person's seat as a number.

        Raises:
            SessionError: if no person sits there.

        """
        if seat not in self.humans:
            raise SessionError(f"no person sits in {seat!r}; people sit in {', '.join(self.humans)}")
        return self._seats.index(seat)

    # --- what a person is shown -----------------------------------------------------------------------

    def view(self, seat: str) -> View:
        """What the person in a seat may know.

        Raises:
            SessionError: if no person sits there; so for all that takes a seat.

        """
        return self.game.view(self.number_of(seat))

    def seat_view(self, seat: str) -> Any:
        """The table as the person in a seat sees it, for the presentation."""
        view = self.view(seat)
        return self.presentation.seat_view(view.states, view.seat)

    def prompt(self, seat: str) -> str:
        """What the person is asked, for whom the table waits, or how the game has ended."""
        if self.failure is not None:
            return f"The game has been stopped: {self.failure}"
        game, seat_view = self.game, self.seat_view(seat)
        if game.to_play is None:
            return self.presentation.headline(seat_view)
        if game.to_play == self.number_of(seat):
            words = self.presentation.prompt(seat_view)
            return words[0].upper() + words[1:]
        return f"Waiting for {self._seats[game.to_play]} …"

    def choices(self, seat: str) -> tuple[Choice, ...]:
        """The legal answers of a seat; none if it is not asked."""
        if self.to_play != seat:
            self.number_of(seat)
            return ()
        view = self.view(seat)
        return self.presentation.choices(self.presentation.seat_view(view.states, view.seat), view.legal)

    def log(self, seat: str) -> tuple[Entry, ...]:
        """All that happened and why, as the person in a seat may know it."""
        number = self.number_of(seat)
        with self._changing:
            entries = self._logs[seat]
            for place in range(len(entries), len(self._positions) - 1):
                before, after = self._positions[place : place + 2]
                entries.append(self.presentation.entries(before, after, number))
            return tuple(entry for group in entries for entry in group)

    def hint(self, seat: str) -> Hint:
        """What a bot would answer, from the seat's view alone.

        The game and the other bots' chance stay as they are; at the same position it is the same.

        Raises:
            SessionError: if the sitting has no hints, or the seat is not asked.

        """
        if self._advisor is None:
            raise SessionError("this game is played without hints")
        self._check_to_play(seat)
        game = self.game
        view = game.view(self.number_of(seat))
        rng = np.random.default_rng([self.seed, len(game.actions)])
        with self._advising:
            estimate = estimate_of(self._advisor, view, rng)
        seat_view = self.presentation.seat_view(view.states, view.seat)
        words = self.presentation.action_text(seat_view, estimate.action)
        return Hint(estimate.action, words, estimate.words, self._advisor.name)

    @property
    def has_hints(self) -> bool:
        """Whether there is somebody to ask."""
        return self._advisor is not None

    def can_undo(self, seat: str) -> bool:
        """Whether there is an answer that the person may take back."""
        number = self.number_of(seat)
        return self.practice and any(game.to_play == number for game in self._positions[:-1])

    def scores(self) -> tuple[SeatPoints, ...]:
        """The points of every seat and what they are for, as if the game ended now."""
        return self.presentation.points(self.seat_view(self.humans[0]))

    def replay(self) -> Replay:
        """The game as far as it has come."""
        return Replay.of(self.game, self.names, title_of(self.config, self.names))

    # --- what a person may do -------------------------------------------------------------------------

    def act(self, seat: str, action: int) -> None:
        """Answer the question, and let the bots play until a person is asked or the game is over.

        Raises:
            SessionError: if the seat is not asked, or the action is not legal.

        """
        self.give(seat, action)
        self.go_on()

    def give(self, seat: str, action: int, version: int | None = None) -> None:
        """Answer the question; `go_on` lets the bots play then.

        Args:
            seat: whose answer it is.
            action: the answer.
            version: the `version` to which it is an answer, if that shall be checked.

        Raises:
            SessionError: if the seat is not asked, the action is not legal, or the version is another one.

        """
        with self._changing:
            self._check_version(version)
            self._check_to_play(seat)
            after = self.game.clone()
            try:
                after.step(action)
            except IllegalAction as error:
                raise SessionError(f"{seat} cannot do that: {error}") from error
            self._reach(after)
        self.on_change()

    def undo(self, seat: str, version: int | None = None) -> None:
        """Take back the last answer that the person gave, and all that followed.

        Args:
            seat: the person's.
            version: as of `give`.

        Raises:
            SessionError: if this is no practice game, bots are thinking, nothing was answered, or the
                version is another one.

        """
        number = self.number_of(seat)
        if not self.practice:
            raise SessionError("answers can be taken back in practice games only")
        with self._changing:
            self._check_version(version)
            if self.to_play is None and not self.over:
                raise SessionError("the bots are thinking: wait for your turn")
            places = [i for i, game in enumerate(self._positions[:-1]) if game.to_play == number]
            if not places:
                raise SessionError("there is no answer to take back")
            del self._positions[places[-1] + 1 :]
            for entries in self._logs.values():
                del entries[places[-1] :]
            self.failure = None
            self.version += 1
        self.on_change()

    def go_on(self) -> None:
        """Let the bots play until a person is asked, the game is over, or a bot fails."""
        with self._thinking:
            while not self.over and self.to_play is None:
                game = self.game
                after = game.clone()
                name = self._name_to_play(game) or ""
                try:
                    after.step(self._answer_of_bot(game, name))
                except (Exception, SystemExit) as error:  # a bot may raise anything
                    self.failure = f"{self._bots[name].name} in {name} failed: {error}"
                    self.version += 1
                    return
                with self._changing:
                    self._reach(after)
                self.on_change()

    # --- within -----------------------------------------------------------------------------------------

    def _check_version(self, version: int | None) -> None:
        if version not in (None, self.version):
            raise SessionError("the game has gone on since: look at it again")

    def _check_to_play(self, seat: str) -> None:
        self.number_of(seat)
        if self.over:
            raise SessionError("the game is over")
        if self.to_play != seat:
            raise SessionError(f"it is not {seat}'s turn: {self._name_to_play(self.game)} is asked")

    def _reach(self, game: Game) -> None:
        self._positions.append(game)
        self.version += 1

    def _answer_of_bot(self, game: Game, name: str) -> int:
        """A bot's answer; it may be illegal."""
        seat = game.to_play or 0
        given = sum(position.to_play == seat for position in self._positions[:-1])
        words = np.empty(1, dtype=np.uint64)
        streams = np.array([self._match.bot_seed(seat)], dtype=np.uint64)
        self.spec.batch.next_words(streams, np.array([given]), np.zeros(1, dtype=np.int64), words)
        views = game.view(seat).as_batch()
        return int(checked(choose_actions(self._bots[name], views, words), 1)[0])
