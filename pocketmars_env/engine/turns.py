"""The course of the game: new game, step, the order of decisions, the 4-card rule, the end.

`state.stage` says what happens next when nobody has to be asked and no program runs; each stage
is one small kernel that does its part of the turn and sets the next stage.
"""

from pocketmars_env.engine import effects_cards as cards
from pocketmars_env.engine import effects_colonists as colonists
from pocketmars_env.engine.actions import (
    DISCARD_FOR_ENERGY,
    LAUNCH,
    PASS,
    PLAY_OTHER,
    PLAY_PREP,
)
from pocketmars_env.engine.card_sets import NOTHING, count, has
from pocketmars_env.engine.cards import (
    CARD_SUIT,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    FIRST_TOP,
    PROGRAM_BUILDING,
)
from pocketmars_env.engine.colonists import gain, launch
from pocketmars_env.engine.compiling import hot_kernel, kernel, shorthand
from pocketmars_env.engine.constants import (
    DA_SEAT,
    HAND_LIMIT,
    NO_CARD,
    NO_DECISION,
    NO_PROGRAM,
    NO_SEAT,
    PREP_SLOTS,
    Building,
    Decision,
    Stage,
)
from pocketmars_env.engine.interpreter import (
    ask,
    can_program,
    clear_question,
    run_program,
    start_program,
)
from pocketmars_env.engine.knowledge import reveal
from pocketmars_env.engine.legality import (
    FIRST_ANSWER,
    clear_answers,
    count_answers,
    list_answers,
    nth_answer,
)
from pocketmars_env.engine.scoring import anybody_settled_all
from pocketmars_env.engine.setup import continue_draft, continue_prep, deal, do_draft, set_up
from pocketmars_env.engine.solo import (
    android_activation,
    da_upgrades,
    refill,
    system_failure,
)
from pocketmars_env.engine.state import next_seat, number_of_seats
from pocketmars_env.engine.table import (
    discard,
    number_in_prep,
    put_on_pile,
    slot_of,
    take_from_deck,
    take_from_hand,
    take_from_prep,
    value_in_pile,
)

ENERGY_FOR_DISCARD = (1, 2)
"""In a game of 2 to 4, and in the solo game."""


# --- the vocabulary of the engine -----------------------------------------------------------------


@shorthand
def new_game(state, seed):
    """Start a game of the state's configuration; `seed` (uint64) decides all its chance."""
    deal(state, seed)
    set_up(state)
    advance(state)


@shorthand
def step(state, action):
    """Answer the question that stands with a legal action, and go on to the next question."""
    answer(state, action)
    advance(state)


@kernel
def advance(state):
    """Go on until a seat has a choice to make, or the game is over (R-FORCED)."""
    while not state.over:
        if state.decision == NO_DECISION:
            proceed(state)
        if state.decision != NO_DECISION:
            list_answers(state)
            if state.decision == Decision.TURN or count_answers(state) != 1:
                return
            answer(state, nth_answer(state, 0))
    clear_answers(state)


@hot_kernel
def proceed(state):
    """What comes next when nobody is asked: first what is pending, then the stages in their order."""
    if state.to_draw > 0:
        draw_cards(state)
    while state.program != NO_PROGRAM and state.decision == NO_DECISION and state.to_draw == 0:
        run_program(state)
    if state.stage > Stage.TURN and is_nothing_pending(state):
        proceed_in_turn(state)
    if state.stage > Stage.END_TURN and is_nothing_pending(state):
        proceed_after_turn(state)
    if state.stage <= Stage.TURN and is_nothing_pending(state) and not state.over:
        proceed_to_turn(state)


@hot_kernel
def is_nothing_pending(state):
    """Whether no question stands, no program runs and nothing is being drawn."""
    return state.decision == NO_DECISION and state.program == NO_PROGRAM and state.to_draw == 0


@hot_kernel
def proceed_to_turn(state):
    """The setup's stages, and the turn's main action."""
    if state.stage == Stage.TURN:
        ask(state, int(state.active_seat), Decision.TURN)
    elif state.stage == Stage.PREP:
        continue_prep(state)
    else:
        continue_draft(state)


@hot_kernel
def proceed_in_turn(state):
    """The stages of a turn after its main action was chosen, in their order."""
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
    """The solo game's phases, and the end of a round."""
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
    """Resolve the top action; until that is done the card is in no zone (R-PLAYED)."""
    take_from_hand(state, seat, card)
    reveal(state, card)
    state.in_play[state.in_play_size] = card
    state.in_play_size += 1
    start_program(state, FIRST_TOP + card, seat)


