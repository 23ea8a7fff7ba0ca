"""Columns that Pocket Mars adds to the table of recorded decisions."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.recording.columns import NONE, Column, Rows
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_ABILITY, FIRST_BOTTOM
from pocketmars_env.games.pocket_mars.rules.constants import Decision

BOTTOM, ABILITY = 1, 2
HALVES = ("top", "bottom", "ability")
"""The kinds of effects: the top or bottom half of a card, or the ability of a Building. `BOTTOM` and
`ABILITY` are indices into this tuple."""
OFFERS = {Decision.BOTTOM: BOTTOM, Decision.ABILITY: ABILITY}
"""For each decision that offers an effect, the index of the effect's kind in `HALVES`."""
CARD_NAMES = tuple(card.name for card in CARDS)
BLOCKS = tuple(block_of(action) for action in range(NUM_ACTIONS))
CARD_OF_ACTION = np.array([number if block.argument.startswith("card") else NONE for block, number in BLOCKS])


def halves(rows: Rows) -> NDArray[np.int64]:
    """Return, for each row, the index in `HALVES` of the effect that is executed or offered, or `NONE`."""
    indices: NDArray[np.int64] = np.digitize(rows.states["program"], (0, FIRST_BOTTOM, FIRST_ABILITY)) - 1
    for decision, offered in OFFERS.items():
        indices[rows.states["decision"] == decision] = offered
    return indices


def resolving(rows: Rows) -> NDArray[np.int64]:
    """Return, for each row, the card whose top action is executed, or the card played from a prep module.

    The entry of a row without such a card is `NONE`.
    """
    programs, played = rows.states["program"], rows.states["played"]
    is_top = (programs >= 0) & (programs < FIRST_BOTTOM)
    cards: NDArray[np.int64] = np.where(is_top, programs, played).astype(np.int64)
    return cards


COLUMNS = (
    Column(
        "round", "int16", "the round of the game, from 1",
        lambda r: r.states["round_number"], after="agent",
    ),
    Column(
        "action_card", "text", "the card that the action names; empty if it names none",
        lambda r: CARD_OF_ACTION[r.actions], lambda plan: CARD_NAMES, after="action_kind",
    ),
    Column(
        "card", "text", "the card whose action is carried out; empty if there is none",
        resolving, lambda plan: CARD_NAMES, after="meaning",
    ),
    Column(
        "half", "text",
        "the effect: `top` or `bottom` of `card`, or the `ability` of its Building; empty if there is none",
        halves, lambda plan: HALVES, after="card",
    ),
)  # fmt: skip
