"""Game sessions in which people play some or all seats."""

import functools
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from pocketmars_agents.analysis import analyst_for
from pocketmars_agents.arena.match_replays import title_of
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.bots.estimates import Judgement, JudgingAgent, advice
from pocketmars_agents.llm.llm_agent import LlmAgent
from pocketmars_agents.play.moves import Move, moves_seen
from pocketmars_agents.play.player_names import PlayerNames
from pocketmars_agents.play.seats import Seating, SessionError
from pocketmars_env.core.agent import wants_events
from pocketmars_env.core.errors import IllegalAction, error_text, quoted
from pocketmars_env.core.game import Game, View
from pocketmars_env.core.game_spec import spec_of
from pocketmars_env.core.presentation.interface import Choice, Entry, SeatPoints
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.table import ONLY_GAME, Streams, Table
from pocketmars_env.replays import Replay


class Hint(NamedTuple):
    """A hint for a person: the action that a bot would choose."""

    action: int
    words: str  # the action as text
    value: str  # the bot's value estimate as text, such as "chance to win 62 %"; empty if there is none
    by: str  # the name of the bot


class RoundEnd(NamedTuple):
    """The table at the end of a round, before it was cleared; see `Presentation.round_end`."""

    number: int  # of actions until the end of the round
    seat_view: Any


