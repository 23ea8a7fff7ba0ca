"""Helpers to test one half of a card: they set up a position with the card and play its turn."""

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
"""First word of a card's name → name of its Building."""


def here(card: str) -> str:
    """Return the Building that the text of the card calls "here"."""
    return BUILDING_OF_CARD[card.split()[0]]


def one_in(*buildings: str) -> list[int]:
    """Return the colonist counts of a seat with one colonist in each of these Buildings."""
    return [buildings.count(building) for building in BUILDING_OF_CARD.values()]


def spares(card: str) -> list[str]:
    """Return three cards of a different suit."""
    if card.startswith("Habitation"):
        return ["Greenhouse 1", "Greenhouse 2", "Greenhouse 3"]
    return ["Habitation d", "Habitation e", "Habitation f"]


def with_top(card: str, **more: Any) -> dict[str, Any]:
    """Return a seat with the card in hand and no other card of its suit."""
    first, *others = spares(card)
    return seat(**{"hand": [card, first], "prep": others, **more})


def with_bottom(card: str, **more: Any) -> dict[str, Any]:
    """Return a seat with the card in its prep module and no other card of its suit."""
    first, *others = spares(card)
    return seat(**{"hand": others, "prep": [card, first], **more})


def launched(number: int) -> Changes:
    """Return the changes when seat 0 launches `number` colonists."""
    return {"earth of 0": -number, "ship of 0": number}


def gained(energy: int) -> Changes:
    """Return the changes when seat 0 gains energy, or uses it if `energy` is negative."""
    return {"energy of 0": energy}


def settled(building: str, number: int = 1) -> Changes:
    """Return the changes when seat 0 settles `number` colonists from the Ship."""
    return {"ship of 0": -number, f"★ {building} of 0": number}


def upgraded(building: str, number: int = 0) -> Changes:
    """Return the changes when a colonist of seat `number` moves from ★ to ★★."""
    return {f"★ {building} of {number}": -1, f"★★ {building} of {number}": 1}


def downgraded(building: str, number: int = 0) -> Changes:
    """Return the changes when a colonist of seat `number` moves from ★★ to ★."""
    return {f"★★ {building} of {number}": -1, f"★ {building} of {number}": 1}


Table = list[tuple[list[str], dict[str, Any], Any]]
"""Rows with three columns: cards with the same text, settings of seat 0, and expected changes."""


def each_card(table: Table) -> list[Any]:
    """Return one test case (card, settings, expected changes) for each card of a table."""
    return [
        pytest.param(card, mine, expected, id=f"{card} {mine}")
        for alike, mine, expected in table
        for card in alike
    ]


def begin_top(game: Game, card: str) -> Snapshot:
    """Let the active seat play a card from hand, and return the snapshot before that."""
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

    Returns the changes, without those of every such turn: the card was discarded, and one card was
    drawn to replace it.
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
    """Let seat 0 play a card from its prep module, and return whether its bottom action is offered.

    Seat 0 does not settle for the card's value. If no bottom action is offered, the next decision is
    about the Building's ability or the 4-card rule.
    """
    play(game, f"PLAY_PREP({card})")
    if game.decision == "SETTLE":
        play(game, "PASS")
    assert game.to_play == 0
    assert game.decision in ("BOTTOM", "ABILITY", "FILL")
    return game.decision == "BOTTOM"


def after_bottom(game: Game, card: str, *answers: str) -> Changes:
    """Let seat 0 play a card from its prep module, accept its bottom action, and play `answers`.

    Returns the changes made by the bottom action. If the Building's ability would then change nothing,
    it is skipped and a card is drawn to replace the played one; that card is left out.
    """
    before = begin_bottom(game, card)
    play(game, *answers)
    assert game.to_play == 0
    assert game.decision in ("ABILITY", "FILL")
    found = changes(before, game)
    if game.decision == "FILL":
        assert found.pop(CARDS[before["deck"][0]].name) == "deck → hand of 0"
    return found
