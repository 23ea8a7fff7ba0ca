"""Searches that know a part of what is hidden, and the stored results of their games.

These searches take a game instead of a view, so they are not agents. They show how much a search could gain
from each part of the hidden information.

    python notebooks/hidden_information.py 400      plays 400 deals of each contest and stores the results
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Numba infers the types in kernels.

import dataclasses
import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.bots.tree_searcher import Root, TreeSearcher
from pocketmars_agents.games.pocket_mars.suites import DA_2
from pocketmars_env.core.compiled.card_sets import count, has, nth, only
from pocketmars_env.core.compiled.chance import next_random, shuffle
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.per_game import GameKernels
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.seeds import draw_seed
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, SUIT_CARDS
from pocketmars_env.games.pocket_mars.rules.moving_cards import first_cards
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS

RESULTS = Path(__file__).with_suffix(".json")

NOTHING, OPPONENTS, DECK, EVERYTHING = range(4)
"""What a search knows in addition to its view; a search keeps it in the first unused byte of its states.

`OPPONENTS`: everything hidden outside the decks. `DECK`: the order of the decks. Later random events are
unknown to every search.
"""

NAMES = ("nothing", "opponents", "deck", "everything")
SPECS = {spec.name: spec for spec in (POCKET_MARS, PROJECT_MARS)}


# --- Pocket Mars ----------------------------------------------------------------------------------------

determinize_cards, seen_card = (POCKET_MARS.kernels.parts[name] for name in ("determinize", "seen_action"))


@kernel
def determinize_pocket_mars(source, target, viewer, seed, is_random):
    """Write a determinization of `source` that agrees with what the search knows; see `GameKernels`.

    A redealt card and the deck cannot both keep their places. With `OPPONENTS`, the cards outside the deck
    are true, and the deck has the order of an ordinary determinization. With `DECK`, the cards outside the
    deck are those of an ordinary determinization, and the deck has its true order. In both cases, a card of
    this order that lies outside the deck is replaced by a card of the same suit.
    """
    knowledge = int(source.unused[0])
    if knowledge == EVERYTHING:
        target.seed, target.draws = seed, 0
        return
    determinize_cards(source, target, viewer, seed, is_random)
    if knowledge == OPPONENTS:
        copy_outside_deck(source, target)
        order_deck(source, target, target.deck, first_cards(source.deck, source.deck_size))
    elif knowledge == DECK:
        order_deck(source, target, source.deck, first_cards(target.deck, target.deck_size))


@kernel
def copy_outside_deck(source, target):
    """Copy all fields that a determinization changes, except those of the deck and of chance."""
    for seat in range(len(source.seats)):
        target.seats[seat] = source.seats[seat]
    for building in range(source.pile.shape[0]):
        for place in range(source.pile.shape[1]):
            target.pile[building, place] = source.pile[building, place]
    target.drawn, target.face_down = source.drawn, source.face_down
    target.starting_seat, target.picked, target.served = source.starting_seat, source.picked, source.served
    for word in range(len(source.legal_actions)):
        target.legal_actions[word] = source.legal_actions[word]


@kernel
def order_deck(source, target, order, cards):
    """Order the set `cards`, the deck of `target`, like `order`, an array of card numbers, bottom first.

    Every seat knows the same places of the deck as in `source`.
    """
    size = int(source.deck_size)
    missing = cards & ~first_cards(order, size)
    for seat in range(len(source.seats)):
        target.seats[seat].knows &= ~cards
    for place in range(size):
        card = int(order[place])
        if not has(cards, card):
            pool = missing & SUIT_CARDS[CARD_SUIT[card]]
            card = nth(pool, next_random(target, count(pool)))
            missing &= ~only(card)
        target.deck[place] = card
        for seat in range(len(source.seats)):
            if has(source.seats[seat].knows, source.deck[place]):
                target.seats[seat].knows |= only(card)


@kernel
def seen_in_pocket_mars(state, action, seat):
    """Return what `seat` sees of an action: all of it if the search knows the opponents' cards."""
    return action if state.unused[0] & OPPONENTS else seen_card(state, action, seat)


