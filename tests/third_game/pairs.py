"""Pairs: a card game for two to four seats with hidden hands.

The deck has two cards of every rank. The active seat plays a card. If the next seat holds its twin, it may
put the twin on top, out of turn: it then scores twice the rank and draws a card. Otherwise the active seat
scores the rank. In both cases, the active seat draws a card, and the next seat that holds cards is active.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pocketmars_env.core.compiled.chance import mixed, shuffle
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.legal_actions import allow, clear_legal_actions
from pocketmars_env.core.compiled.per_game import GameKernels
from pocketmars_env.core.compiled.states import States, blank_records
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import Config, EnvMode, GameSpec
from pocketmars_env.core.layout import Block, DecisionRow, Piece, size_of
from pocketmars_env.core.position_codec import PositionCodec

RANKS, SEATS, HAND, CARDS = 7, 4, 2, 14
PLAY, MATCH = 0, 1
MATCH_IT, PASS = RANKS, RANKS + 1
STATE = np.dtype(
    [
        ("legal_actions", np.int64, (1,)), ("seed", np.uint64), ("draws", np.uint32),
        ("hands", np.int8, (SEATS, RANKS)), ("deck", np.int8, (CARDS,)), ("scores", np.int8, (SEATS,)),
        ("deck_size", np.int8), ("players", np.int8), ("active", np.int8), ("to_play", np.int8),
        ("decision", np.int8), ("over", np.int8), ("truncated", np.int8), ("played", np.int8),
        ("round_number", np.int8),
    ]
)  # fmt: skip
LAYOUT = (
    Piece("own", (RANKS,), "own cards of each rank / 2"),
    Piece("left", (RANKS,), "cards of each rank not yet played / 2"),
    Piece("scores", (SEATS,), "relative: points / 60"),
    Piece("sizes", (SEATS,), "relative: cards in hand / 2"),
    Piece("played", (RANKS,), "one-hot: the card that may be matched"),
    Piece("asked", (SEATS,), "one-hot, relative"),
    Piece("active", (SEATS,), "one-hot, relative"),
    Piece("players", (SEATS,), "one-hot"),
)
OWN, LEFT, SCORES, SIZES = 0, RANKS, 2 * RANKS, 2 * RANKS + SEATS
PLAYED, TO_PLAY, ACTIVE, PLAYERS = (
    2 * RANKS + 2 * SEATS + k for k in (0, RANKS, RANKS + SEATS, RANKS + 2 * SEATS)
)


@dataclass(frozen=True)
class PairsConfig(Config):
    """The settings of Pairs: the number of players."""

    players: int = 2

    def __post_init__(self) -> None:
        if type(self.players) is not int or not 2 <= self.players <= SEATS:
            raise ValueError(f"players must be in 2..{SEATS}, got {self.players!r}")

    @classmethod
    def of_state(cls, record: Any) -> "PairsConfig":
        return cls(int(record["players"]))


@kernel
def new_game(state, seed):
    state.seed, state.draws = seed, 0
    for card in range(CARDS):
        state.deck[card] = card // 2
    shuffle(state, state.deck, CARDS)
    state.deck_size, state.active, state.over = CARDS, 0, 0
    for seat in range(SEATS):
        state.scores[seat] = 0
        for rank in range(RANKS):
            state.hands[seat, rank] = 0
    for seat in range(HAND * state.players):
        draw(state, seat % state.players)
    ask(state, 0, PLAY)


@kernel
def draw(state, seat):
    if state.deck_size > 0:
        state.deck_size -= 1
        state.hands[seat, state.deck[state.deck_size]] += 1


@kernel
def ask(state, seat, decision):
    state.to_play, state.decision = seat, decision
    clear_legal_actions(state)
    if decision == MATCH:
        allow(state, MATCH_IT, 3)
    for rank in range(RANKS):
        if decision == PLAY and state.hands[seat, rank] > 0:
            allow(state, rank, 1)


@kernel
def step(state, action):
    if state.decision == PLAY:
        state.hands[state.active, action] -= 1
        state.played = action
        follower = (state.active + 1) % state.players
        if state.hands[follower, action] > 0:
            ask(state, follower, MATCH)
            return
        state.scores[state.active] += action + 1
    elif action == MATCH_IT:
        state.hands[state.to_play, state.played] -= 1
        state.scores[state.to_play] += 2 * (state.played + 1)
        draw(state, state.to_play)
    else:
        state.scores[state.active] += state.played + 1
    draw(state, state.active)
    for _ in range(state.players):
        state.active = (state.active + 1) % state.players
        if hand_size(state, state.active) > 0:
            ask(state, state.active, PLAY)
            return
    clear_legal_actions(state)
    state.to_play, state.decision, state.over = -1, -1, 1


@kernel
def hand_size(state, seat):
    size = 0
    for rank in range(RANKS):
        size += state.hands[seat, rank]
    return size


@kernel
def score(state, seat):
    return np.int64(state.scores[seat])


@kernel
def winners(state):
    best, found = -1, np.int64(0)
    for seat in range(state.players):
        if state.scores[seat] > best:
            best, found = state.scores[seat], np.int64(0)
        if state.scores[seat] == best:
            found |= np.int64(1) << seat
    return found


@kernel
def termination(state):
    return int(state.truncated)


@kernel
def number_of_seats(state):
    return np.int64(state.players)


@kernel
def write_observation(state, seat, out):
    for entry in range(len(out)):
        out[entry] = 0
    for rank in range(RANKS):
        out[OWN + rank] = state.hands[seat, rank] / 2
        for other in range(state.players):
            out[LEFT + rank] += state.hands[other, rank] / 2
    for card in range(state.deck_size):
        out[LEFT + state.deck[card]] += 0.5
    for distance in range(state.players):
        other = (seat + distance) % state.players
        out[SCORES + distance] = state.scores[other] / 60
        out[SIZES + distance] = hand_size(state, other) / 2
        out[TO_PLAY + distance] = other == state.to_play
        out[ACTIVE + distance] = other == state.active
    if state.decision == MATCH:
        out[PLAYED + state.played] = 1
    out[PLAYERS + state.players - 1] = 1


@kernel
def determinize(state, target, seat, seed, is_random):
    target.seed, target.draws = seed, 0
    hidden = 0
    for rank in range(RANKS):  # the deck gets all cards that are hidden from the seat, in ascending order
        for _ in range(count_hidden(state, seat, rank)):
            target.deck[hidden] = rank
            hidden += 1
    while True:
        if is_random:
            shuffle(target, target.deck, hidden)
        target.deck_size = deal_hidden(state, target, seat, hidden)
        matcher = state.to_play  # everybody knows that the seat to play holds the twin
        if state.decision != MATCH or matcher == seat or target.hands[matcher, state.played] > 0:
            break
        shuffle(target, target.deck, hidden)
    for card in range(target.deck_size, CARDS):
        target.deck[card] = -1


@kernel
def count_hidden(state, seat, rank):
    number = 0
    for other in range(state.players):
        number += state.hands[other, rank] if other != seat else 0
    for card in range(state.deck_size):
        number += state.deck[card] == rank
    return number


@kernel
def deal_hidden(state, target, seat, hidden):
    """Deal hidden cards from the deck's end to the other seats' hands; return the number of cards left."""
    for other in range(state.players):
        if other != seat:
            size = hand_size(state, other)
            for rank in range(RANKS):
                target.hands[other, rank] = 0
            for _ in range(size):
                hidden -= 1
                target.hands[other, target.deck[hidden]] += 1
    return hidden


@kernel
def is_turn_over(state):
    return state.over or state.decision == PLAY


@kernel
def seen_action(state, action, seat):
    return action


@kernel
def with_private_knowledge(key, state, seat):
    for rank in range(RANKS):
        key = mixed(key, np.uint64(state.hands[seat, rank]))
    return key


@kernel
def is_automaton(state, seat):
    return False


def action_name(action: int) -> str:
    return f"PLAY({action + 1})" if action < RANKS else ("MATCH", "PASS")[action - RANKS]


class PairsCodec(PositionCodec):
    """Creates positions of Pairs."""

    def blank(self, count: int, config: PairsConfig) -> States:
        states = blank_records(count, STATE)
        states["players"] = config.players
        return states


SPEC = GameSpec(
    name="pairs",
    title="Pairs",
    rules_version=0,
    config=PairsConfig,
    kernels=GameKernels(
        "pairs",
        Path(__file__),
        {
            "NUM_ACTIONS": RANKS + 2, "MAX_SEATS": SEATS, "OBSERVATION_SIZE": size_of(LAYOUT), "NO_SEAT": -1,
            "new_game": new_game, "step": step, "score": score, "winners": winners,
            "termination": termination, "number_of_seats": number_of_seats, "determinize": determinize,
            "write_observation": write_observation, "is_turn_over": is_turn_over, "seen_action": seen_action,
            "with_private_knowledge": with_private_knowledge, "is_automaton": is_automaton, "STATE": STATE,
        },
    ),
    blocks=(
        Block("PLAY", RANKS, "rank", "PLAY"),
        Block("MATCH", 1, "-", "MATCH"),
        Block("PASS", 1, "-", "MATCH"),
    ),
    layout=LAYOUT,
    decisions=(
        DecisionRow("PLAY", ("PLAY",), "play which card?"),
        DecisionRow("MATCH", ("MATCH",), "put the twin on top?", may_pass=True),
    ),
    action_name=action_name,
    describe_action=lambda action, decision: action_name(action).lower(),
    codec=PairsCodec(),
    env_modes=(EnvMode("Table", True, (), lambda given: given),),
    max_decisions=2 * CARDS,
    margin_bound=60,
)  # fmt: skip


class PairsGame(Game):
    """A game of Pairs."""

    spec = SPEC