@hot_kernel
def play_from_prep(state, owner, slot):
    """Put a card of the owner's prep module on its Building's pile."""
    card = take_from_prep(state, owner, slot)
    put_on_pile(state, card)
    state.played = card
    state.owner = owner
    state.stage = Stage.SETTLE


@hot_kernel
def launch_one(state, seat):
    """Launch 1; in the solo game one of the DA's cards is discarded with it."""
    launch(state.seats[seat], 1)
    if state.solo:
        ask(state, seat, Decision.DISCARD_DA)


@hot_kernel
def discard_for_energy(state, seat, card):
    """Discard a card of hand or prep module and gain energy."""
    if has(state.seats[seat].hand, card):
        take_from_hand(state, seat, card)
    else:
        take_from_prep(state, seat, slot_of(state, seat, card))
    discard(state, card)
    gain(state.seats[seat], ENERGY_FOR_DISCARD[1 if state.solo else 0])


# --- after a card was played from a prep module ---------------------------------------------------


@hot_kernel
def offer_settling(state):
    """For a higher value, the active seat may settle a colonist, but not with another player's card."""
    state.stage = Stage.BOTTOM
    seat = int(state.active_seat)
    is_own = state.owner == seat or state.solo
    if is_own and beats_pile(state) and colonists.can_settle(state, seat):
        ask(state, seat, Decision.SETTLE)


@hot_kernel
def beats_pile(state):
    """Whether the played card's value is higher than what lies directly under it."""
    building = CARD_SUIT[state.played]
    if building == Building.HABITATION:
        return False
    top = int(state.pile_size[building]) - 1
    return value_in_pile(state, building, top) > value_in_pile(state, building, top - 1)


@hot_kernel
def offer_bottom(state):
    """The owner may trigger the card's bottom action. The DA's cards have none."""
    state.stage = Stage.ABILITY
    owner = int(state.owner)
    is_da = state.solo and owner == DA_SEAT
    if not is_da and can_program(state, FIRST_BOTTOM + int(state.played), 0, owner):
        ask(state, owner, Decision.BOTTOM)


@hot_kernel
def offer_ability(state):
    """The active seat may trigger the Building's ability."""
    state.stage = Stage.END_ACTION
    seat = int(state.active_seat)
    if can_program(state, FIRST_ABILITY + CARD_SUIT[state.played], 0, seat):
        ask(state, seat, Decision.ABILITY)


# --- answers --------------------------------------------------------------------------------------


@hot_kernel
def answer(state, action):
    """Carry out the answer to the question that stands."""
    seat, decision = int(state.asked_seat), int(state.decision)
    clear_question(state)
    if decision == Decision.TURN:
        take_action(state, seat, action)
    elif action == PASS:
        state.left = 0
    else:
        choose(state, seat, decision, action - FIRST_ANSWER[decision])


@hot_kernel
def choose(state, seat, decision, argument):
    """Carry out the choice that a seat made, by the decision it was asked."""
    if decision == Decision.FILL or decision == Decision.PREP:
        cards.do_fill(state, seat, argument)
    elif decision == Decision.ABILITY:
        start_program(state, FIRST_ABILITY + CARD_SUIT[state.played], seat)
    elif decision == Decision.BOTTOM:
        start_program(state, FIRST_BOTTOM + int(state.played), seat)
    elif decision == Decision.SETTLE:
        colonists.do_settle(state, seat, CARD_SUIT[state.played])
    elif decision == Decision.SETTLE_MORE:
        settle_more(state, seat)
    elif decision == Decision.SETTLE_WHERE or decision == Decision.DA_SETTLE:
        colonists.do_settle(state, seat, argument)
    elif decision == Decision.SHIFT or decision == Decision.DA_UPGRADE:
        colonists.do_shift(state, seat, argument)
    elif decision == Decision.SWAP:
        colonists.do_swap_colonists(state, seat, argument)
    elif decision == Decision.RECALL:
        colonists.do_recall(state, seat, argument)
    else:
        choose_card(state, seat, decision, argument)


