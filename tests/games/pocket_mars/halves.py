"""Card halves under test: a position that holds the card, and the way through its turn."""

from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from tests.builders import play, seat
from tests.changes import Changes, changes

BUILDING_OF_CARD = {
    "Greenhouse": "Greenhouse",
    "Aqualab": "Aqualab",
    "Energy": "Energy Bank",
    "Comms": "Comms Center",
}
"""First word of a card's name → Building."""


def here(card: str) -> str:
    """The Building that the card calls "here"."""
    return BUILDING_OF_CARD[card.split()[0]]


def one_in(*buildings: str) -> list[int]:
    """A colonist in each of these Buildings, as the counts of a seat."""
    return [buildings.count(building) for building in BUILDING_OF_CARD.values()]


def spares(card: str) -> list[str]:
    """Three cards of a different suit."""
    if card.startswith("Habitation"):
        return ["Greenhouse 1", "Greenhouse 2", "Greenhouse 3"]
    return ["Habitation d", "Habitation e", "Habitation f"]


def with_top(card: str, **more: Any) -> dict[str, Any]:
    """A seat with the card in hand, and no other card of its suit."""
    first, *others = spares(card)
    return seat(**{"hand": [card, first], "prep": others, **more})


def with_bottom(card: str, **more: Any) -> dict[str, Any]:
    """A seat with the card in its prep module, and no other card of its suit."""
    first, *others = spares(card)
    return seat(**{"hand": others, "prep": [card, first], **more})


def launched(number: int) -> Changes:
    """Seat 0 launches this many."""
    return {"earth of 0": -number, "ship of 0": number}


def gained(energy: int) -> Changes:
    """Seat 0 gains energy, or uses it."""
    return {"energy of 0": energy}


def settled(building: str, number: int = 1) -> Changes:
    """Seat 0 settles this many from the Ship."""
    return {"ship of 0": -number, f"★ {building} of 0": number}


def upgraded(building: str, number: int = 0) -> Changes:
    """A colonist of this seat moves from ★ to ★★."""
    return {f"★ {building} of {number}": -1, f"★★ {building} of {number}": 1}


def downgraded(building: str, number: int = 0) -> Changes:
    """A colonist of this seat moves from ★★ to ★."""
    return {f"★★ {building} of {number}": -1, f"★ {building} of {number}": 1}


Table = list[tuple[list[str], dict[str, Any], Any]]
"""Rows: cards with the same text; the setting of seat 0; what the half changes there."""


def each_card(table: Table) -> list[Any]:
    """The test cases of a table: card, setting, what changes."""
    return [
        pytest.param(card, mine, expected, id=f"{card} {mine}")
        for alike, mine, expected in table
        for card in alike
    ]


def begin_top(game: Game, card: str) -> Snapshot:
    """Let the active seat play a card from hand. Returns the snapshot before."""
    before = game.snapshot()
    play(game, f"PLAY_HAND({card})")
    return before


def begin_bottom(game: Game, card: str) -> Snapshot:
    """Let seat 0 play a card from its prep module and accept its bottom action.

    Returns the snapshot before the bottom action.
    """
    assert is_bottom_offered(game, card)
    before = game.snapshot()
    play(game, "ACCEPT")
    return before


def after_top(game: Game, card: str, *answers: str) -> Changes:
    """Let seat 0 play a card from hand, play the further actions, and finish the turn.

    Returns what changed besides what every such turn brings: the card was discarded, and one card
    was drawn in its stead.
    """
    before = game.snapshot()
    drawn = CARDS[before["deck"][0]].name
    play(game, f"PLAY_HAND({card})", *answers)
    assert (game.to_play, game.decision) == (1, "TURN")
    found = changes(before, game)
    assert found.pop(card) == "hand of 0 → discard"
    assert found.pop(drawn) == "deck → hand of 0"
    return found


def is_bottom_offered(game: Game, card: str) -> bool:
    """Let seat 0 play a card from its prep module, settle nobody for its value, and see what is asked.

    If it is not the bottom action, it is the Building's ability, or the 4-card rule.
    """
    play(game, f"PLAY_PREP({card})")
    if game.decision == "SETTLE":
        play(game, "PASS")
    assert game.to_play == 0
    assert game.decision in ("BOTTOM", "ABILITY", "FILL")
    return game.decision == "BOTTOM"


def after_bottom(game: Game, card: str, *answers: str) -> Changes:
    """Let seat 0 play a card from its prep module, accept its bottom action, and answer.

    Returns what the bottom action changed. If the Building's ability would change nothing then, and is
    not asked for, the card that was drawn in the played one's stead is left out.
    """
    before = begin_bottom(game, card)
    play(game, *answers)
    assert game.to_play == 0
    assert game.decision in ("ABILITY", "FILL")
    found = changes(before, game)
    if game.decision == "FILL":
        assert found.pop(CARDS[before["deck"][0]].name) == "deck → hand of 0"
    return found
