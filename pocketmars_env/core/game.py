"""One game as a friendly Python object over the compiled rules."""

import copy
import operator
import secrets
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import batch
from pocketmars_env.core.view import View
from pocketmars_env.core.warming import ensure_compiled
from pocketmars_env.games.pocket_mars.config import GameConfig, config_of
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS, action_name
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS, Decision
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.rules.state import States, copy_states
from pocketmars_env.games.pocket_mars.snapshots.notation import (
    Deal,
    Snapshot,
    blank_states,
    bookmark,
    cards_in,
    check_cards,
    deal_of,
    snapshot,
    state_from_deal,
)
from pocketmars_env.games.pocket_mars.snapshots.restoring import state_from_record, states_from_snapshot
from pocketmars_env.games.pocket_mars.text.record import GameRecord, Move
from pocketmars_env.games.pocket_mars.text.wording import describe_action

MAX_SEED = 2**64 - 1
DECISION_NAMES = tuple(decision.name for decision in Decision)


class IllegalAction(ValueError):
    """The action does not answer the question that stands. The game is unchanged."""


def check_seed(seed: SupportsIndex | None) -> int:
    """A seed as an integer; None draws one from the operating system.

    Raises:
        ValueError: if the seed is not an integer in 0 .. 2**64 - 1.

    """
    if seed is None:
        return secrets.randbits(63)
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if isinstance(seed, bool) or not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed must be None or an integer in 0..2**64-1, got {seed!r}")
    return number


