"""`Game` and `Games` of Pocket Mars; `Game` supports deals, snapshots and predetermined shuffles."""

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Self, SupportsIndex

from pocketmars_env.core import game as core
from pocketmars_env.core import games as core_games
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.settings import check_names, setting_names
from pocketmars_env.games.pocket_mars.snapshots.entry_points import advance_at, set_up_at
from pocketmars_env.games.pocket_mars.snapshots.from_snapshot import states_from_snapshot
from pocketmars_env.games.pocket_mars.snapshots.notation import (
    Deal,
    Snapshot,
    check_cards,
    deal_of,
    state_from_deal,
)
from pocketmars_env.games.pocket_mars.spec import SPEC


class Game(core.Game):
    """A game of Pocket Mars.

    Args:
        seed: the seed of all random events; it has the same effect on every platform. If None, a seed is
            drawn from the operating system.
        settings: the fields of `GameConfig`, such as `players`, `mode` and `level`.

    Raises:
        ValueError: if a setting or the seed is invalid; the message names the accepted values.

    Examples:
        >>> game = Game(players=2, seed=1)
        >>> game.decision, len(game.legal())
        ('PREP', 4)

    """

    spec = SPEC

    @classmethod
    def from_deal(
        cls,
        deal: Deal,
        *,
        seed: SupportsIndex | None = None,
        shuffles: Iterable[Sequence[int]] = (),
        **settings: Any,
    ) -> Self:
        """Create a game from a given deal.

        Args:
            deal: ``{"hands": [...], "deck": [...], "starting_seat": s}`` with card numbers 0..34; each hand
                has 4 cards (5 in the draft variant), and the deck has all other cards, top first.
            seed: the seed of all shuffles that `shuffles` does not determine; if None, a seed is drawn from
                the operating system.
            shuffles: see `stack_shuffles`.
            settings: the fields of `GameConfig`; `players` defaults to the number of hands, or to 1 with
                ``mode="solo"``.

        Raises:
            ValueError: if an argument is invalid; the message lists what is accepted.

        """
        if settings.get("players") is None:
            settings["players"] = 1 if settings.get("mode") == "solo" else number_of_hands(deal)
        check_names(f"a game of {cls.spec.title}", settings, setting_names(cls.spec.config))
        config = cls.spec.config(**settings)
        number = check_seed(seed)
        ensure_compiled(cls.spec)
        states = state_from_deal(deal, config, number)
        origin = {"seed": number, "deal": deal_of(states)}
        set_up_at(states, 0)
        advance_at(states, 0)
        game = cls.__new__(cls)
        game._begin(states, origin)
        game.stack_shuffles(shuffles)
        return game

    @classmethod
    def from_snapshot(
        cls,
        data: Snapshot,
        resume_state: dict[str, int] | None = None,
        da_agent: bool = False,
        seed: SupportsIndex | None = None,
        round_limit: int | None = None,
    ) -> Self:
        """Create a game from a snapshot.

        Args:
            data: the snapshot, as returned by the method `snapshot`.
            resume_state: the result of `resume_state` for the same position; with it, the position is
                restored exactly. Without it, the effect being resolved is inferred; if several positions fit
                the snapshot, the first is used and a warning is issued.
            da_agent: see `GameConfig`. Ignored if `resume_state` is given; otherwise, it counts as True if
                the DA's seat is to play.
            seed: the seed of later random events; if None, a seed is drawn from the operating system. Used
                only without `resume_state`.
            round_limit: see `GameConfig`; used only without `resume_state`.

        Raises:
            ValueError: if an argument is invalid, or if no position fits the snapshot; the message describes
                the problem.

        """
        number = check_seed(seed)
        ensure_compiled(cls.spec)
        settings = {"da_agent": da_agent, "round_limit": round_limit}
        found = states_from_snapshot(data, resume_state, settings)
        if len(found) > 1:
            warnings.warn(
                f"{len(found)} positions fit this snapshot (decision {data['decision']}); the first "
                "is used. Pass the game's resume_state() to from_snapshot to restore the exact one.",
                stacklevel=2,
            )
        if resume_state is None:
            found[0]["seed"] = number
        return cls._of(found[0])

    # --- predetermined shuffles ---------------------------------------------------------------------

    def stack_shuffles(self, orders: Iterable[Sequence[int]]) -> None:
        """Predetermine the results of the next shuffles that are not predetermined yet.

        If an order does not contain exactly the cards to be shuffled, `step` raises a ValueError when the
        shuffle is due, and leaves the game unchanged.

        Args:
            orders: the complete new deck after each of these shuffles, top first.

        Raises:
            ValueError: if `orders` is not iterable, or if an order is empty or not a list of distinct cards.

        """
        if not isinstance(orders, Iterable):
            raise ValueError(f"the shuffles' orders must be lists of cards, got {quoted(orders)}")
        checked = [check_cards("a shuffle's order", order) for order in orders]
        if not all(checked):
            raise ValueError("a shuffle's order must have at least one card")
        self._give(shuffles=checked)

    def _stack(self, shuffles: Any = ()) -> None:  # type: ignore[override]
        self.stack_shuffles(shuffles)

    def _states_with_order(self) -> States:
        """Return a copy of the state, with any predetermined order of the next shuffle in `stacked`."""
        states = copy_states(self._states)
        order: list[int] = next(iter(self._given.get("shuffles", [])), [])
        states["stacked"][0, : len(order)] = order
        states["stacked_size"] = len(order)
        return states

    def _step_given(self, number: int, action: object) -> None:
        states = self._states_with_order()
        if not self._batch.step_at(states, 0, number):
            raise self._illegal(action)
        shuffles = int(states["shuffles"][0]) - int(self._states["shuffles"][0])
        if shuffles and states["stacked_size"][0]:
            order = self._given["shuffles"][0]
            raise ValueError(
                f"the stacked order {quoted(order)} does not consist of the cards to be shuffled"
            )
        if shuffles:
            self._use(shuffles=1)
        states["stacked"] = -1
        states["stacked_size"] = 0
        self._states = states

    def __repr__(self) -> str:
        to_play = "over" if self.over else f"seat {self.to_play} to play {self.decision}"
        return f"<Game: {self.config.mode}, round {int(self._states['round_number'][0])}, {to_play}>"


class Games(core_games.Games):
    """N games of Pocket Mars, with the fields of `GameConfig` as settings; see `core.games.Games`."""

    spec = SPEC


def number_of_hands(deal: object) -> int:
    """Return the number of hands in a deal if there are 3 or 4, otherwise 2."""
    hands = deal.get("hands") if isinstance(deal, dict) else None
    return len(hands) if isinstance(hands, list | tuple) and len(hands) in (3, 4) else 2
