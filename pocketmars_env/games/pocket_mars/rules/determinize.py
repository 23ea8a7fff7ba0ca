"""Determinization: sampling a full state from a seat's information set.

The cards whose places the seat does not know are redealt. A place with a visible back gets a card of the
visible suit; the other places, which are all in the deck, get the remaining cards. All deals that match the
backs are equally likely. If another seat knew the card at a place, that seat also knows the new card there.
The determinization has a new random stream, so a search cannot see the true future. Hidden choices of the
other seats are redrawn too, and so is the starting seat during setup.
"""

import numpy as np

from pocketmars_env.core.compiled.apart import compiled_apart
from pocketmars_env.core.compiled.card_sets import NOTHING, count, has, lowest, nth, only, without_lowest
from pocketmars_env.core.compiled.chance import next_random, shuffle
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, SUIT_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    NO_CARD,
    NO_DECISION,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
)
from pocketmars_env.games.pocket_mars.rules.legality import list_legal_actions
from pocketmars_env.games.pocket_mars.rules.moving_cards import clear_stacked, prep_cards
from pocketmars_env.games.pocket_mars.rules.state import STATE, all_cards, number_of_seats

NOBODY_YET = 1_000_000
"""A number larger than all ranks in `next_to_redeal`."""


@compiled_apart(STATE, STATE, np.int64, np.uint64, np.bool_)
def determinize(source, target, viewer, seed, is_random):
    """Redeal, in `target` (a copy of `source`), the cards that the seat `viewer` does not know.

    If `is_random` is false, unknown cards are dealt in ascending order, each hidden choice becomes the lowest
    possible card, and a hidden starting seat becomes seat 0.
    """
    known = source.seats[viewer].knows
    begin_redeal(source, target, known, seed)
    to_deal = all_cards(source) & ~known
    for seat in range(number_of_seats(source)):
        to_deal = redeal_seat(source, target, seat, known, to_deal, is_random)
    to_deal, target.drawn = redeal_set(source, target, source.drawn, known, to_deal, is_random)
    for building in range(NUM_SUITS):
        to_deal = redeal_pile(source, target, building, known, to_deal, is_random)
    redeal_deck(source, target, known, to_deal, is_random)
    redraw_choices(target, viewer, is_random)
    if target.decision != NO_DECISION:
        list_legal_actions(target)


@kernel
def begin_redeal(source, target, known, seed):
    """Start a new random stream, and remove unknown cards where the redeal adds their replacements."""
    target.seed, target.draws = seed, 0
    clear_stacked(target)
    target.face_down &= known
    for seat in range(number_of_seats(source)):
        target.seats[seat].knows &= known


@kernel
def redeal_card(source, target, card, to_deal, is_random):
    """Return a replacement of the same suit for `card`; the seats that know `card` learn the replacement."""
    pool = to_deal & SUIT_CARDS[CARD_SUIT[card]]
    dealt = nth(pool, next_random(target, count(pool)) if is_random else 0)
    for seat in range(number_of_seats(source)):
        if has(source.seats[seat].knows, card):
            target.seats[seat].knows |= only(dealt)
    return dealt


@kernel
def redeal_set(source, target, cards, known, to_deal, is_random):
    """Redeal the unknown cards in a set; return the cards still to be dealt, and the new set."""
    unknown, dealt = cards & ~known, cards & known
    while unknown != NOTHING:
        old = next_to_redeal(source, unknown)
        card = redeal_card(source, target, old, to_deal, is_random)
        to_deal &= ~only(card)
        dealt |= only(card)
        unknown &= ~only(old)
    return to_deal, dealt


@kernel
def next_to_redeal(source, cards):
    """Return which card in a set to redeal next; cards are ordered by suit, then by which seats know them.

    Redealing in the order of card numbers would leak information: if another seat knows one of two cards of
    a suit, the deal would show whether that seat knows the lower or the higher card.
    """
    first, first_rank = lowest(cards), NOBODY_YET
    while cards != NOTHING:
        card = lowest(cards)
        rank = CARD_SUIT[card]
        for seat in range(number_of_seats(source)):
            rank = 2 * rank + (1 if has(source.seats[seat].knows, card) else 0)
        if rank < first_rank:
            first, first_rank = card, rank
        cards = without_lowest(cards)
    return first