class Game:
    """A game of Pocket Mars.

    Args:
        players: 2, 3 or 4; the solo game has one player whatever stands here.
        mode: ``"multi"``, or ``"solo"`` against Devious Automatics, who sits in seat 1.
        level: ``"standard"``, ``"super_droid"`` or ``"cyborg"`` (solo).
        draft: whether the cards are drafted.
        edition: ``"grey_fox"`` or ``"board_and_dice"``: whose tie-breaks count.
        da_agent: whether the DA's choices are asked of seat 1 (solo) or made by the automaton.
        seed: decides all chance: the same seed gives the same game on every platform.
        round_limit: the round at whose end the game is truncated; by default 200, solo 60.
        handicap: points added to the DA's score, 0..20 (solo).

    Raises:
        ValueError: names the setting and what is accepted.

    >>> game = Game(players=2, seed=1)
    >>> game.decision, len(game.legal())
    ('PREP', 4)

    """

    def __init__(
        self,
        players: int = 2,
        mode: str = "multi",
        level: str | None = "standard",
        draft: bool = False,
        edition: str = "grey_fox",
        da_agent: bool = False,
        seed: SupportsIndex | None = None,
        round_limit: int | None = None,
        handicap: int = 0,
    ) -> None:
        config = GameConfig(players, mode, level, draft, edition, da_agent, round_limit, handicap)
        number = check_seed(seed)
        ensure_compiled()
        states = blank_states(1, config)
        batch.new_game_at(states, 0, np.uint64(number))
        self._begin(states, {"seed": number})

    def _begin(self, states: States, origin: dict[str, Any]) -> None:
        """Take over the state of a game; `origin` is how to get there again."""
        self._states = states
        self._start = copy_states(states)
        self._origin = origin
        self._actions: list[int] = []
        self._stacked: list[list[int]] = []  # orders for the shuffles to come

    @classmethod
    def _of(cls, states: States) -> "Game":
        """A game over `states`, an array of one, which becomes its own."""
        game = cls.__new__(cls)
        game._begin(states, {})
        return game

    # --- other ways to get a game -------------------------------------------------------------------

    @classmethod
    def from_state(cls, states: States) -> "Game":
        """A game of its own that begins where the one record of `states`, ``(1,)`` `STATE`, stands.

        Raises:
            ValueError: unless the record is a position of a game.

        """
        ensure_compiled()
        return cls._of(state_from_record(states))

    @classmethod
    def from_deal(
        cls,
        deal: Deal,
        players: int | None = None,
        mode: str = "multi",
        level: str | None = "standard",
        draft: bool = False,
        edition: str = "grey_fox",
        da_agent: bool = False,
        seed: SupportsIndex | None = None,
        round_limit: int | None = None,
        handicap: int = 0,
        shuffles: Iterable[Sequence[int]] = (),
    ) -> "Game":
        """A game that starts from given cards.

        Args:
            deal: ``{"hands": [...], "deck": [...], "starting_seat": s}``; a hand has 4 cards (with
                draft a packet of 5), the deck is listed from the top.
            players: by default as many as there are hands.
            shuffles: the orders, top first, that the shuffles to come shall give, see
                `stack_shuffles`; later ones come from `seed`.

        Other arguments are those of the class.

        Raises:
            ValueError: says what is wrong with the deal or a setting, and what is accepted.

        """
        if players is None and mode != "solo":
            hands = deal.get("hands") if isinstance(deal, dict) else None
            players = len(hands) if isinstance(hands, list | tuple) and len(hands) in (3, 4) else 2
        config = GameConfig(
            1 if players is None else players, mode, level, draft, edition, da_agent, round_limit, handicap
        )
        number = check_seed(seed)
        ensure_compiled()
        states = state_from_deal(deal, config, number)
        origin = {"seed": number, "deal": deal_of(states)}
        batch.set_up_at(states, 0)
        batch.advance_at(states, 0)
        game = cls.__new__(cls)
        game._begin(states, origin)
        game.stack_shuffles(shuffles)
        return game

    @classmethod
    def from_snapshot(
        cls,
        data: Snapshot,
        bookmark: dict[str, int] | None = None,
        da_agent: bool = False,
        seed: SupportsIndex | None = None,
        round_limit: int | None = None,
    ) -> "Game":
        """The game of a snapshot.

        Args:
            data: what `snapshot` gave.
            bookmark: what `bookmark` gave at the same time: makes the game exact. Without it, what
                a snapshot does not show (in the middle of a card: which one) is worked out. If
                several positions fit, the first is taken, with a warning.
            da_agent: as of the class; used without a bookmark, like the next two.
            seed: as of the class.
            round_limit: as of the class.

        Raises:
            ValueError: says what is wrong with the snapshot, and what is accepted.

        """
        number = check_seed(seed)
        ensure_compiled()
        settings = {"da_agent": da_agent, "round_limit": round_limit}
        found = states_from_snapshot(data, bookmark, settings)
        if len(found) > 1:
            warnings.warn(
                f"{len(found)} positions fit this snapshot (decision {data['decision']}); took the "
                "first. Give from_snapshot the game's bookmark() to get the very one.",
                stacklevel=2,
            )
        if bookmark is None:
            found[0]["seed"] = number
        return cls._of(found[0])

    @classmethod
    def from_text(cls, text: str) -> "Game":
        """The game of a text that `to_text` wrote, at the point where the text ends.

        Raises:
            ValueError: names the line that is damaged or does not fit the rules.

        """
        record = GameRecord.from_text(text)
        game = cls.from_origin(record.config, record.origin)
        for move in record.moves:
            if (game.asked, game.decision) != (move.seat, move.decision):
                raise ValueError(f"{move}: at this point {game!r}")
            try:
                game.step(move.action)
            except IllegalAction as error:
                raise ValueError(f"{move}: {error}") from error
        return game

    @classmethod
    def from_origin(cls, config: dict[str, Any], origin: dict[str, Any]) -> "Game":
        """A game before its first answer.

        Args:
            config: its settings, see `GameConfig.as_dict`.
            origin: what its `origin` was.

        Raises:
            ValueError: says what is wrong with the settings or the origin.

        """
        if not isinstance(origin, dict) or not {"seed", "deal", "snapshot"} & set(origin):
            raise ValueError(f"an origin is a dict with a seed, a deal or a snapshot, got {origin!r}")
        if not isinstance(config, dict):
            raise ValueError(f"a game's settings are a dict, got {config!r}")
        shuffles = origin.get("shuffles", [])
        try:
            if "snapshot" in origin:
                game = cls.from_snapshot(origin["snapshot"], origin.get("bookmark"))
            elif "deal" in origin:
                game = cls.from_deal(origin["deal"], **config, seed=origin.get("seed"))
            else:
                game = cls(**config, seed=origin["seed"])
        except TypeError as error:
            raise ValueError(f"the game's settings are damaged: {error}") from error
        game.stack_shuffles(shuffles)
        return game

    def clone(self) -> "Game":
        """An equal game that goes its own way; its future chance is the same."""
        return copy.copy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return copy.copy(self)

    def __copy__(self) -> "Game":
        game = type(self).__new__(type(self))
        game._states = copy_states(self._states)
        game._start = self._start
        game._origin = self._origin
        game._actions = self._actions.copy()
        game._stacked = self._stacked.copy()
        return game

    # --- the question -------------------------------------------------------------------------------

    @property
    def config(self) -> GameConfig:
        """The game's settings."""
        return config_of(self._states[0])

    @property
    def seats(self) -> int:
        """Seats at the table, the DA's included."""
        return 2 if self._states["solo"][0] else int(self._states["players"][0])

    @property
    def asked(self) -> int | None:
        """The seat that has to answer, or None when the game is over."""
        seat = int(self._states["asked_seat"][0])
        return None if seat < 0 else seat

    @property
    def decision(self) -> str | None:
        """The name of the decision it is asked, such as ``"TURN"``, or None."""
        number = int(self._states["decision"][0])
        return None if number < 0 else DECISION_NAMES[number]

    def legal(self) -> list[int]:
        """The legal actions, ascending."""
        actions = np.empty(NUM_ACTIONS, dtype=np.int64)
        return list(actions[: batch.legal_at(self._states, 0, actions)].tolist())

    def describe(self, action: int) -> str:
        """What an action means as an answer to the present question, such as "keep Comms 1".

        `action_name` gives the short name that does not depend on the question.

        Raises:
            ValueError: if there is no such action.

        """
        decision = int(self._states["decision"][0])
        return describe_action(action, None if decision < 0 else Decision(decision))

    def step(self, action: SupportsIndex) -> None:
        """Answer the question.

        Raises:
            IllegalAction: names the decision and the legal actions; the game is unchanged.

        """
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < NUM_ACTIONS:
            raise self._illegal(action)
        if self._stacked:
            self._step_stacked(number, action)
        elif not batch.step_at(self._states, 0, number):
            raise self._illegal(action)
        self._actions.append(number)

    def _illegal(self, action: object) -> IllegalAction:
        if self.over:
            return IllegalAction(f"the game is over: no action is accepted, got {action!r}")
        accepted = ", ".join(f"{legal} {action_name(legal)}" for legal in self.legal())
        return IllegalAction(
            f"action {action!r} is no answer to {self.decision} of seat {self.asked}; accepted: {accepted}"
        )

    # --- shuffles to come ---------------------------------------------------------------------------

    def stack_shuffles(self, orders: Iterable[Sequence[int]]) -> None:
        """Let the next shuffles give these orders, one after the other, instead of random ones.

        Args:
            orders: for each shuffle, the whole new deck, top first.

        Raises:
            ValueError: if an order is not a list of different cards.

        """
        if not isinstance(orders, Iterable):
            raise ValueError(f"the shuffles' orders must be lists of cards, got {orders!r}")
        checked = [check_cards("a shuffle's order", order) for order in orders]
        self._stacked += checked
        if checked:
            self._origin = {**self._origin, "shuffles": [*self._origin.get("shuffles", []), *checked]}

    def _step_stacked(self, number: int, action: object) -> None:
        """`step` with the next shuffle's order given; the state is replaced when all went well."""
        states = copy_states(self._states)
        order = self._stacked[0]
        states["stacked"][0, : len(order)] = order
        states["stacked_size"] = len(order)
        if not batch.step_at(states, 0, number):
            raise self._illegal(action)
        shuffles = int(states["shuffles"][0]) - int(self._states["shuffles"][0])
        if shuffles and states["stacked_size"][0]:
            raise ValueError(f"the stacked order {order} does not name the cards to be shuffled")
        if shuffles:
            self._stacked.pop(0)
        states["stacked"] = -1
        states["stacked_size"] = 0
        self._states = states

    # --- the end ------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._states["over"][0])

    @property
    def truncated(self) -> bool:
        """Whether it was the round limit that ended it."""
        return bool(self._states["truncated"][0])

    def scores(self) -> list[int]:
        """The points of every seat if the game ended now; in the solo game player, DA."""
        scores = np.empty(MAX_SEATS, dtype=np.int64)
        batch.scores_at(self._states, 0, scores)
        return list(scores[: self.seats].tolist())

    def winners(self) -> list[int]:
        """The winning seats, several if they share the win; empty while the game goes on."""
        if not self.over:
            return []
        scores = np.empty(MAX_SEATS, dtype=np.int64)
        return cards_in(int(batch.scores_at(self._states, 0, scores)))

    # --- views --------------------------------------------------------------------------------------

    def view(self, seat: int | None = None) -> View["Game"]:
        """What a seat (by default the asked one) may use to decide.

        Raises:
            ValueError: if there is no such seat.

        """
        return View(self._states, self._check_seat(seat), Game._of)

    def observe(self, seat: int | None = None) -> NDArray[np.float32]:
        """The observation ``(OBSERVATION_SIZE,)`` float32 of a seat (by default the asked one).

        Raises:
            ValueError: if there is no such seat.

        """
        return self._observe(seat)[0]

    def mask(self, seat: int | None = None) -> NDArray[np.int8]:
        """The mask ``(NUM_ACTIONS,)`` int8 of a seat (by default the asked one); zeros if not asked.

        Raises:
            ValueError: if there is no such seat.

        """
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        batch.mask_at(self._states, 0, self._check_seat(seat), mask)
        return mask

    def _observe(self, seat: int | None) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        observation = np.empty(OBSERVATION_SIZE, dtype=np.float32)
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        batch.observe_at(self._states, 0, self._check_seat(seat), observation, mask)
        return observation, mask

    def _check_seat(self, seat: int | None) -> int:
        if seat is None:
            return self.asked or 0
        seats = self.seats
        if type(seat) is not int or not 0 <= seat < seats:
            raise ValueError(f"seat must be an integer in 0..{seats - 1}, got {seat!r}")
        return seat

    # --- plain data ---------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The whole true state as plain JSON-able data."""
        return snapshot(self._states)

    def bookmark(self) -> dict[str, int]:
        """What the snapshot does not show, as plain integers; see `from_snapshot`."""
        return bookmark(self._states)

    def to_bytes(self) -> bytes:
        """The state record; equal games have equal bytes."""
        return self._states.tobytes()

    @property
    def origin(self) -> dict[str, Any]:
        """How the game began, as plain data for `from_origin`.

        Its keys: ``seed``; or ``seed`` and ``deal``; or ``snapshot`` and ``bookmark``. ``shuffles``, if
        there are any, are the orders given by `stack_shuffles`.
        """
        if "seed" in self._origin:
            return dict(self._origin)
        return {"snapshot": snapshot(self._start), "bookmark": bookmark(self._start), **self._origin}

    @property
    def actions(self) -> tuple[int, ...]:
        """All answers since the game began, that is since its `origin`."""
        return tuple(self._actions)

    def to_text(self) -> str:
        """The whole game so far as a text that people can read and `from_text` plays again."""
        game = type(self)._of(copy_states(self._start))
        game.stack_shuffles(self._origin.get("shuffles", []))
        moves = []
        for action in self._actions:
            moves.append(Move(game.asked or 0, game.decision or "", action))
            game.step(action)
        comments = [f"{self!r}", f"scores {self.scores()}, winners {self.winners()}"]
        return GameRecord(self.config.as_dict(), self.origin, moves, comments).to_text()

    def _repr_svg_(self) -> str:
        """The table as a picture with all cards, for notebooks."""
        # Games are played without pictures far more often than with them.
        from pocketmars_env.games.pocket_mars.drawing.table import table_svg

        return table_svg(self.snapshot(), bookmark=self.bookmark())

    def __repr__(self) -> str:
        asked = "over" if self.over else f"seat {self.asked} is asked {self.decision}"
        return f"<Game: {self.config.mode}, round {int(self._states['round_number'][0])}, {asked}>"
