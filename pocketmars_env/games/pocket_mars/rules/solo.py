"""The second and third phases of a solo round: system failure and android activation.

The DA (Devious Automatics) is the opponent in the solo game.
"""

from pocketmars_env.core.compiled.card_sets import NOTHING
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.automaton import (
    automaton_settles,
    automaton_upgrades,
    choices_da_upgrade,
)
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT
from pocketmars_env.games.pocket_mars.rules.colonists import gain, launch, settle
from pocketmars_env.games.pocket_mars.rules.constants import (
    DA_SEAT,
    MAX_ENERGY,
    NO_CARD,
    PREP_SLOTS,
    Building,
    Decision,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.interpreter import ask
from pocketmars_env.games.pocket_mars.rules.moving_cards import (
    discard_from_deck,
    number_in_prep,
    refill_da_module,
)

SYSTEM_FAILURE_CARDS = 2
SPARK_CARDS = 2
DA_ENERGY_GAIN = 2
DA_UPGRADES = 2


@kernel
def system_failure(state):
    """Discard up to two cards from the top of the deck."""
    discard_from_deck(state, SYSTEM_FAILURE_CARDS)
    state.stage = Stage.ANDROIDS


@kernel
def android_activation(state):
    """If the DA's prep module has exactly one card, apply the DA's ability for the card's suit.

    Before any ability except Habitation's, the DA settles a colonist in the suit's Building or, if the
    DA's Ship is empty, launches one (if any is on Earth).
    """
    state.stage = Stage.REFILL
    if number_in_prep(state, DA_SEAT) != 1:
        return
    suit = suit_in_da_module(state)
    if suit != Building.HABITATION:
        settle_or_launch(state, suit)
    if suit == Building.GREENHOUSE:
        state.left = DA_UPGRADES
        state.stage = Stage.DA_UPGRADES
    elif suit == Building.AQUALAB:
        discard_from_deck(state, SPARK_CARDS)
    elif suit == Building.ENERGY_BANK:
        overwhelming_power(state)
    elif suit == Building.COMMS_CENTER:
        launch(state.seats[DA_SEAT], 1)
    else:
        da_calculates(state)


@kernel
def suit_in_da_module(state):
    """Return the suit of the only card in the DA's prep module; the card's back shows the suit."""
    for slot in range(PREP_SLOTS):
        if state.seats[DA_SEAT].prep[slot] != NO_CARD:
            return int(CARD_SUIT[state.seats[DA_SEAT].prep[slot]])
    return -1


@kernel
def settle_or_launch(state, building):
    """Settle a DA colonist or, if the DA's Ship is empty, launch one (if any is on Earth)."""
    if state.seats[DA_SEAT].ship > 0:
        settle(state.seats[DA_SEAT], building)
    else:
        launch(state.seats[DA_SEAT], 1)


@kernel
def overwhelming_power(state):
    """Apply the DA's Energy Bank ability: gain two energy; any energy above the maximum is lost.

    If the DA's energy is already at the maximum, discard up to two cards from the top of the deck instead.
    """
    if state.seats[DA_SEAT].energy == MAX_ENERGY:
        discard_from_deck(state, SPARK_CARDS)
    else:
        gain(state.seats[DA_SEAT], DA_ENERGY_GAIN)


@kernel
def da_calculates(state):
    """Apply the DA's Habitation ability: settle a colonist or, if the DA's Ship is empty, launch one.

    If no DA colonist is on the Ship or on Earth, nothing happens. If `state.da_agent` is set, an agent
    chooses the Building; otherwise, the automaton policy (ruling R-DA) chooses it.
    """
    if state.seats[DA_SEAT].ship == 0:
        launch(state.seats[DA_SEAT], 1)
    elif state.da_agent:
        ask(state, DA_SEAT, Decision.DA_SETTLE)
    else:
        automaton_settles(state)


@kernel
def da_upgrades(state):
    """Continue the DA's Greenhouse ability, which has up to two steps.

    Each step upgrades a DA colonist or, if that is impossible, downgrades one of the player's colonists. If
    `state.da_agent` is set, an agent chooses each step; otherwise, the automaton policy (ruling R-DA) carries
    out the best sequence of steps at once.
    """
    if state.left == 0 or choices_da_upgrade(state) == NOTHING:
        state.left = 0
        state.stage = Stage.REFILL
    elif state.da_agent:
        state.left -= 1
        ask(state, DA_SEAT, Decision.DA_UPGRADE)
    else:
        state.left = 0
        automaton_upgrades(state)


@kernel
def refill(state):
    """Refill the DA's prep module to two cards, as far as the deck allows, and go to the end of the round."""
    refill_da_module(state)
    state.stage = Stage.END_ROUND
