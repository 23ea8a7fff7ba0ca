"""Carries out the action chosen at a decision."""

from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.rules.actions import (
    CARD,
    LOSE,
    PASS,
    PLAY,
    SEND_BACK,
    SLOT,
    UTILITY,
    decode_play,
    decode_slot,
)
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES
from pocketmars_env.games.project_mars.rules.constants import Decision, Stage
from pocketmars_env.games.project_mars.rules.effects import (
    ask,
    clear_decision,
    clear_effect,
    do_target,
    end_discards,
    end_trap,
)
from pocketmars_env.games.project_mars.rules.field import destroy, put
from pocketmars_env.games.project_mars.rules.moving_cards import (
    draw,
    keep_from_back_hand,
    put_aside_into_deck,
    take_from_deck,
    take_from_hand,
)
from pocketmars_env.games.project_mars.rules.plays import play_card, play_utility
from pocketmars_env.games.project_mars.rules.setup import end_keeping, end_mulligan


@hot_kernel
def apply_action(state, action):
    """Carry out a legal action, without advancing to the next decision; see `turns.advance`."""
    seat, decision = int(state.to_play), int(state.decision)
    clear_decision(state)
    if decision == Decision.TURN:
        apply_turn(state, seat, action)
    elif action == PASS:
        apply_pass(state, decision)
    elif decision == Decision.TRAP:
        apply_trap(state, seat, action)
    elif decision == Decision.COME_BACK:
        put(state, seat, decode_slot(action - SLOT)[1], int(state.effect_card), seat)
        clear_effect(state)
    elif decision == Decision.TARGET:
        apply_target(state, seat, action - SLOT)
    else:
        apply_card(state, seat, decision, action - CARD)


@hot_kernel
def apply_turn(state, seat, action):
    """Carry out the action of a turn: play a card or pass."""
    if action < UTILITY:
        card, slot = decode_play(action - PLAY)
        play_card(state, seat, card, slot)
    elif action < PASS:
        play_utility(state, seat, NUM_FIELD_TYPES + action - UTILITY)
    else:
        state.seats[seat].passed = 1
        state.stage = Stage.END_TURN


@kernel
def apply_pass(state, decision):
    """Carry out PASS at MULLIGAN, KEEP or DISCARD: end the trades, the choice of cards, or the discards."""
    if decision == Decision.MULLIGAN:
        end_mulligan(state)
    elif decision == Decision.KEEP:
        end_keeping(state)
    else:
        end_discards(state)


@kernel
def apply_trap(state, seat, action):
    """Carry out the choice of the player who placed a card on a trap."""
    if action == SEND_BACK:
        ask(state, int(state.effect_seat), Decision.COME_BACK)
        return
    if action == LOSE:
        destroy(state, seat, int(state.effect_slot))
    else:
        state.seats[seat].revealed[action - CARD] += 1
    end_trap(state)


@kernel
def apply_target(state, seat, argument):
    """Apply the effect to the chosen card; for Sinkhole, ask for another target until none is left."""
    do_target(state, argument)
    if state.left > 0:
        state.left -= 1
    if state.left > 0:
        ask(state, seat, Decision.TARGET)


@kernel
def apply_card(state, seat, decision, card):
    """Carry out the choice of a card in the hand, the back hand (cards not kept so far) or the deck."""
    side = state.seats[seat]
    if decision == Decision.KEEP:
        keep_from_back_hand(side, card)
    elif decision == Decision.TAKE:
        take_from_deck(side, card)
        side.hand[card] += 1
        side.revealed[card] += 1
        put_aside_into_deck(state, seat)
    else:
        take_from_hand(side, card)
        if decision == Decision.DISCARD:
            side.junkyard[card] += 1
            state.left -= 1
        else:
            side.aside[card] += 1
            after_setting_aside(state, seat, decision)


@kernel
def after_setting_aside(state, seat, decision):
    """Draw a replacement for a traded card, or, for Research Station, ask for the UTILITY card to take."""
    if decision == Decision.MULLIGAN:
        draw(state.seats[seat])
        state.left -= 1
    else:
        ask(state, seat, Decision.TAKE)
