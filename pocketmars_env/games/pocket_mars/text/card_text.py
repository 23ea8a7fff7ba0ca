"""English texts of cards and abilities, generated from their programs.

★ and ★★ are the places for colonists in a Building. *Launch* moves a colonist from Earth to the Ship,
*settle* from the Ship to ★, *upgrade* from ★ to ★★, and *downgrade* from ★★ to ★. *Here* is the Building of
the card's suit. Conditions and costs are followed by a colon; the effects after the colon depend on them.
"""

import functools

from pocketmars_env.games.pocket_mars.rules.cards import (
    ALL_PROGRAMS,
    CARDS,
    FIRST_BOTTOM,
    FIRST_TOP,
    PROGRAM_BUILDING,
)
from pocketmars_env.games.pocket_mars.rules.constants import LAST_PRICE, Op

PHRASES: dict[Op, str] = {
    Op.IF_NONE_HERE: "if you have no colonist here",
    Op.IF_SHIP_EMPTY: "if your Ship is empty",
    Op.IF_SHIP_HOLDS: "if your Ship holds {amount} or more",
    Op.IF_SUIT_IN_HAND: "if another {suit} card is in your hand",
    Op.USE: "use {amount} energy",
    Op.DISCARD_SUIT: "discard another {suit} card from your hand",
    Op.RECALL: "bring 1 of yours back from any Building to your Ship",
    Op.DOWNGRADE_OWN: "downgrade 1 of yours in any Building",
    Op.LAUNCH: "launch {amount}",
    Op.GAIN: "gain {amount} energy",
    Op.SETTLE_HERE: "settle 1 here",
    Op.SETTLE_UP_TO: "settle up to {amount} here",
    Op.SETTLE_ANYWHERE: "settle 1 in any Building",
    Op.SETTLE_FROM_EARTH: "settle 1 here straight from Earth",
    Op.UPGRADE_HERE: "upgrade 1 of yours here",
    Op.SHIFT_ANY: "upgrade or downgrade any colonist, no matter whose, in any Building",
    Op.SWAP_COLONISTS: "in any Building, let a colonist on ★ and one on ★★ trade places",
    Op.DRAW: "draw {amount}",
    Op.DRAW_ASIDE: "draw {amount}",
    Op.KEEP_ONE: "keep 1; the other one goes face down onto its suit's pile",
    Op.TAKE_FROM_DISCARD: "take any discarded card into your hand",
    Op.TAKE_TOP: "take the top card off any Building into your hand",
    Op.TURN_DOWN: "turn the top card of any Building face down",
    Op.PUT_UNDER: "put up to {amount} of your hand cards under the deck",
    Op.PUT_ANY_UNDER: "put 1 of your hand or prep cards under the deck",
    Op.SWAP_HAND_AND_PREP: "exchange a card in your hand for one in your prep module",
    Op.SWAP_PREPS: "exchange a card in your prep module for one in another player's",
    Op.LOOK: "look into another player's prep module",
    Op.ACT_AGAIN: "take 1 more action",
}
"""The phrase for each op (program operation) in card texts; END has none."""


def program_text(program: int) -> str:
    """Return the text of a card half or an ability, such as ``use 2 energy: launch 2``."""
    suit = suit_name(int(PROGRAM_BUILDING[program]))
    requirements, effects = "", []
    for op, amount in ALL_PROGRAMS[program]:
        phrase = PHRASES[op].format(amount=amount, suit=suit)
        if op <= LAST_PRICE:
            requirements += f"{phrase}: "
        else:
            effects.append(phrase)
    return requirements + " and ".join(effects)


@functools.cache
def card_text(card: int) -> str:
    """Return a card's name, top and bottom, one line each."""
    top, bottom = program_text(FIRST_TOP + card), program_text(FIRST_BOTTOM + card)
    return f"{CARDS[card].name}\ntop: {top}\nbottom: {bottom}"


def suit_name(suit: int) -> str:
    """Return the first word of a suit's card names, such as "Energy"."""
    return next(card.name.split()[0] for card in CARDS if card.suit == suit)