# --- Project Mars ---------------------------------------------------------------------------------------

determinize_types, seen_type = (PROJECT_MARS.kernels.parts[name] for name in ("determinize", "seen_action"))


@kernel
def determinize_project_mars(source, target, viewer, seed, is_random):
    """Write a determinization of `source` that agrees with what the search knows; see `GameKernels`."""
    knowledge = int(source.unused[0])
    if knowledge & OPPONENTS:
        target.seed, target.draws = seed, 0
        if knowledge == OPPONENTS:
            for seat in range(2):
                shuffle(target, target.seats[seat].deck, int(target.seats[seat].deck_size))
        return
    determinize_types(source, target, viewer, seed, is_random)
    if knowledge == DECK:
        for seat in range(2):
            order_types(source.seats[seat], target, target.seats[seat])


@kernel
def order_types(true, target, side):
    """Order the deck of `side` like that of `true`; random types replace the cards that `side` lacks."""
    size = int(side.deck_size)
    for place in range(size):
        card = true.deck[place]
        left = number_of(card, true.deck, place, size)
        excess = left + number_of(card, side.deck, 0, place) - side.in_deck[card]
        if excess > 0 and next_random(target, left) < excess:
            card = missing_type(true, target, side, place)
        side.deck[place] = card


@kernel
def missing_type(true, target, side, place):
    """Return a random card that the deck of `side` holds more often than its filled part and `true.deck`."""
    chosen, total, size = 0, 0, int(side.deck_size)
    for card in range(NUM_TYPES):
        used = number_of(card, side.deck, 0, place) + number_of(card, true.deck, place, size)
        missing = max(0, side.in_deck[card] - used)
        total += missing
        if missing > 0 and next_random(target, total) < missing:
            chosen = card
    return chosen


@kernel
def number_of(card, deck, first, end):
    number = 0
    for place in range(first, end):
        number += 1 if deck[place] == card else 0
    return number


@kernel
def seen_in_project_mars(state, action, seat):
    """Return what `seat` sees of an action: all of it if the search knows the opponents' cards."""
    return action if state.unused[0] & OPPONENTS else seen_type(state, action, seat)


# --- searches -------------------------------------------------------------------------------------------

CHANGED = {
    "pocket_mars": {"determinize": determinize_pocket_mars, "seen_action": seen_in_pocket_mars},
    "project_mars": {"determinize": determinize_project_mars, "seen_action": seen_in_project_mars},
}


@functools.cache
def knowing(spec: GameSpec) -> GameSpec:
    """Return the game with kernels for searches that know a part of what is hidden."""
    changed = CHANGED[spec.name]
    parts, name = {**spec.kernels.parts, **changed}, f"{spec.kernels.game} with knowledge"
    # Naming the changed kernels as additional ones lets the cache notice edits to this file.
    kernels = GameKernels(name, spec.kernels.folder, parts, {__name__: changed})
    return dataclasses.replace(spec, kernels=kernels)


def state_with(states: States, knowledge: int) -> States:
    """Return a copy of ``(1,)`` true states for a search with the given knowledge."""
    states = copy_states(states)
    states["unused"][:, 0] = knowledge
    return states


def choose(game: Game, searcher: TreeSearcher, knowledge: int, rng: np.random.Generator) -> int:
    """Return the best action that a search with the given knowledge finds."""
    assert game.to_play is not None
    states = state_with(game.states, knowledge)
    root = Root(knowing(game.spec), states, game.to_play, draw_seed(rng))
    return searcher.search_from(root, with_line=False).best


def play(game: Game, searchers: Sequence[TreeSearcher], knowledge: Sequence[int], deal: int) -> Game:
    """Play a game to its end; every seat has a search with its knowledge."""
    streams = [np.random.default_rng((SEED, deal, seat)) for seat in range(game.seats)]
    while (seat := game.to_play) is not None:
        game.step(choose(game, searchers[seat], knowledge[seat], streams[seat]))
    return game


