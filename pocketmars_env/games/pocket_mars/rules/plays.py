"""A turn's main action, and the options that follow if a card is played from a prep module."""

from pocketmars_env.core.compiled.card_sets import has
from pocketmars_env.core.compiled.compiling import hot_kernel
from pocketmars_env.games.pocket_mars.rules import effects_cards as cards
from pocketmars_env.games.pocket_mars.rules import effects_colonists as colonists
from pocketmars_env.games.pocket_mars.rules.actions import DISCARD_FOR_ENERGY, LAUNCH, PLAY_OTHER, PLAY_PREP
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, FIRST_ABILITY, FIRST_BOTTOM, FIRST_TOP
from pocketmars_env.games.pocket_mars.rules.colonists import gain, launch
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, Building, Decision, Stage
from pocketmars_env.games.pocket_mars.rules.interpreter import ask, can_program, start_program
from pocketmars_env.games.pocket_mars.rules.knowledge import reveal
from pocketmars_env.games.pocket_mars.rules.moving_cards import (
    discard,
    put_on_pile,
    slot_of,
    take_from_hand,
    take_from_prep,
    value_in_pile,
)

ENERGY_FOR_DISCARD = (1, 2)
"""Energy gained by discarding a card: with 2 to 4 players (index 0) and in the solo game (index 1)."""

# --- the five actions -----------------------------------------------------------------------------


@hot_kernel
def take_action(state, seat, action):
    """Carry out the main action of a turn (rulebook, "In your turn")."""
    state.stage = Stage.END_ACTION
    if action < PLAY_PREP:
        play_from_hand(state, seat, action)
    elif action < PLAY_OTHER:
        card = action - PLAY_PREP
        play_from_prep(state, seat, slot_of(state, seat, card))
    elif action < LAUNCH:
        slot = action - PLAY_OTHER
        play_from_prep(state, cards.owner_in(state, seat, slot), cards.slot_in(slot))
    elif action == LAUNCH:
        launch_one(state, seat)
    else:
        discard_for_energy(state, seat, action - DISCARD_FOR_ENERGY)


@hot_kernel
def play_from_hand(state, seat, card):
    """Start the top action of a card from hand; while the card resolves, it is in no zone (R-PLAYED)."""
    take_from_hand(state, seat, card)
    reveal(state, card)
    state.in_play[state.in_play_size] = card
    state.in_play_size += 1
    start_program(state, FIRST_TOP + card, seat)


@hot_kernel
def play_from_prep(state, owner, slot):
    """Play a card from the owner's prep module onto the pile of the card's Building."""
    card = take_from_prep(state, owner, slot)
    put_on_pile(state, card)
    state.played = card
    state.owner = owner
    state.stage = Stage.SETTLE


@hot_kernel
def launch_one(state, seat):
    """Launch one colonist; in the solo game, also ask which card of Devious Automatics (DA) to discard."""
    launch(state.seats[seat], 1)
    if state.solo:
        ask(state, seat, Decision.DISCARD_DA)


@hot_kernel
def discard_for_energy(state, seat, card):
    """Discard a card from the hand or the prep module, and gain energy."""
    if has(state.seats[seat].hand, card):
        take_from_hand(state, seat, card)
    else:
        take_from_prep(state, seat, slot_of(state, seat, card))
    discard(state, card)
    gain(state.seats[seat], ENERGY_FOR_DISCARD[1 if state.solo else 0])


# --- after a card was played from a prep module ---------------------------------------------------


@hot_kernel
def offer_settling(state):
    """Offer SETTLE to the active seat, but with 2 to 4 players not for a card from another seat's module."""
    state.stage = Stage.BOTTOM
    seat = int(state.active_seat)
    is_own = state.owner == seat or state.solo
    if is_own and beats_pile(state) and colonists.can_settle(state, seat):
        ask(state, seat, Decision.SETTLE)


@hot_kernel
def beats_pile(state):
    """Return whether the played card has a higher value than the card below it; False for Habitation."""
    building = CARD_SUIT[state.played]
    if building == Building.HABITATION:
        return False
    top = int(state.pile_size[building]) - 1
    return value_in_pile(state, building, top) > value_in_pile(state, building, top - 1)


@hot_kernel
def offer_bottom(state):
    """Offer the bottom action to the card's owner, unless it is the DA or the action would change nothing."""
    state.stage = Stage.ABILITY
    owner = int(state.owner)
    is_da = state.solo and owner == DA_SEAT
    if not is_da and can_program(state, FIRST_BOTTOM + int(state.played), 0, owner):
        ask(state, owner, Decision.BOTTOM)


@hot_kernel
def offer_ability(state):
    """Offer the Building's ability to the active seat if the ability would change something."""
    state.stage = Stage.END_ACTION
    seat = int(state.active_seat)
    if can_program(state, FIRST_ABILITY + CARD_SUIT[state.played], 0, seat):
        ask(state, seat, Decision.ABILITY)
