"""The look-ahead that `greedy` and `planner` share, compiled like the engine.

For every legal action, in the same sampled worlds for all of them: play it, and go on to the end of
the turn. A planner tries all ways in which the seat may answer its further questions of this turn,
and keeps the best; otherwise, and for other seats that are asked in between, the answer with the
highest number is taken (ACCEPT, if it is a yes/no question). The position is then valued as the
probability of winning it: a logistic function of the weights in `look_ahead_weights.py`. The action
with the highest mean over the worlds is taken; of equally good ones the lowest.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.estimates import Estimate
from pocketmars_agents.games.pocket_mars.look_ahead_weights import (
    CARD_WEIGHTS,
    MODULE_WEIGHTS,
    POSITION_WEIGHTS,
)
from pocketmars_env import NUM_ACTIONS, Game, View, Views
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.card_sets import NOTHING, has, lowest, without_lowest
from pocketmars_env.core.compiled.compiling import compile_all, entry_point, kernel
from pocketmars_env.games.pocket_mars.rules import turns
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, CARD_VALUE
from pocketmars_env.games.pocket_mars.rules.colonists import has_free_star2, in_building
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    COLONISTS,
    DA_SEAT,
    NO_CARD,
    NUM_BUILDINGS,
    PLAYER_SEAT,
    PREP_SLOTS,
    Building,
    Decision,
)
from pocketmars_env.games.pocket_mars.rules.determinize import determinize
from pocketmars_env.games.pocket_mars.rules.scoring import score, winners
from pocketmars_env.games.pocket_mars.rules.state import new_states, number_of_seats
from pocketmars_env.games.pocket_mars.rules.table import value_in_pile

MAX_WORLDS = 10_000

OWN, RIVAL = 0, 7
"""First rows of the two sides in `POSITION_WEIGHTS`."""
LEAD, SETTLERS, ALWAYS = 14, 15, 16
"""The rows after them."""

MAX_ANSWERS = 16
"""Answers of the seat in one turn that are searched; after so many it takes the highest number."""
SOLO_DECK = 29
"""Cards in the deck when the first turn of a solo game begins."""
MARGIN_WORTH = 0.005
"""A point of the final margin, in games won: among lost positions the better one is preferred."""
PREFERENCE = 0.02
"""An answer that is worth so much more than another is preferred e times as much."""
WORST = -1.0
"""Less than the value of any position."""


def check_worlds(name: str, worlds: int) -> None:
    if type(worlds) is not int or not 1 <= worlds <= MAX_WORLDS:
        raise ValueError(f"{name}'s number of worlds must be in 1..{MAX_WORLDS}, got {worlds!r}")


class LookAheadAgent:
    """An agent that values positions at the end of the turn.

    Args:
        name: the agent's name.
        worlds: how many worlds are sampled for each decision.
        is_planner: whether it searches its further answers of the turn.

    Raises:
        ValueError: if `worlds` is not an integer in 1..10000.

    """

    def __init__(self, name: str, worlds: int, is_planner: bool) -> None:
        check_worlds(name, worlds)
        self.name = name
        self.worlds = worlds
        self.is_planner = is_planner
        self._line = new_states(MAX_ANSWERS + 1)
        self._tried = np.zeros(MAX_ANSWERS + 1, dtype=np.int64)

    def act(self, view: View, rng: np.random.Generator) -> int:
        """The best action.

        Raises:
            ValueError: if the seat is not asked.

        """
        check_asked(view)
        views = view.as_batch()
        return int(self.act_batch(views, rng.integers(0, 2**64, size=1, dtype=np.uint64))[0])

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """The best action, and the chance to win that it is valued with; see `ValuedAgent`.

        Raises:
            ValueError: if the seat is not asked.

        """
        check_asked(view)
        ensure_compiled()
        views = view.as_batch()
        actions, sums = self._best(views, rng.integers(0, 2**64, size=1, dtype=np.uint64))
        action = int(actions[0])
        return Estimate(action, float(sums[0, view.legal.index(action)]) / self.worlds)

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The best action for every view; see `BatchAgent`."""
        ensure_compiled()
        return self._best(views, seeds)[0]

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """``(n, NUM_ACTIONS)`` float32: how much it prefers each answer; for those who learn from it.

        A softmax of what they are worth: the probabilities sum to 1, those of illegal actions are 0.
        """
        ensure_compiled()
        values = self._best(views, seeds)[1]
        is_legal = views.masks != 0
        # the values are those of the legal actions in their order
        of_actions = np.take_along_axis(values, np.maximum(np.cumsum(is_legal, axis=1) - 1, 0), axis=1)
        odds = np.where(is_legal, of_actions / (self.worlds * PREFERENCE), -np.inf)
        weights = np.exp(odds - odds.max(axis=1, keepdims=True))
        shares: NDArray[np.float32] = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
        return shares

    def _best(self, views: Views, seeds: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The answers, and the sums over the worlds of what each legal action is worth."""
        mode = 0 if views.states["solo"].any() else 1
        weights = POSITION_WEIGHTS[mode], CARD_WEIGHTS[mode], MODULE_WEIGHTS[mode]
        scratch = self._line, self._tried
        actions = np.empty(len(views), dtype=np.int64)
        values = np.empty((len(views), NUM_ACTIONS), dtype=np.float64)
        best_actions(
            views.states, views.seats, seeds, self.worlds, self.is_planner, weights, *scratch, values, actions
        )
        return actions, values


def check_asked(view: View) -> None:
    if view.states["asked_seat"][0] != view.seat:
        raise ValueError(f"seat {view.seat} is not asked, so there is nothing to choose")


@functools.cache
def ensure_compiled() -> None:
    """Compile the look-ahead unless that has been done; says so when it takes long."""
    compile_all(warm_up, "look-ahead")


def warm_up() -> None:
    """Make one decision, in a game of its own."""
    views = Game(seed=0).view(0).as_batch()
    LookAheadAgent("warm-up", 1, False)._best(views, np.zeros(1, dtype=np.uint64))


@entry_point
def best_actions(
    states: Any,
    seats: Any,
    seeds: Any,
    worlds: int,
    is_planner: bool,
    weights: Any,
    line: Any,
    tried: Any,
    values: Any,
    actions: Any,
) -> None:
    """Answer the questions that `states` put to `seats`.

    Args:
        states: ``(n,)`` `STATE`, of one mode: worlds that fit the seats' views.
        seats: ``(n,)`` int64: the seats that are asked.
        seeds: ``(n,)`` uint64, each decides the worlds to be sampled for one answer.
        worlds: how many those are.
        is_planner: whether the seat's further answers of the turn are searched.
        weights: one mode's entries of the three tables of weights.
        line: ``(MAX_ANSWERS + 1,)`` `STATE`: the positions of a line of play; overwritten.
        tried: ``(MAX_ANSWERS + 1,)`` int64: how many answers of each were tried; overwritten.
        values: ``(n, NUM_ACTIONS)`` float64: the sum over worlds for the first, second, … legal action is
            written here.
        actions: ``(n,)`` int64: the answers are written here.

    """
    for k in range(len(states)):
        actions[k] = best_action(
            states[k], seats[k], seeds[k], worlds, is_planner, weights, line, tried, values[k]
        )


@kernel
def best_action(
    state: Any,
    seat: int,
    seed: Any,
    worlds: int,
    is_planner: bool,
    weights: Any,
    line: Any,
    tried: Any,
    values: Any,
) -> Any:
    """The answer to the question that `state` puts to `seat`; arguments as above."""
    number = legal_actions.count_answers(state)
    for choice in range(number):
        values[choice] = 0.0
    for world in range(worlds):
        line[0] = state
        determinize(state, line[0], seat, chance.long_word(seed, world), True)
        for choice in range(number):
            line[1] = line[0]
            turns.step(line[1], legal_actions.nth_answer(line[0], choice))
            if is_planner:
                values[choice] += value_of_turn(line, tried, seat, weights)
            else:
                go_to_question(line[1], seat, MAX_ANSWERS)
                values[choice] += value(line[1], seat, weights)
    best = 0
    for choice in range(1, number):
        if values[choice] > values[best]:
            best = choice
    return legal_actions.nth_answer(state, best)


# --- the rest of the turn -------------------------------------------------------------------------


@kernel
def value_of_turn(line: Any, tried: Any, seat: int, weights: Any) -> Any:
    """The highest value that the seat can reach from ``line[1]`` by the end of the turn."""
    if go_to_question(line[1], seat, 1):
        return value(line[1], seat, weights)
    best, depth = WORST, 1
    tried[depth] = 0
    while depth > 0:
        if tried[depth] == legal_actions.count_answers(line[depth]):
            depth -= 1
            continue
        line[depth + 1] = line[depth]
        turns.step(line[depth + 1], legal_actions.nth_answer(line[depth], tried[depth]))
        tried[depth] += 1
        if go_to_question(line[depth + 1], seat, depth + 1):
            best = max(best, value(line[depth + 1], seat, weights))
        else:
            depth += 1
            tried[depth] = 0
    return best


@kernel
def go_to_question(state: Any, seat: int, depth: int) -> Any:
    """Go on to the seat's next question; whether there is none left in this turn."""
    while not is_turn_over(state) and (state.asked_seat != seat or depth == MAX_ANSWERS):
        turns.step(state, legal_actions.nth_answer(state, legal_actions.count_answers(state) - 1))
    return is_turn_over(state)


@kernel
def is_turn_over(state: Any) -> Any:
    """Whether the next turn begins (not an extra action), or the next pick of a draft."""
    if state.over or state.decision == Decision.DRAFT:
        return True
    return state.decision == Decision.TURN and state.in_play_size == 0


# --- what a position is worth ---------------------------------------------------------------------


@kernel
def value(state: Any, seat: int, weights: Any) -> Any:
    """The estimated probability that the seat wins; the DA's is what the player's lacks to 1."""
    if state.solo and seat == DA_SEAT:
        return 1.0 - value_for_player(state, PLAYER_SEAT, weights)
    return value_for_player(state, seat, weights)


@kernel
def value_for_player(state: Any, seat: int, weights: Any) -> Any:
    """`value` for a seat that holds cards."""
    rival = rival_of(state, seat)
    lead = score(state, seat) - score(state, rival)
    if state.over:
        won = 1.0 if has(winners(state), seat) else 0.0
        return won + MARGIN_WORTH * lead
    position, cards, module = weights
    left = share_left(state)
    odds = weight(position, ALWAYS, left) + lead * weight(position, LEAD, left)
    odds += worth_of_side(state, seat, position, OWN, left)
    odds += worth_of_side(state, rival, position, RIVAL, left)
    odds += settlers(state, seat) * weight(position, SETTLERS, left)
    odds += worth_of_cards(state, seat, cards) + worth_of_module(state, rival, module)
    return 1.0 / (1.0 + np.exp(-odds))


@kernel
def weight(position: Any, row: int, left: float) -> Any:
    """A weight between its early and its late value."""
    return position[row, 1] + left * (position[row, 0] - position[row, 1])


@kernel
def rival_of(state: Any, seat: int) -> int:
    """The other seat with the most points."""
    rival, most = -1, -1
    for other in range(number_of_seats(state)):
        if other != seat:
            points = score(state, other)
            if points > most:
                rival, most = other, points
    return rival


@kernel
def share_left(state: Any) -> float:
    """How much of the game is left, 0..1: by unsettled colonists, in the solo game also by cards."""
    fewest = COLONISTS
    for seat in range(number_of_seats(state)):
        fewest = min(fewest, int(state.seats[seat].earth) + int(state.seats[seat].ship))
    share = fewest / COLONISTS
    return min(share, state.deck_size / SOLO_DECK) if state.solo else share


@kernel
def worth_of_side(state: Any, seat: int, position: Any, first: int, left: float) -> Any:
    """The worth of a seat's colonists and energy, with the weights from row `first` on."""
    colonists = state.seats[seat]
    on_star, on_star2, occupied, largest, upgradable = 0, 0, 0, 0, 0
    for building in range(NUM_BUILDINGS):
        here = in_building(colonists, building)
        on_star += int(colonists.star[building])
        on_star2 += int(colonists.star2[building])
        occupied += 1 if here > 0 else 0
        largest = max(largest, here)
        upgradable += 1 if colonists.star[building] > 0 and has_free_star2(state, building) else 0
    worth = colonists.ship * weight(position, first, left)
    worth += on_star * weight(position, first + 1, left)
    worth += on_star2 * weight(position, first + 2, left)
    worth += colonists.energy * weight(position, first + 3, left)
    worth += occupied * weight(position, first + 4, left)
    worth += min(largest, BONUS_BUILDING_COLONISTS) * weight(position, first + 5, left)
    return worth + upgradable * weight(position, first + 6, left)


@kernel
def settlers(state: Any, seat: int) -> int:
    """Colonists on the Ship that the cards of the prep module could settle by their values."""
    cards = 0
    for slot in range(PREP_SLOTS):
        card = int(state.seats[seat].prep[slot])
        if card != NO_CARD and beats_pile(state, card):
            cards += 1
    return min(cards, int(state.seats[seat].ship))


@kernel
def beats_pile(state: Any, card: int) -> Any:
    """Whether the card's value is higher than the top of its Building's pile."""
    building = CARD_SUIT[card]
    if building == Building.HABITATION:
        return False
    return CARD_VALUE[card] > value_in_pile(state, building, int(state.pile_size[building]) - 1)


@kernel
def worth_of_cards(state: Any, seat: int, cards: Any) -> float:
    """The worth of hand and prep module."""
    worth, hand = 0.0, state.seats[seat].hand
    while hand != NOTHING:
        worth += cards[lowest(hand), 0]
        hand = without_lowest(hand)
    for slot in range(PREP_SLOTS):
        card = int(state.seats[seat].prep[slot])
        if card != NO_CARD:
            worth += cards[card, 1]
    return worth


@kernel
def worth_of_module(state: Any, rival: int, module: Any) -> float:
    """The worth of the suits that the backs in the rival's prep module show."""
    worth = 0.0
    for slot in range(PREP_SLOTS):
        card = int(state.seats[rival].prep[slot])
        if card != NO_CARD:
            worth += module[CARD_SUIT[card]]
    return worth