@functools.cache
def searcher_named(name: str) -> TreeSearcher:
    """Return the search bot with a name such as ``"puct:100"``."""
    searcher = PuctAgent.from_name(name)
    searcher.prepare = lambda spec: None  # type: ignore[method-assign]  # compiles at the first call instead
    return searcher


# --- contests -------------------------------------------------------------------------------------------

SEED, FIRST_DEAL = 1, 10**6
LEVEL, HANDICAP = "cyborg", 7
"""Level and handicap in the solo game; with a handicap of 0, the search would win nearly all games."""


class Contest(NamedTuple):
    """Games of a search with some knowledge; with two players, against a search that has only its view."""

    game: str  # ``"pocket_mars"``, ``"project_mars"`` or ``"solo"``, the solo game of Pocket Mars
    bot: str  # the name of the search
    knowledge: int  # what the search knows in addition to its view
    rival: str  # the name of the opponent; empty in the solo game

    @property
    def key(self) -> str:
        """The name of the contest in the stored results."""
        return f"{self.game} {self.bot} {NAMES[self.knowledge]} {self.rival}".strip()


def contests_of(game: str, bot: str) -> list[Contest]:
    """Return the contests that split the worth of hidden information for one search."""
    if game == "solo":
        return [Contest(game, bot, knowledge, "") for knowledge in range(4)]
    return [Contest(game, bot, knowledge, bot) for knowledge in (OPPONENTS, DECK, EVERYTHING)]


CONTESTS = [
    *contests_of("pocket_mars", "puct:30"),
    *contests_of("pocket_mars", "puct:100"),
    Contest("pocket_mars", "puct:300", NOTHING, "puct:30"),
    *contests_of("project_mars", "puct:100"),
    Contest("project_mars", "puct:300", NOTHING, "puct:30"),
    *contests_of("solo", "puct:100"),
]


def play_deal(contest: Contest, deal: int) -> list[tuple[float, int]]:
    """Play one deal from every seat; return the win share and the margin of the search in each game."""
    searcher = searcher_named(contest.bot)
    if contest.game == "solo":
        game = Game(POCKET_MARS, **DA_2.config(LEVEL, HANDICAP).as_dict(), seed=DA_2.seed(deal))
        return [result_of(play(game, [searcher], [contest.knowledge, NOTHING], deal), 0)]
    results = []
    for seat in range(2):
        searchers, knowledge = [searcher_named(contest.rival)] * 2, [NOTHING] * 2
        searchers[seat], knowledge[seat] = searcher, contest.knowledge
        game = Game(SPECS[contest.game], seed=FIRST_DEAL + deal)
        results.append(result_of(play(game, searchers, knowledge, deal), seat))
    return results


def result_of(game: Game, seat: int) -> tuple[float, int]:
    """Return the win share and the margin of a seat in a finished game of two seats."""
    won = (seat in game.winners) / len(game.winners)
    return won, game.scores[seat] - game.scores[1 - seat]


# --- stored results -------------------------------------------------------------------------------------


def read_results() -> dict[str, NDArray[np.float64]]:
    """Return the stored results by `Contest.key`: ``(deals, games, 2)`` win shares and margins."""
    return {key: np.array(results) for key, results in json.loads(RESULTS.read_text()).items()}


def main(deals: int) -> None:
    """Play the games that the stored results lack, up to a number of deals in each contest."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for contest in CONTESTS:
        played = results.setdefault(contest.key, [])
        while len(played) < deals:
            played.append(play_deal(contest, len(played)))
        lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(games)}" for key, games in results.items())
        write_whole(RESULTS, f"{{{lines}}}\n".encode())
        print(contest.key, flush=True)


if __name__ == "__main__":
    typer.run(main)