@kernel
def redeal_seat(source, target, seat, known, to_deal, is_random):
    """Redeal the unknown cards of a seat (hand, packet, prep module); return the cards still to be dealt."""
    data = target.seats[seat]
    to_deal, data.hand = redeal_set(source, target, data.hand, known, to_deal, is_random)
    to_deal, data.packet = redeal_set(source, target, data.packet, known, to_deal, is_random)
    for slot in range(PREP_SLOTS):
        card = int(source.seats[seat].prep[slot])
        if card != NO_CARD and not has(known, card):
            data.prep[slot] = redeal_card(source, target, card, to_deal, is_random)
            to_deal &= ~only(data.prep[slot])
    return to_deal


@kernel
def redeal_pile(source, target, building, known, to_deal, is_random):
    """Redeal the unknown cards in a pile; return the cards still to be dealt."""
    for place in range(source.pile_size[building]):
        card = int(source.pile[building, place])
        if not has(known, card):
            target.pile[building, place] = redeal_card(source, target, card, to_deal, is_random)
            to_deal &= ~only(target.pile[building, place])
            target.face_down |= only(target.pile[building, place])
    return to_deal


@kernel
def redeal_deck(source, target, known, to_deal, is_random):
    """Redeal the deck's unknown cards; the top card and the cards put under the deck keep their suits."""
    top = int(source.deck_size) - 1
    first = min(int(source.under), max(top, 0))
    for place in range(first):
        to_deal = redeal_place(source, target, place, known, to_deal, is_random)
    if top >= 0:
        to_deal = redeal_place(source, target, top, known, to_deal, is_random)
    for place in range(first, top):
        target.deck[place] = lowest(to_deal)
        to_deal = without_lowest(to_deal)
    if is_random and top > first:
        shuffle(target, target.deck[first:], top - first)


@kernel
def redeal_place(source, target, place, known, to_deal, is_random):
    """Redeal a deck card whose suit is public, if it is unknown; return the cards still to be dealt."""
    card = int(source.deck[place])
    if not has(known, card):
        target.deck[place] = redeal_card(source, target, card, to_deal, is_random)
        to_deal &= ~only(target.deck[place])
    return to_deal


# --- hidden choices -------------------------------------------------------------------------------------


@kernel
def redraw_choices(target, viewer, is_random):
    """Redraw the hidden choices of the other seats and, during setup, the starting seat."""
    if target.decision == Decision.DRAFT or target.decision == Decision.PREP:
        target.starting_seat = next_random(target, int(target.players)) if is_random else 0
        for seat in range(target.players):
            if seat != viewer:
                redraw_pending(target, seat, is_random)
    elif target.picked != NO_CARD and target.to_play != viewer:
        to_play = int(target.to_play)
        is_of_hand = target.decision == Decision.SWAP_PREP
        cards = target.seats[to_play].hand if is_of_hand else prep_cards(target, to_play)
        target.picked = pick(target, cards, is_random)


@kernel
def redraw_pending(target, seat, is_random):
    """Redraw a seat's pending choices; remove those of the seat to play, as their number is hidden, too."""
    data = target.seats[seat]
    cards = data.packet if target.decision == Decision.DRAFT else data.hand
    if seat == target.to_play:
        data.pending[0], data.pending[1] = NO_CARD, NO_CARD
        if target.decision == Decision.PREP:
            target.served = seat * PREP_SLOTS + 1
    for place in range(PREP_SLOTS):
        if data.pending[place] != NO_CARD:
            data.pending[place] = pick(target, cards, is_random)
            cards &= ~only(data.pending[place])


@kernel
def pick(target, cards, is_random):
    """Return a random card from a set, or the lowest card if `is_random` is false."""
    return nth(cards, next_random(target, count(cards)) if is_random else 0)