class Session:
    """A game with at least one person; bots and automata play any remaining seats.

    Methods with a `seat` parameter return only what the person in that seat may know. As in the arena, a
    bot uses the n-th 64-bit word of its random stream for its n-th decision. With reproducible bots, the same
    seed and the same human actions therefore give the same game, even after an undo.

    Sessions are thread-safe. Bots run in the thread that creates the session or calls `act` or `go_on`.

    The seed, by default a random one, is that of the game and of the bots' random streams. `actions` have
    already been played, if the session continues a game.
    """

    def __init__(
        self, seating: Seating, seed: SupportsIndex | None = None, actions: Iterable[int] = ()
    ) -> None:
        config = seating.config
        self.seating = seating
        self.config, self.humans, self.practice = config, seating.humans, seating.practice
        self.spec = spec_of(config)
        self.presentation = presentation_of(self.spec)
        self.seed = check_seed(seed)
        self.names = seating.names
        self._seats = config.seat_names
        self._match = Match(self.names[: len(seating.to_play)], config, self.seed)
        self.chosen_names: dict[str, str] = {}  # by people for themselves, keyed by seat name
        self.failure: str | None = None  # the error message if a bot failure has stopped the game
        self.version = 0  # increases with every action, every undo and every failure of a bot
        self.on_change: Callable[[], None] = lambda: None  # called in the thread that changed `version`
        self._positions = [Game(self.spec, **config.as_dict(), seed=self.seed)]
        for action in actions:
            self._positions.append(self.game.clone())
            self.game.step(action)
        for agent in (*seating.bots.values(), seating.hint):
            if isinstance(agent, LlmAgent):
                agent.start_game()
        self._logs: dict[str, list[tuple[Entry, ...]]] = {name: [] for name in self.humans}
        self._changing = threading.RLock()
        self._thinking = threading.Lock()  # one bot at a time
        self._advising = threading.Lock()
        self.go_on()

    # --- the game -----------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game at its current position, with all hidden information; it must not be modified."""
        return self._positions[-1]

    @property
    def over(self) -> bool:
        """Whether the game is over or a bot has failed."""
        return self.game.over or self.failure is not None

    @property
    def to_play(self) -> str | None:
        """The seat of the person whose turn it is; None if it is a bot's turn or `over` is true."""
        name = self._name_to_play(self.game)
        return name if name in self.humans and not self.over else None

    def _name_to_play(self, game: Game) -> str | None:
        return None if game.to_play is None else self._seats[game.to_play]

    def number_of(self, seat: str) -> int:
        """Return the index of a person's seat; raise a SessionError for any other seat."""
        if seat not in self.humans:
            raise SessionError(f"{quoted(seat)} is not a person's seat; accepted: {', '.join(self.humans)}")
        return self._seats.index(seat)

    # --- views ----------------------------------------------------------------------------------------

    def view(self, seat: str) -> View:
        """Return the view of a person's seat; raise a SessionError for any other seat."""
        return self.game.view(self.number_of(seat))

    def seat_view(self, seat: str) -> Any:
        """Return the seat view of a person, from which `presentation` creates texts and pictures."""
        view = self.view(seat)
        return self.presentation.seat_view(view.states, view.seat)

    def moves(self, seat: str, first: int = 0) -> list[Move]:
        """Return the game's moves from index `first` on; the move with index 0 is the start of the game."""
        number = self.number_of(seat)
        with self._changing:
            positions = list(self._positions)
        return moves_seen(positions, number, first)

    def judge(self, seat: str, index: int) -> Judgement | None:
        """Return what a strong bot thinks of the move with this index; None if it had only one legal action.

        Until the game is over, only a person's own moves in a practice game are judged. The bot uses only the
        view of the seat that moved.
        """
        number = self.number_of(seat)
        with self._changing:
            actions = self.game.actions
            if not 1 <= index <= len(actions):
                raise SessionError(f"there is no move {index}")
            game = self._positions[index - 1]
        if not self.over and not (self.practice and game.to_play == number):
            raise SessionError("the game is not over")
        if len(game.legal) == 1:
            return None
        with self._advising:
            return self._analyst.judge(game.view(), actions[index - 1], np.random.default_rng([0, index]))

    @functools.cached_property
    def _analyst(self) -> JudgingAgent:
        return analyst_for(self.spec)

    def prompt(self, seat: str) -> str:
        """Return a text for the person: the prompt, the seat to wait for, the result, or the failure."""
        if self.failure is not None:
            return f"The game was stopped: {self.failure}"
        game, seat_view = self.game, self.seat_view(seat)
        if game.to_play is None:
            return self.presentation.headline(seat_view)
        if game.to_play == self.number_of(seat):
            prompt = self.presentation.prompt(seat_view)
            return prompt[0].upper() + prompt[1:]
        return f"Waiting for {self._seats[game.to_play]} …"

    def choices(self, seat: str) -> tuple[Choice, ...]:
        """Return the legal actions of a seat in display order; empty if it is not the seat's turn.

        The actions are in the order of their numbers, except that ``PASS`` is last. If the decision is a
        yes-or-no question, the words are answers, such as "Yes, settle 1 in Aqualab: +1 point".
        """
        if self.to_play != seat:
            self.number_of(seat)
            return ()
        choices = sorted(self.view(seat).choices, key=self._is_pass)
        return tuple(map(self._answer, choices) if self._asks_yes_or_no() else choices)

    def log(self, seat: str) -> tuple[Entry, ...]:
        """Return the log of the game, which shows only what the person in the seat may know."""
        number = self.number_of(seat)
        with self._changing:
            entries = self._logs[seat]
            for index in range(len(entries), len(self._positions) - 1):
                before, after = self._positions[index : index + 2]
                entries.append(self.presentation.entries(*before.move_to(after), number))
            return tuple(entry for group in entries for entry in group)

    def round_end(self, seat: str) -> RoundEnd | None:
        """Return the end of the last round that has ended since the person's last decision, if any.

        A user interface shows it until the person goes on or, at the end of the game, as long as the game is
        shown.
        """
        number = self.number_of(seat)
        with self._changing:
            last = max(self._decisions_of(number), default=0)
            for index in range(len(self._positions) - 1, last, -1):
                before, after = self._positions[index - 1 : index + 1]
                seat_view = self.presentation.round_end(*before.move_to(after), number)
                if seat_view is not None:
                    return RoundEnd(index, seat_view)
            return None

    def player_names(self, seat: str) -> PlayerNames:
        """Return the names of the players as the person in a seat sees them."""
        self.number_of(seat)
        return PlayerNames(self._seats, self.names, seat, self.chosen_names)

    def hint(self, seat: str) -> Hint:
        """Return the action that the hint agent would choose, based only on the seat's view.

        The words contain the names of the players as the person sees them.

        Hints do not change the game or the bots' random streams. If the hint agent is reproducible, the same
        position always gives the same hint.
        """
        adviser = self.seating.hint
        if adviser is None:
            raise SessionError("this game has no hints")
        self._check_to_play(seat)
        game = self.game
        view = game.view(self.number_of(seat), has_events=wants_events(adviser))
        rng = np.random.default_rng([self.seed, len(game.actions)])
        try:
            with self._advising:
                action, value = advice(adviser, view, rng)
        except (Exception, SystemExit) as error:  # agents of other people can raise anything
            raise SessionError(f"{adviser.name} failed: {error_text(error)}") from error
        seat_view = self.presentation.seat_view(view.states, view.seat)
        words = self.player_names(seat).in_text(self.presentation.action_text(seat_view, action))
        return Hint(action, words, value, adviser.name)

    def can_undo(self, seat: str) -> bool:
        """Return whether this is a practice game in which the person has already played an action."""
        return bool(self._decisions_of(self.number_of(seat))) and self.practice

    @property
    def scores(self) -> tuple[SeatPoints, ...]:
        """Each seat's points as if the game ended now, based on the view of ``humans[0]``."""
        return self.presentation.points(self.seat_view(self.humans[0]))

    def replay(self) -> Replay:
        """Return the replay of the game so far."""
        return Replay.of(self.game, self.names, title_of(self.config, self.names))

    # --- actions --------------------------------------------------------------------------------------

    def act(self, seat: str, action: int) -> None:
        """Play a person's action, then the bots' actions as in `go_on`."""
        self.give(seat, action)
        self.go_on()

    def give(self, seat: str, action: int, version: int | None = None) -> None:
        """Play a person's action without the bots' replies, which `go_on` plays."""
        with self._changing:
            self.check_version(version)
            self._check_to_play(seat)
            after = self.game.clone()
            try:
                after.step(action)
            except IllegalAction as error:
                raise SessionError(f"you cannot do that: {error}") from error
            self._reach(after)
        self.on_change()

    def check_version(self, version: int | None) -> None:
        """Raise a SessionError if `version` is neither None nor the current version."""
        if version not in (None, self.version):
            raise SessionError("the position has changed: look at it again")

    def undo(self, seat: str, version: int | None = None, index: int | None = None) -> None:
        """Undo the person's move with the given index, by default the last one, and everything after it."""
        number = self.number_of(seat)
        if not self.practice:
            raise SessionError("undo is available in practice games only")
        with self._changing:
            self.check_version(version)
            if self.to_play is None and not self.over:
                raise SessionError("it is a bot's turn: wait for your turn")
            indices = self._decisions_of(number)
            if not indices:
                raise SessionError("there is no action to undo")
            last = indices[-1] if index is None else index - 1
            if last not in indices:
                raise SessionError(f"you did not make move {index}")
            del self._positions[last + 1 :]
            for entries in self._logs.values():
                del entries[last:]
            self.failure = None
            self.version += 1
        self.on_change()

    def go_on(self) -> None:
        """Play the bots' actions until it is a person's turn, the game is over, or a bot fails."""
        with self._thinking:
            while True:
                with self._changing:
                    game = self.game
                    name = self._name_to_play(game)
                    if self.over or name is None or name in self.humans:
                        return
                after = game.clone()
                try:
                    after.step(self._action_of_bot(game, name))
                except BaseException as error:  # a bot may raise any exception
                    if isinstance(error, KeyboardInterrupt):
                        raise
                    with self._changing:
                        self.failure = self._failure_text(name, error)
                        self.version += 1
                        self.on_change()
                    return
                with self._changing:
                    self._reach(after)
                self.on_change()

    # --- private methods --------------------------------------------------------------------------------

    def _is_pass(self, choice: Choice) -> bool:
        return self.spec.action_name(choice.action) == "PASS"

    def _asks_yes_or_no(self) -> bool:
        """Return whether the only alternative to ``PASS`` is a single action without an argument."""
        row = self.spec.decision_named(self.game.decision or "")
        arguments = {block.argument for block in self.spec.blocks if block.name in row.blocks}
        return row.may_pass and arguments == {"-"}

    def _answer(self, choice: Choice) -> Choice:
        if self._is_pass(choice):
            return replace(choice, words=f"No, {choice.words}")
        effect = f": {choice.note}" if choice.note else ""
        return replace(choice, words=f"Yes, {choice.words}{effect}")

    def _decisions_of(self, number: int) -> list[int]:
        """Return the indices of the positions in which the seat with the index `number` has acted."""
        return [index for index, game in enumerate(self._positions[:-1]) if game.to_play == number]

    def _check_to_play(self, seat: str) -> None:
        self.number_of(seat)
        if self.over:
            raise SessionError("the game is over")
        if self.to_play != seat:
            name = self.player_names(seat).labels[self._name_to_play(self.game) or ""]
            raise SessionError(f"it is not your turn, but that of {name}")

    def _failure_text(self, name: str, error: BaseException) -> str:
        if len(self.humans) > 1:  # the reason can name hidden cards
            return f"{name} failed"
        # The message of an `IllegalAction` lists the legal actions, which would reveal the bot's hand.
        reason = "an illegal action" if isinstance(error, IllegalAction) else error_text(error)
        return f"{name} failed: {reason}"

    def _reach(self, game: Game) -> None:
        self._positions.append(game)
        self.version += 1

    def _action_of_bot(self, game: Game, name: str) -> int:
        """Return the action that a bot chooses, which may be illegal."""
        seat = game.to_play or 0
        streams = Streams(self.spec, np.array([[self._match.bot_seed(seat)]], dtype=np.uint64))
        streams.drawn[:] = len(self._decisions_of(seat))
        table = Table(game, [self.seating.bots[name]], np.zeros((1, game.seats), dtype=np.int64), streams)
        return int(table.decide(table.waiting(ONLY_GAME))[0])
