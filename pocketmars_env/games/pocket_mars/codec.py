"""The positions of Pocket Mars as plain data: deals, snapshots and predetermined shuffles."""

import warnings
from collections.abc import Iterable
from typing import Any

from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.gate import convert
from pocketmars_env.core.position_codec import Chance, PositionCodec
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.moving_cards import SHUFFLES_WRAP
from pocketmars_env.games.pocket_mars.snapshots import notation
from pocketmars_env.games.pocket_mars.snapshots.entry_points import advance_at, set_up_at
from pocketmars_env.games.pocket_mars.snapshots.from_snapshot import check_record, states_from_snapshot
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.snapshots.schema import Order


class PocketMarsCodec(PositionCodec):
    """Creates positions of Pocket Mars, and writes them as plain data."""

    blank = staticmethod(notation.blank_states)
    snapshot = staticmethod(notation.snapshot)
    resume_state = staticmethod(notation.resume_state)
    check_record = staticmethod(check_record)

    def label(self, states: States) -> str:
        return f"{GameConfig.of_state(states[0]).mode}, round {states['round_number'][0]}"

    def from_snapshot(  # type: ignore[override]  # with this game's settings
        self,
        data: Snapshot,
        resume_state: dict[str, int] | None,
        seed: int,
        da_agent: bool = False,
        round_limit: int | None = None,
    ) -> States:
        """Return the position with the given snapshot; see `PositionCodec.from_snapshot`.

        Without a resume state, the effect being resolved is inferred; if several positions fit the snapshot,
        the first is used and a warning is issued.

        Args:
            data, resume_state, seed: see `PositionCodec.from_snapshot`.
            da_agent: see `GameConfig`. It counts as True if the DA's seat is to play; used only without a
                resume state.
            round_limit: see `GameConfig`; used only without a resume state.

        """
        settings = {"da_agent": da_agent, "round_limit": round_limit}
        positions = states_from_snapshot(data, resume_state, settings)
        if len(positions) > 1:
            warnings.warn(
                f"{len(positions)} positions fit this snapshot (decision {data['decision']}); the first "
                "is used. Pass the game's resume_state() to from_snapshot to restore the exact one.",
                stacklevel=3,
            )
        if resume_state is None:
            positions[0]["seed"] = seed
        return positions[0]

    def from_deal(self, deal: Any, seed: int, settings: dict[str, Any]) -> tuple[States, dict[str, Any]]:
        """Return the first decision after a deal, and the deal in its usual form.

        Args:
            deal: ``{"hands": [...], "deck": [...], "starting_seat": s}`` with card numbers 0..34; each hand
                has 4 cards (5 in the draft variant), and the deck has all other cards, top first.
            seed: the seed of all shuffles that are not predetermined.
            settings: the fields of `GameConfig`; `players` defaults to the number of hands, or to 1 with
                ``mode="solo"``.

        Raises:
            ValueError: if the deal or a setting is invalid; the message describes the problem.

        """
        if settings.get("players") is None:
            players = 1 if settings.get("mode") == "solo" else number_of_hands(deal)
            settings = {**settings, "players": players}
        states = notation.state_from_deal(deal, GameConfig(**settings), seed)
        deal = notation.deal_of(states)
        set_up_at(states, 0)
        advance_at(states, 0)
        return states, deal

    def checked_chance(self, shuffles: Iterable[Any] = (), **others: Any) -> Chance:
        super().checked_chance(**others)
        orders = convert(list(shuffles), list[Order], "shuffles")
        for order in orders:
            if len(set(order)) < len(order):
                raise ValueError(f"shuffles: an order has a card twice: {quoted(order)}")
        return {"shuffles": orders}

    def with_chance(self, states: States, results: Chance) -> States:
        states = copy_states(states)
        order: list[int] = next(iter(results.get("shuffles", [])), [])
        states["stacked"][0, : len(order)] = order
        states["stacked_size"] = len(order)
        return states

    def used_chance(self, before: States, after: States, results: Chance) -> dict[str, int]:
        shuffles = (int(after["shuffles"][0]) - int(before["shuffles"][0])) % SHUFFLES_WRAP
        if shuffles and after["stacked_size"][0]:
            order = results["shuffles"][0]
            raise ValueError(
                f"the stacked order {quoted(order)} does not consist of the cards to be shuffled"
            )
        after["stacked"] = -1
        after["stacked_size"] = 0
        return {"shuffles": min(shuffles, 1)}


def number_of_hands(deal: object) -> int:
    """Return the number of hands in a deal if there are 3 or 4, otherwise 2."""
    hands = deal.get("hands") if isinstance(deal, dict) else None
    return len(hands) if isinstance(hands, list | tuple) and len(hands) in (3, 4) else 2
