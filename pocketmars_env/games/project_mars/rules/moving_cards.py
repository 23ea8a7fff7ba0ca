"""Counts and moves cards in hands and decks, shuffles decks, and reveals cards at random."""

from pocketmars_env.core.compiled import chance
from pocketmars_env.core.compiled.card_sets import NOTHING, only
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES, NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import EVENTS_WRAP, NO_CARD


@hot_kernel
def types_in(counts):
    """Return the set of card types in a zone; `counts` contains the number of cards of each type."""
    found = NOTHING
    for card in range(NUM_TYPES):
        if counts[card] > 0:
            found |= only(card)
    return found


@hot_kernel
def number_in(counts):
    """Return the number of cards in a zone; `counts` contains the number of cards of each type."""
    number = 0
    for card in range(NUM_TYPES):
        number += counts[card]
    return number


@hot_kernel
def hidden_types(counts, revealed):
    """Return the set of card types of which a zone contains a hidden copy."""
    found = NOTHING
    for card in range(NUM_TYPES):
        if counts[card] > revealed[card]:
            found |= only(card)
    return found


@hot_kernel
def take_from_hand(seat, card):
    """Remove a card of the given type from the hand, preferring a revealed copy."""
    seat.hand[card] -= 1
    if seat.revealed[card] > 0:
        seat.revealed[card] -= 1


@kernel
def keep_from_back_hand(seat, card):
    """Move a card of the given type from the back hand to the hand, preferring a hidden copy."""
    if seat.back_hand[card] == seat.back_revealed[card]:
        seat.back_revealed[card] -= 1
        seat.revealed[card] += 1
    seat.back_hand[card] -= 1
    seat.hand[card] += 1


@kernel
def draw(seat):
    """Draw the top card of the deck into the hand; do nothing if the deck is empty."""
    if seat.deck_size > 0:
        seat.hand[take_top(seat)] += 1


@kernel
def take_top(seat):
    """Remove and return the top card of the deck."""
    seat.deck_size -= 1
    card = int(seat.deck[seat.deck_size])
    seat.deck[seat.deck_size] = NO_CARD
    seat.in_deck[card] -= 1
    return card


@kernel
def put_on_deck(seat, card):
    """Put a card on top of the deck."""
    seat.deck[seat.deck_size] = card
    seat.deck_size += 1
    seat.in_deck[card] += 1


@kernel
def utilities_in_deck(seat):
    """Return the set of UTILITY types in the deck."""
    return types_in(seat.in_deck) >> NUM_FIELD_TYPES << NUM_FIELD_TYPES


@kernel
def take_from_deck(seat, card):
    """Remove the lowest copy of `card` from the deck; the other cards keep their order."""
    place = 0
    while seat.deck[place] != card:
        place += 1
    for k in range(place, seat.deck_size - 1):
        seat.deck[k] = seat.deck[k + 1]
    seat.deck[seat.deck_size - 1] = card
    take_top(seat)


@kernel
def put_aside_into_deck(state, seat):
    """Put the cards that were set aside into the deck, and shuffle it."""
    side = state.seats[seat]
    for card in range(NUM_TYPES):
        for _ in range(side.aside[card]):
            put_on_deck(side, card)
        side.aside[card] = 0
    shuffle_deck(state, seat)


@kernel
def shuffle_deck(state, seat):
    """Shuffle a seat's deck, or use the order in `state.stacked`, top first, if it has these cards."""
    side = state.seats[seat]
    if is_stacked_for_deck(state, side):
        for place in range(side.deck_size):
            side.deck[place] = state.stacked[side.deck_size - 1 - place]
        state.stacked_size = 0
    else:
        chance.shuffle(state, side.deck, int(side.deck_size))
    state.shuffles = (state.shuffles + 1) % EVENTS_WRAP


@kernel
def is_stacked_for_deck(state, side):
    """Return whether `state.stacked` contains exactly the cards of the deck."""
    if state.stacked_size == 0 or state.stacked_size != side.deck_size:
        return False
    for card in range(NUM_TYPES):
        number = 0
        for place in range(side.deck_size):
            number += int(side.deck[place] == card) - int(state.stacked[place] == card)
        if number != 0:
            return False
    return True


@kernel
def reveal_at_random(state, seat, number):
    """Reveal up to `number` random hidden cards in a seat's hand; none if Toxic Gas was used this round."""
    side = state.seats[seat]
    for _ in range(number):
        hidden = number_in(side.hand) - number_in(side.revealed)
        if hidden == 0 or state.gas:
            return
        side.revealed[hidden_card(state, side, hidden)] += 1
        state.reveals = (state.reveals + 1) % EVENTS_WRAP


@kernel
def hidden_card(state, side, hidden):
    """Return the type of the next of `hidden` cards to reveal, which `Game.stack_chance` can set."""
    if state.stacked_reveals_size > 0:
        card = int(state.stacked_reveals[0])
        if side.hand[card] > side.revealed[card]:
            state.stacked_reveals_size -= 1
            for k in range(len(state.stacked_reveals) - 1):
                state.stacked_reveals[k] = state.stacked_reveals[k + 1]
            state.stacked_reveals[len(state.stacked_reveals) - 1] = NO_CARD
            return card
    number = chance.next_random(state, hidden)
    card = 0
    while number >= side.hand[card] - side.revealed[card]:
        number -= side.hand[card] - side.revealed[card]
        card += 1
    return card
