"""A random full state that a seat cannot tell from the true one.

Every card whose place the seat does not know is dealt anew among the places that may hold it: a
place whose card's back can be seen gets a card of the same suit, the rest of the deck what is left.
All such deals are equally likely. Others' knowledge stays with the places, and the game gets a new
random stream, so that not even its future can be foreseen.
"""

from pocketmars_env.engine.card_sets import NOTHING, count, has, lowest, nth, only, without_lowest
from pocketmars_env.engine.cards import CARD_SUIT, NUM_CARDS, SUIT_CARDS
from pocketmars_env.engine.chance import next_random, shuffle
from pocketmars_env.engine.compiling import kernel
from pocketmars_env.engine.constants import NO_CARD, NO_DECISION, NUM_SUITS, PREP_SLOTS
from pocketmars_env.engine.legality import list_answers
from pocketmars_env.engine.state import number_of_seats
from pocketmars_env.engine.table import clear_stacked

ALL_CARDS = (1 << NUM_CARDS) - 1
NOBODY_YET = 1_000_000
"""More than any rank in `next_to_redeal`."""


@kernel
def determinize(source, target, viewer, seed, is_random):
    """Deal the cards that the seat `viewer` does not know anew.

    `target` is a copy of `source`. `seed` (uint64) decides the deal, and begins the new game's
    stream. With `is_random` false the unknown cards are dealt in ascending order: that state
    depends on nothing but the view and the seed.
    """
    known = source.seats[viewer].knows
    begin_redeal(source, target, known, seed)
    to_deal = ALL_CARDS & ~known
    for seat in range(number_of_seats(source)):
        to_deal = redeal_seat(source, target, seat, known, to_deal, is_random)
    to_deal, target.drawn = redeal_set(source, target, source.drawn, known, to_deal, is_random)
    for building in range(NUM_SUITS):
        to_deal = redeal_pile(source, target, building, known, to_deal, is_random)
    redeal_deck(source, target, to_deal, is_random)
    if target.decision != NO_DECISION:
        list_answers(target)


@kernel
def begin_redeal(source, target, known, seed):
    """A new random stream; of the others' knowledge, at first only what the viewer knows too."""
    target.seed, target.draws = seed, 0
    clear_stacked(target)
    target.face_down &= known
    for seat in range(number_of_seats(source)):
        target.seats[seat].knows &= known


@kernel
def redeal_card(source, target, card, to_deal, is_random):
    """A card of the same suit for the place of `card`; whoever knew that place knows it still."""
    pool = to_deal & SUIT_CARDS[CARD_SUIT[card]]
    dealt = nth(pool, next_random(target, count(pool)) if is_random else 0)
    for seat in range(number_of_seats(source)):
        if has(source.seats[seat].knows, card):
            target.seats[seat].knows |= only(dealt)
    if source.picked == card:
        target.picked = dealt
    return dealt


@kernel
def redeal_set(source, target, cards, known, to_deal, is_random):
    """Redeal what is unknown of a set. Returns the cards still to be dealt, and the new set."""
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
    """The card of the set whose turn it is: by suit, then by who knows its place, then any.

    Going by the cards' own numbers would show, where another seat knows one of two cards of a
    suit, which of the two is the lower.
    """
    first, first_rank = lowest(cards), NOBODY_YET
    while cards != NOTHING:
        card = lowest(cards)
        rank = CARD_SUIT[card]
        for seat in range(number_of_seats(source)):
            rank = 2 * rank + (1 if has(source.seats[seat].knows, card) else 0)
        rank = 2 * rank + (1 if source.picked == card else 0)
        if rank < first_rank:
            first, first_rank = card, rank
        cards = without_lowest(cards)
    return first


@kernel
def redeal_seat(source, target, seat, known, to_deal, is_random):
    """Redeal a seat's hand, packet and prep module. Returns the cards still to be dealt."""
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
    """Redeal the face-down cards of a pile. Returns the cards still to be dealt."""
    for place in range(source.pile_size[building]):
        card = int(source.pile[building, place])
        if not has(known, card):
            target.pile[building, place] = redeal_card(source, target, card, to_deal, is_random)
            to_deal &= ~only(target.pile[building, place])
            target.face_down |= only(target.pile[building, place])
    return to_deal


@kernel
def redeal_deck(source, target, to_deal, is_random):
    """The top card keeps its suit, which its back shows; the others come in any order."""
    top = int(source.deck_size) - 1
    if top < 0:
        return
    target.deck[top] = redeal_card(source, target, int(source.deck[top]), to_deal, is_random)
    to_deal &= ~only(target.deck[top])
    for place in range(top):
        target.deck[place] = lowest(to_deal)
        to_deal = without_lowest(to_deal)
    if is_random:
        shuffle(target, target.deck, top)
