"""The second and third phases of a solo round: system failure and android activation.

The DA (Devious Automatics) is the opponent in the solo game.
"""

from pocketmars_env.core.compiled.card_sets import NOTHING, lowest
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
    Building,
    Decision,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.interpreter import ask
from pocketmars_env.games.pocket_mars.rules.moving_cards import (
    discard_from_deck,
    number_in_prep,
    prep_cards,
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
    """If the DA's prep module has exactly one card, apply the DA's ability for the card's suit."""
    state.stage = Stage.REFILL
    if number_in_prep(state, DA_SEAT) != 1:
        return
    suit = int(CARD_SUIT[lowest(prep_cards(state, DA_SEAT))])
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
def settle_or_launch(state, building):
    """Settle a DA colonist or, if the DA's Ship is empty, launch one (if any is on Earth)."""
    if state.seats[DA_SEAT].ship > 0:
        settle(state.seats[DA_SEAT], building)
    else:
        launch(state.seats[DA_SEAT], 1)


@kernel
def overwhelming_power(state):
    """Apply the Energy Bank ability: gain energy or, at the maximum, discard from the deck instead."""
    if state.seats[DA_SEAT].energy == MAX_ENERGY:
        discard_from_deck(state, SPARK_CARDS)
    else:
        gain(state.seats[DA_SEAT], DA_ENERGY_GAIN)


@kernel
def da_calculates(state):
    """Apply the Habitation ability: launch a colonist, or settle one as an agent or the automaton chooses."""
    if state.seats[DA_SEAT].ship == 0:
        launch(state.seats[DA_SEAT], 1)
    elif state.da_agent:
        ask(state, DA_SEAT, Decision.DA_SETTLE)
    else:
        automaton_settles(state)


@kernel
def da_upgrades(state):
    """Continue the Greenhouse ability: an agent chooses each step, or the automaton carries out all steps."""
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
