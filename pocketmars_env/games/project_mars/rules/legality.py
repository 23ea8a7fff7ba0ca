"""Lists the legal actions of the current decision as a bit set in the state.

`core/compiled/legal_actions.py` describes the bit set.
"""

from pocketmars_env.core.compiled.card_sets import only
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.core.compiled.legal_actions import allow, clear_legal_actions
from pocketmars_env.games.project_mars.rules.actions import (
    CARD,
    LOSE,
    MAY_PASS,
    PASS,
    PLAY,
    SEND_BACK,
    SLOT,
    UTILITY,
    encode_play,
)
from pocketmars_env.games.project_mars.rules.cards import KIND, NUM_FIELD_TYPES
from pocketmars_env.games.project_mars.rules.constants import Decision, Kind
from pocketmars_env.games.project_mars.rules.effects import (
    can_come_back,
    can_lose,
    can_reveal,
    effect_targets,
)
from pocketmars_env.games.project_mars.rules.field import empty_slots, open_slots
from pocketmars_env.games.project_mars.rules.moving_cards import hidden_types, types_in, utilities_in_deck


@hot_kernel
def list_legal_actions(state):
    """Write the legal actions of the current decision into `state.legal_actions`."""
    seat, decision = int(state.to_play), int(state.decision)
    side = state.seats[seat]
    clear_legal_actions(state)
    if decision == Decision.TURN:
        allow_turn_actions(state, seat)
    elif decision == Decision.KEEP:
        allow(state, CARD, types_in(side.back_hand))
    elif decision == Decision.TRAP:
        allow_trap_actions(state, seat)
    elif decision == Decision.COME_BACK:
        allow(state, SLOT, empty_slots(state, seat))
    elif decision == Decision.TARGET:
        allow(state, SLOT, effect_targets(state))
    elif decision == Decision.TAKE:
        allow(state, CARD, utilities_in_deck(side))
    else:
        allow(state, CARD, types_in(side.hand))
    if MAY_PASS[decision]:
        allow(state, PASS, only(0))


@hot_kernel
def allow_turn_actions(state, seat):
    """Allow placing cards from hand and, if the seat has used no UTILITY card this round, using one."""
    side = state.seats[seat]
    for_traps, for_cards = empty_slots(state, 1 - seat), open_slots(state, seat)
    for card in range(NUM_FIELD_TYPES):
        if side.hand[card] > 0:
            allow(state, PLAY + encode_play(card, 0), for_traps if KIND[card] == Kind.TRAP else for_cards)
    if side.utility_used == 0:
        allow(state, UTILITY, types_in(side.hand) >> NUM_FIELD_TYPES)


@kernel
def allow_trap_actions(state, seat):
    """Allow the possible choices of the player who placed a card on a trap."""
    trap, owner, slot = int(state.effect_card), int(state.effect_seat), int(state.effect_slot)
    side = state.seats[seat]
    if can_reveal(state, trap, seat):
        allow(state, CARD, hidden_types(side.hand, side.revealed))
    if can_lose(state, trap, seat, slot):
        allow(state, LOSE, only(0))
    if can_come_back(state, owner):
        allow(state, SEND_BACK, only(0))
