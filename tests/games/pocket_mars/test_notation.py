"""Deals and snapshots as plain data."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game, GameConfig
from pocketmars_env.games.pocket_mars.rules.state import STATE
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states


def deal(**changes: Any) -> dict[str, Any]:
    """Return a valid deal for two players with some entries changed."""
    return {
        "hands": [[0, 1, 2, 3], [4, 5, 6, 7]],
        "deck": list(range(8, 35)),
        "starting_seat": 1,
        **changes,
    }


BAD_DEALS: list[Any] = [
    None,
    deal(hands=[[0, 1, 2, 3]]),
    deal(hands=[[0, 1, 2], [4, 5, 6, 7]]),
    deal(hands=[[0, 1, 2, 35], [4, 5, 6, 7]]),
    deal(hands=[[0, 1, 2, 2], [4, 5, 6, 7]]),
    deal(deck=list(range(9, 35))),
    deal(deck=[0, *range(9, 35)]),
    deal(starting_seat=2),
]


@pytest.mark.parametrize("bad", BAD_DEALS, ids=range(len(BAD_DEALS)))
def test_bad_deals_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"deal|hands|starting_seat"):
        Game.from_deal(bad, players=2)


def test_a_packet_has_five_cards() -> None:
    with pytest.raises(ValueError, match="5 cards"):
        Game.from_deal(deal(), players=2, draft=True)


def test_a_good_deal_is_dealt() -> None:
    data = Game.from_deal(deal(), seed=0).snapshot()
    assert [seat["hand"] for seat in data["seats"]] == deal()["hands"]
    assert data["deck"] == deal()["deck"]
    assert (data["starting_seat"], data["active_seat"], data["asked_seat"]) == (1, 0, 0)


def test_a_deal_may_hold_numpy_numbers() -> None:
    hands = [np.array([0, 1, 2, 3]), np.array([4, 5, 6, 7])]
    deck = np.arange(8, 35, dtype=np.int8)
    game = Game.from_deal(deal(hands=hands, deck=deck), seed=0)
    assert game.to_bytes() == Game.from_deal(deal(), seed=0).to_bytes()


def test_the_keys_of_a_snapshot() -> None:
    data = Game(mode="solo", draft=True, seed=0).snapshot()
    assert list(data) == [
        "players", "mode", "edition", "level", "round", "starting_seat", "active_seat", "asked_seat",
        "decision", "over", "deck", "under", "discard", "in_play", "piles", "seats",
    ]  # fmt: skip
    assert list(data["seats"][0]) == [
        "hand", "prep", "earth", "ship", "energy", "star", "star2", "score", "knows", "pending",
        "packet",
    ]  # fmt: skip
    assert len(data["seats"]) == 2


def test_resume_states_name_fields_of_the_state() -> None:
    assert set(Game(seed=0).resume_state()) <= set(STATE.names or ())


def test_blank_tables_hold_no_cards() -> None:
    (state,) = blank_states(1, GameConfig(players=3))
    assert state["deck_size"] == state["discard_size"] == 0
    assert set(state["deck"].tolist()) == {-1}
    assert state["seats"]["knows"].tolist() == [0, 0, 0, 0]