@hot_kernel
def choose_card(state, seat, decision, argument):
    """`choose` for the decisions about cards."""
    if decision == Decision.DISCARD or decision == Decision.DISCARD_SUIT:
        cards.do_discard_from_hand(state, seat, argument)
    elif decision == Decision.DRAW:
        cards.do_draw_from_da(state, seat, argument)
    elif decision == Decision.DISCARD_DA:
        discard(state, take_from_prep(state, DA_SEAT, cards.slot_in(argument)))
    elif decision == Decision.KEEP:
        cards.do_keep(state, seat, argument)
    elif decision == Decision.PUT_UNDER:
        put_under(state, seat, argument)
    elif decision == Decision.TAKE_DISCARD:
        cards.do_take_from_discard(state, seat, argument)
    elif decision == Decision.TAKE_TOP:
        cards.do_take_top(state, seat, argument)
    elif decision == Decision.TURN_DOWN:
        cards.do_turn_down(state, argument)
    elif decision == Decision.LOOK:
        cards.do_look(state, seat, argument)
    elif decision == Decision.SWAP_HAND:
        state.picked = argument
        ask(state, seat, Decision.SWAP_PREP)
    elif decision == Decision.SWAP_PREP:
        choose_own_prep(state, seat, argument)
    elif decision == Decision.SWAP_OTHER:
        cards.do_swap_preps(state, seat, argument)
    else:
        do_draft(state, seat, argument)


@hot_kernel
def choose_own_prep(state, seat, card):
    """The second half of a swap with the hand, or the first of one with another prep module."""
    if state.picked != NO_CARD:
        cards.do_swap_hand_and_prep(state, seat, card)
    else:
        state.picked = card
        ask(state, seat, Decision.SWAP_OTHER)


@hot_kernel
def settle_more(state, seat):
    """Settle one here, and ask again while "up to" leaves more."""
    colonists.do_settle(state, seat, PROGRAM_BUILDING[state.program])
    state.left -= 1
    if state.left > 0 and colonists.can_settle(state, seat):
        ask(state, seat, Decision.SETTLE_MORE)


@hot_kernel
def put_under(state, seat, card):
    """Put a card under the deck, and ask again while "up to" leaves more."""
    cards.do_put_under(state, seat, card)
    state.left -= 1
    if state.left > 0 and cards.choices_put_under(state, seat) != NOTHING:
        ask(state, seat, Decision.PUT_UNDER)


# --- drawing --------------------------------------------------------------------------------------


@kernel
def draw_cards(state):
    """Draw until all cards are drawn, or the actor must choose one."""
    while state.to_draw > 0 and state.decision == NO_DECISION:
        draw_next(state)


@hot_kernel
def draw_next(state):
    """The actor draws one card; solo from the DA's prep module while it has one."""
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
    """Discard what was played from hand, the last card first; then comes the 4-card rule."""
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
    """Seat by seat from the active one: discard or draw to four cards, two of them in prep."""
    seat = int(state.actor)
    in_hand, in_prep = count(state.seats[seat].hand), number_in_prep(state, seat)
    if state.solo and seat == DA_SEAT:
        serve_next_seat(state)
    elif in_hand + in_prep > HAND_LIMIT:
        ask(state, seat, Decision.DISCARD)
    elif in_hand + in_prep < HAND_LIMIT and cards.can_draw(state):
        state.to_draw = HAND_LIMIT - in_hand - in_prep
        state.draw_aside = 0
        draw_cards(state)
    elif in_prep < PREP_SLOTS and in_hand > 0:
        ask(state, seat, Decision.FILL)
    else:
        serve_next_seat(state)


@hot_kernel
def serve_next_seat(state):
    """The 4-card rule goes on clockwise; after the last seat the turn is over."""
    state.served += 1
    state.actor = next_seat(state, int(state.actor))
    if state.served == number_of_seats(state):
        state.served = 0
        state.actor = NO_SEAT
        state.stage = Stage.END_TURN


@hot_kernel
def end_turn(state):
    """The next seat's turn; when all have had theirs, the round ends (solo: its other phases)."""
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
    """The game ends with the round if somebody has settled everybody, or goes on."""
    state.stage = Stage.TURN
    if anybody_settled_all(state) or (state.solo and number_in_prep(state, DA_SEAT) < PREP_SLOTS):
        state.over = 1
    elif state.round_number == state.round_limit:
        state.over, state.truncated = 1, 1
    else:
        state.round_number += 1
        state.active_seat = state.starting_seat
