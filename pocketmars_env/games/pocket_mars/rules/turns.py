"""The game flow: new games, steps, the order of decisions, the 4-card rule, and the end of the game.

`state.stage` determines what happens next when nothing is pending (see `is_nothing_pending`). Every stage
except TURN has a kernel that carries out the stage, in several calls if necessary, and then sets the next
stage. At TURN, the chosen action sets the next stage.
"""

from pocketmars_env.core.compiled.apart import compiled_apart
from pocketmars_env.core.compiled.card_sets import count
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel, shorthand
from pocketmars_env.core.compiled.legal_actions import (
    clear_legal_actions,
    count_legal_actions,
    nth_legal_action,
)
from pocketmars_env.games.pocket_mars.rules import effects_cards as cards
from pocketmars_env.games.pocket_mars.rules.apply_action import apply_action
from pocketmars_env.games.pocket_mars.rules.constants import (
    DA_SEAT,
    HAND_LIMIT,
    NO_CARD,
    NO_DECISION,
    NO_PROGRAM,
    NO_SEAT,
    PREP_SLOTS,
    Decision,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.interpreter import ask, run_program
from pocketmars_env.games.pocket_mars.rules.legality import list_legal_actions
from pocketmars_env.games.pocket_mars.rules.moving_cards import (
    discard,
    number_in_prep,
    take_from_deck,
    take_from_prep,
)
from pocketmars_env.games.pocket_mars.rules.plays import offer_ability, offer_bottom, offer_settling
from pocketmars_env.games.pocket_mars.rules.scoring import anybody_settled_all
from pocketmars_env.games.pocket_mars.rules.setup import continue_draft, continue_prep, deal, set_up
from pocketmars_env.games.pocket_mars.rules.solo import (
    android_activation,
    da_upgrades,
    refill,
    system_failure,
)
from pocketmars_env.games.pocket_mars.rules.state import STATE, next_seat, number_of_seats

# --- the interface of the engine ------------------------------------------------------------------


@shorthand
def new_game(state, seed):
    """Start a game with the state's settings; `seed` (uint64) determines all random events."""
    deal(state, seed)
    set_up(state)
    advance(state)


@shorthand
def step(state, action):
    """Carry out a legal action, and advance to the next decision or the end of the game."""
    apply_action(state, action)
    advance(state)


@compiled_apart(STATE)
def advance(state):
    """Advance to the next decision that a seat must make, or to the end of the game.

    Except at TURN, an only legal action is carried out automatically (see R-FORCED in `README.md`).
    """
    while not state.over:
        if state.decision == NO_DECISION:
            proceed(state)
        if state.decision != NO_DECISION:
            list_legal_actions(state)
            if state.decision == Decision.TURN or count_legal_actions(state) != 1:
                return
            apply_action(state, nth_legal_action(state, 0))
    clear_legal_actions(state)


@hot_kernel
def proceed(state):
    """Carry out pending draws, the running program and the next stages, but stop at a decision."""
    proceed_to_phase(state)
    if state.stage > Stage.END_TURN and is_nothing_pending(state):
        proceed_after_turn(state)


@hot_kernel
def proceed_to_phase(state):
    """Like `proceed`, but also stop before each stage after the turn, such as system failure."""
    if state.to_draw > 0:
        draw_cards(state)
    while state.program != NO_PROGRAM and state.decision == NO_DECISION and state.to_draw == 0:
        run_program(state)
    if state.stage > Stage.TURN and is_nothing_pending(state):
        proceed_in_turn(state)
    if state.stage <= Stage.TURN and is_nothing_pending(state):
        proceed_to_turn(state)


@hot_kernel
def is_nothing_pending(state):
    """Return whether no decision is open, no program is running and no cards remain to be drawn."""
    return state.decision == NO_DECISION and state.program == NO_PROGRAM and state.to_draw == 0


@hot_kernel
def proceed_to_turn(state):
    """Continue the setup, or ask for the turn's main action."""
    if state.stage == Stage.TURN:
        ask(state, int(state.active_seat), Decision.TURN)
    elif state.stage == Stage.PREP:
        continue_prep(state)
    else:
        continue_draft(state)


@hot_kernel
def proceed_in_turn(state):
    """Run the stages after the main action of a turn, in order, until something is pending."""
    if state.stage == Stage.SETTLE:
        offer_settling(state)
    if state.stage == Stage.BOTTOM and is_nothing_pending(state):
        offer_bottom(state)
    if state.stage == Stage.ABILITY and is_nothing_pending(state):
        offer_ability(state)
    if state.stage == Stage.END_ACTION and is_nothing_pending(state):
        end_action(state)
    while state.stage == Stage.FOUR_CARDS and is_nothing_pending(state):
        four_card_rule(state)
    if state.stage == Stage.END_TURN:
        end_turn(state)


@hot_kernel
def proceed_after_turn(state):
    """Run the next stage after the turn: a stage of the solo round, or the end of the round."""
    if state.stage == Stage.SYSTEM_FAILURE:
        system_failure(state)
    elif state.stage == Stage.ANDROIDS:
        android_activation(state)
    elif state.stage == Stage.DA_UPGRADES:
        da_upgrades(state)
    elif state.stage == Stage.REFILL:
        refill(state)
    else:
        end_round(state)


# --- drawing --------------------------------------------------------------------------------------


@kernel
def draw_cards(state):
    """Draw cards until all pending draws are done or the actor must choose a card."""
    while state.to_draw > 0 and state.decision == NO_DECISION:
        draw_next(state)


@hot_kernel
def draw_next(state):
    """Draw one card for the actor: in the solo game from the DA's prep module, unless it is empty.

    If the module has more cards than the actor still has to draw, ask which one.
    """
    seat = int(state.actor)
    in_module = number_in_prep(state, DA_SEAT) if state.solo else 0
    if in_module > state.to_draw:
        ask(state, seat, Decision.DRAW)
    elif in_module > 0:
        slot = 0 if state.seats[DA_SEAT].prep[0] != NO_CARD else 1
        cards.receive_drawn(state, seat, take_from_prep(state, DA_SEAT, slot))
    elif state.deck_size > 0:
        cards.receive_drawn(state, seat, take_from_deck(state))
    else:
        state.to_draw, state.draw_aside = 0, 0


# --- the end of an action, a turn, a round --------------------------------------------------------


@hot_kernel
def end_action(state):
    """Discard the cards played from hand, the most recent first, and go to the 4-card rule."""
    while state.in_play_size > 0:
        state.in_play_size -= 1
        discard(state, int(state.in_play[state.in_play_size]))
        state.in_play[state.in_play_size] = NO_CARD
    state.played = NO_CARD
    state.owner = NO_SEAT
    state.served = 0
    state.actor = state.active_seat
    state.stage = Stage.FOUR_CARDS


@hot_kernel
def four_card_rule(state):
    """Continue the 4-card rule for the actor.

    The actor first discards or draws until it has four cards, and then fills its prep module.
    """
    seat = int(state.actor)
    in_hand, in_prep = count(state.seats[seat].hand), number_in_prep(state, seat)
    limit = HAND_LIMIT - int(state.fewer_cards)
    if state.solo and seat == DA_SEAT:
        serve_next_seat(state)
    elif in_hand + in_prep > limit:
        ask(state, seat, Decision.DISCARD)
    elif in_hand + in_prep < limit and cards.can_draw(state):
        state.to_draw = limit - in_hand - in_prep
        state.draw_aside = 0
        draw_cards(state)
    elif in_prep < PREP_SLOTS and in_hand > 0:
        ask(state, seat, Decision.FILL)
    else:
        serve_next_seat(state)


@hot_kernel
def serve_next_seat(state):
    """Make the next seat clockwise the actor of the 4-card rule; after the last seat, end the turn."""
    state.served += 1
    state.actor = next_seat(state, int(state.actor))
    if state.served == number_of_seats(state):
        state.served = 0
        state.actor = NO_SEAT
        state.stage = Stage.END_TURN


@hot_kernel
def end_turn(state):
    """Go to the next turn or the end of the round; in the solo game, go to the system failure phase."""
    if state.solo:
        state.stage = Stage.SYSTEM_FAILURE
        return
    following = next_seat(state, int(state.active_seat))
    if following == state.starting_seat:
        state.stage = Stage.END_ROUND
    else:
        state.active_seat = following
        state.stage = Stage.TURN


@hot_kernel
def end_round(state):
    """End the game if an end condition holds or the round limit is reached; else start the next round."""
    state.stage = Stage.TURN
    if anybody_settled_all(state) or (state.solo and number_in_prep(state, DA_SEAT) < PREP_SLOTS):
        state.over = 1
    elif state.round_number == state.round_limit:
        state.over, state.truncated = 1, int(state.small == 0)  # a small game has so many rounds by its rules
    else:
        state.round_number += 1
        state.active_seat = state.starting_seat


@kernel
def is_turn_over(state):
    """Return whether the game is over, or the decision is DRAFT, or TURN but not for an extra action."""
    if state.over or state.decision == Decision.DRAFT:
        return True
    return state.decision == Decision.TURN and state.in_play_size == 0
