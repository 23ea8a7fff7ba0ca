"""What a seat observes of the enemy's actions, and a hash of the seat's private cards."""

import numpy as np

from pocketmars_env.core.compiled.chance import mixed_word
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.project_mars.rules.actions import CARD, NUM_ACTIONS, PASS, SLOT
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import Decision

BITS = 4
"""Number of bits that `with_counts` uses for each card type; 4 are enough, because at most 10 cards are in a
hand, in a back hand (the last round's hand without the cards kept so far) or set aside."""
TYPES_IN_WORD = 64 // BITS


@kernel
def seen_action(state, action, seat):
    """Return what `seat` sees of the next action: NUM_ACTIONS if its card is hidden."""
    actor, decision = int(state.to_play), int(state.decision)
    if actor == seat or action <= PASS or action >= SLOT:
        return action
    card, side = action - CARD, state.seats[actor]
    is_hidden = False
    if decision == Decision.KEEP:
        is_hidden = side.back_hand[card] > side.back_revealed[card]
    elif decision == Decision.MULLIGAN or decision == Decision.GIVE:
        is_hidden = side.revealed[card] == 0
    return NUM_ACTIONS if is_hidden else action


@kernel
def with_private_knowledge(key, state, seat):
    """Return a hash of `key` and the seat's hand, back hand and cards set aside."""
    side = state.seats[seat]
    key = with_counts(key, side.hand)
    key = with_counts(key, side.back_hand)
    return with_counts(key, side.aside)


@kernel
def with_counts(key, counts):
    """Return a hash of `key` and `counts`, the number of cards of each type."""
    word = np.uint64(0)
    for card in range(NUM_TYPES):
        word = (word << np.uint64(BITS)) | np.uint64(counts[card])
        if card % TYPES_IN_WORD == TYPES_IN_WORD - 1:
            key = mixed_word(key, word)
            word = np.uint64(0)
    return mixed_word(key, word)
