"""The setup: dealing, drafting, and filling the prep modules."""

from pocketmars_env.core.compiled.card_sets import NOTHING, lowest, only, without_lowest
from pocketmars_env.core.compiled.chance import deal_of_pool, next_random, shuffle
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.legal_actions import clear_legal_actions
from pocketmars_env.games.pocket_mars.rules.cards import CARDS_PER_SUIT, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    CARDS_DEALT,
    CARDS_DEALT_IN_DRAFT,
    COLONISTS,
    DA_SEAT,
    DA_START_ON_SHIP,
    MAX_SEATS,
    NO_CARD,
    NO_PROGRAM,
    NO_SEAT,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    START_ENERGY,
    START_ON_SHIP,
    Decision,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.effects_cards import do_fill
from pocketmars_env.games.pocket_mars.rules.interpreter import ask, clear_decision
from pocketmars_env.games.pocket_mars.rules.knowledge import card_leaves_hand_face_down
from pocketmars_env.games.pocket_mars.rules.moving_cards import (
    clear_stacked,
    put_into_hand,
    put_on_deck,
    refill_da_module,
    shuffle_deck,
    take_from_deck,
)
from pocketmars_env.games.pocket_mars.rules.state import is_in_game, number_of_seats


@kernel
def deal(state, seed):
    """Clear the table, shuffle all cards, choose a random starting seat, and deal."""
    clear_table(state)
    state.seed = deal_of_pool(seed, state.log2_deals) if state.small else seed
    for card in range(NUM_CARDS):
        if is_in_game(state, card):
            put_on_deck(state, card)
    shuffle(state, state.deck, int(state.deck_size))
    state.starting_seat = next_random(state, int(state.players))
    for seat in range(state.players):
        for _ in range(CARDS_DEALT_IN_DRAFT if state.draft else CARDS_DEALT - state.fewer_cards):
            deal_card(state, seat, take_from_deck(state))


@kernel
def deal_card(state, seat, card):
    """Deal a card into the seat's packet (draft) or hand."""
    put_into_hand(state, seat, card)
    if state.draft:
        state.seats[seat].packet |= only(card)
        state.seats[seat].hand = NOTHING


@kernel
def clear_table(state):
    """Reset all fields of the state except the settings."""
    for seat in range(MAX_SEATS):
        clear_seat(state.seats[seat])
    clear_cards(state)
    clear_legal_actions(state)
    clear_decision(state)
    state.seed, state.draws = 0, 0
    state.round_number, state.over, state.truncated = 1, 0, 0
    state.starting_seat, state.active_seat = 0, 0
    state.stage = Stage.DRAFT if state.draft else Stage.PREP
    state.played, state.picked, state.owner = NO_CARD, NO_CARD, NO_SEAT
    state.program, state.line, state.actor = NO_PROGRAM, 0, NO_SEAT
    state.left, state.to_draw, state.draw_aside, state.served = 0, 0, 0, 0


@kernel
def clear_seat(seat):
    seat.hand, seat.packet, seat.knows = NOTHING, NOTHING, NOTHING
    seat.earth, seat.ship, seat.energy = 0, 0, 0
    for slot in range(PREP_SLOTS):
        seat.prep[slot], seat.pending[slot] = NO_CARD, NO_CARD
    for building in range(NUM_BUILDINGS):
        seat.star[building], seat.star2[building] = 0, 0


@kernel
def clear_cards(state):
    """Reset the fields for cards that belong to no seat, such as the deck and the piles."""
    state.drawn, state.face_down = NOTHING, NOTHING
    for place in range(NUM_CARDS):
        state.deck[place], state.discard[place] = NO_CARD, NO_CARD
    for building in range(NUM_SUITS):
        state.pile_size[building] = 0
        for place in range(CARDS_PER_SUIT):
            state.pile[building, place] = NO_CARD
    state.deck_size, state.discard_size, state.in_play_size = 0, 0, 0
    state.under = 0
    state.in_play[0], state.in_play[1] = NO_CARD, NO_CARD
    state.shuffles = 0
    clear_stacked(state)


@kernel
def set_up(state):
    """Set the initial colonists and energy of all seats, after the deal."""
    for seat in range(number_of_seats(state)):
        colonists = state.seats[seat]
        colonists.energy = START_ENERGY
        colonists.ship = START_ON_SHIP + colonists.more_on_ship
        if state.solo and seat == DA_SEAT:
            colonists.ship = DA_START_ON_SHIP[state.level]
        colonists.earth = COLONISTS - int(state.fewer_colonists) - int(colonists.ship)


# --- choices in the setup: pending until all seats have chosen, then carried out together (R-SECRET) --


@kernel
def choose_in_setup(state, seat, card):
    """Store the seat's choice as pending; the card does not move yet."""
    place = 0 if state.seats[seat].pending[0] == NO_CARD else 1
    state.seats[seat].pending[place] = card


@kernel
def take_pending(state, seat, place):
    """Remove and return a pending choice."""
    card = int(state.seats[seat].pending[place])
    state.seats[seat].pending[place] = NO_CARD
    return card


# --- the draft --------------------------------------------------------------------------------------


@kernel
def continue_draft(state):
    """Ask for the next pick; after a pick of every player, keep the picks, and pass the packets or end."""
    players = int(state.players)
    seat = int(state.served) % players
    if state.served > 0 and seat == 0:
        keep_picks(state)
        if state.served == CARDS_DEALT * players:
            end_draft(state)
            return
        pass_packets(state)
    state.served += 1
    ask(state, seat, Decision.DRAFT)


@kernel
def keep_picks(state):
    """Move every pick from the packet to the hand; for other seats, it leaves the packet face down."""
    for seat in range(state.players):
        card = take_pending(state, seat, 0)
        card_leaves_hand_face_down(state, seat, card, state.seats[seat].packet)
        state.seats[seat].packet &= ~only(card)
        put_into_hand(state, seat, card)


@kernel
def pass_packets(state):
    """Pass each player's packet to the next player clockwise, who then knows the cards in it."""
    coming = state.seats[int(state.players) - 1].packet
    for seat in range(state.players):
        going = state.seats[seat].packet
        state.seats[seat].packet = coming
        state.seats[seat].knows |= coming
        coming = going


@kernel
def end_draft(state):
    """Return the cards left in all packets to the deck, and shuffle the deck."""
    for seat in range(state.players):
        left = state.seats[seat].packet
        state.seats[seat].packet = NOTHING
        while left != NOTHING:
            put_on_deck(state, lowest(left))
            left = without_lowest(left)
    shuffle_deck(state)
    state.served = 0
    state.stage = Stage.PREP


# --- the prep modules -------------------------------------------------------------------------------


@kernel
def continue_prep(state):
    """Ask for the next prep card; when all players have chosen, fill the modules and begin the first turn."""
    if state.served == PREP_SLOTS * int(state.players):
        fill_prep_modules(state)
        state.served = 0
        state.stage = Stage.TURN
        state.active_seat = state.starting_seat
        if state.solo:
            refill_da_module(state)
        return
    seat = int(state.served) // PREP_SLOTS
    state.served += 1
    ask(state, seat, Decision.PREP)


@kernel
def fill_prep_modules(state):
    """Move each player's two chosen cards from the hand into the prep module."""
    for seat in range(state.players):
        for slot in range(PREP_SLOTS):
            do_fill(state, seat, take_pending(state, seat, slot))
