"""Determinization: resamples the enemy's hidden cards, the order of both decks, and future random events."""

import numpy as np

from pocketmars_env.core.compiled import chance
from pocketmars_env.core.compiled.apart import compiled_apart
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES, NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import NO_SEAT, Decision
from pocketmars_env.games.project_mars.rules.legality import list_legal_actions
from pocketmars_env.games.project_mars.rules.moving_cards import (
    number_in,
    put_on_deck,
    take_top,
    utilities_in_deck,
)
from pocketmars_env.games.project_mars.rules.setup import clear_given_chance
from pocketmars_env.games.project_mars.rules.state import STATE


@compiled_apart(STATE, STATE, np.int64, np.uint64, np.int64)
def determinize(state, target, seat, seed, is_random):
    """Turn `target`, a copy of `state`, into a state from the information set of `seat`.

    If `is_random` is false, hidden cards are sorted instead of shuffled, except if the enemy's deck must
    contain a UTILITY card and otherwise would not.
    """
    target.seed, target.draws, target.given_first = seed, 0, NO_SEAT
    target.shuffles, target.reveals = 0, 0
    clear_given_chance(target)
    sort_deck(target.seats[seat])
    if is_random:
        chance.shuffle(target, target.seats[seat].deck, int(target.seats[seat].deck_size))
    deal_pool(target, 1 - seat, is_random)
    if target.to_play == 1 - seat:
        list_legal_actions(target)


@kernel
def sort_deck(side):
    """Sort a seat's deck in ascending order, from bottom to top."""
    place = 0
    for card in range(NUM_TYPES):
        for _ in range(side.in_deck[card]):
            side.deck[place] = card
            place += 1


@kernel
def deal_pool(target, seat, is_random):
    """Redeal a seat's hidden cards; its hand, back hand, deck and set-aside cards keep their sizes."""
    side = target.seats[seat]
    hand = number_in(side.hand) - number_in(side.revealed)
    back_hand = number_in(side.back_hand) - number_in(side.back_revealed)
    aside, deck = number_in(side.aside), int(side.deck_size)
    collect_pool(side)
    sort_deck(side)
    if is_random:
        chance.shuffle(target, side.deck, int(side.deck_size))
    # If a seat is about to take a UTILITY card, both seats know that its deck contains one.
    is_taking = target.to_play == seat and (
        target.decision == Decision.GIVE or target.decision == Decision.TAKE
    )
    while is_taking and not has_utility_below(side, deck):
        chance.shuffle(target, side.deck, int(side.deck_size))
    for _ in range(hand):
        side.hand[take_top(side)] += 1
    for _ in range(back_hand):
        side.back_hand[take_top(side)] += 1
    for _ in range(aside):
        side.aside[take_top(side)] += 1


@kernel
def collect_pool(side):
    """Put all hidden cards of a seat into its deck; revealed cards stay where they are."""
    for card in range(NUM_TYPES):
        hidden = side.hand[card] - side.revealed[card] + side.back_hand[card] - side.back_revealed[card]
        for _ in range(hidden + side.aside[card]):
            put_on_deck(side, card)
        side.hand[card], side.back_hand[card] = side.revealed[card], side.back_revealed[card]
        side.aside[card] = 0


@kernel
def has_utility_below(side, size):
    """Return whether the bottom `size` cards include a UTILITY card, or the whole deck includes none."""
    for place in range(size):
        if side.deck[place] >= NUM_FIELD_TYPES:
            return True
    return utilities_in_deck(side) == 0
