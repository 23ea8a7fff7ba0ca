"""Plays pairs of games that differ only in cards hidden from one seat, the viewer.

Both games of a pair are played in parallel. The viewer takes the same action in both. When another seat
is to play, its action in the second game looks to the viewer like its action in the first one. As long as
the viewer sees the same in both games, the seat to play, the decision, and the viewer's observation and
mask must be the same.
"""

from collections import Counter
from typing import Any

import numpy as np

from pocketmars_env import Game
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.games.pocket_mars.rules.actions import ACCEPT, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, CARDS
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, Op
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.changed_positions import renamed
from tests.modes import MODES

FROM_OWN_PREP = {"SWAP_PREP"}
FROM_HAND_OR_PREP = {"PUT_UNDER"}
FROM_HAND = {"DRAFT", "PREP", "FILL", "SWAP_HAND", "KEEP"}
"""Decisions whose CARD actions move a card that stays hidden from the other seats."""

LOOKING_CARDS = {number for number, card in enumerate(CARDS) if (Op.LOOK, 1) in card.bottom}


def suits(cards: list[int]) -> list[int]:
    """Return the suits that the card backs of a hand show, sorted."""
    return sorted(int(CARD_SUIT[card]) for card in cards)


def back(card: int | None) -> int | None:
    """Return the suit that the back of a card in a prep slot shows; None for an empty slot."""
    return None if card is None else int(CARD_SUIT[card])


def shown(game: Game, viewer: int) -> dict[str, Any]:
    """Return what the viewer can see, taken from the snapshot: open cards, card backs, tracks, own cards."""
    data = game.snapshot()
    own = data["seats"][viewer]
    is_da = data["mode"] == "solo" and viewer == DA_SEAT
    return {
        **{key: data[key] for key in ("round", "over", "discard", "in_play", "under")},
        "active_seat": None if "pending" in own else data["active_seat"],
        "deck": (len(data["deck"]), [back(card) for card in [*data["deck"][:1], *put_under(data)]]),
        "piles": [[card if is_up else None for card, is_up in pile] for pile in data["piles"]],
        "backs": [
            (suits(entry["hand"] + entry.get("packet", [])), [back(card) for card in entry["prep"]])
            for entry in data["seats"]
        ],
        "own": None if is_da else [own.get(key) for key in ("hand", "prep", "packet", "pending")],
        "tracks": [
            [entry[key] for key in ("earth", "ship", "energy", "star", "star2")] for entry in data["seats"]
        ],
    }


def put_under(data: Snapshot) -> list[int]:
    """Return the cards that were put under the deck."""
    return list(data["deck"][len(data["deck"]) - data["under"] :])


def like_answers(game: Game, action: int, other: Game) -> list[int]:
    """Return the legal actions in `other` that look to the other seats like `action` does in `game`."""
    block, card = block_of(action)
    decision, to_play = game.decision or "", game.to_play or 0
    if block.name != "CARD" or decision not in FROM_HAND | FROM_OWN_PREP | FROM_HAND_OR_PREP:
        return [action] if action in other.legal() else []
    return [
        answer
        for answer in other.legal()
        if block_of(answer)[0].name == "CARD"
        and place_shown(other, to_play, block_of(answer)[1]) == place_shown(game, to_play, card)
    ]


def place_shown(game: Game, owner: int, card: int) -> tuple[str, int]:
    """Return what other seats see of a card that its owner moves: its prep slot, or its suit in the hand."""
    prep = game.snapshot()["seats"][owner]["prep"]
    return ("prep", prep.index(card)) if card in prep else ("hand", int(CARD_SUIT[card]))


def may_look(game: Game, action: int) -> bool:
    """Return whether the action may let the seat to play look into a prep module."""
    is_accepted = action == ACCEPT and game.resume_state()["played"] in LOOKING_CARDS
    return game.decision == "LOOK" or (game.decision == "BOTTOM" and is_accepted)


def preps(game: Game) -> list[list[int | None]]:
    """Return the cards in all prep modules."""
    return [entry["prep"] for entry in game.snapshot()["seats"]]


def assert_same_view(game: Game, other: Game, viewer: int) -> None:
    """Assert that both games have the same decision, and the same observation and mask for the viewer."""
    at = f"seat {viewer} at {game!r}, {other!r}:\n{game.to_text()}"
    assert (game.to_play, game.decision) == (other.to_play, other.decision), at
    assert np.array_equal(game.observe(viewer), other.observe(viewer)), at
    assert np.array_equal(game.mask(viewer), other.mask(viewer)), at


def play_pair(game: Game, other: Game, viewer: int, rng: np.random.Generator) -> Counter[str]:
    """Play both games until the viewer can tell them apart or they end; count the compared decisions."""
    compared: Counter[str] = Counter()
    while True:
        assert_same_view(game, other, viewer)
        if game.over:
            return compared
        compared[game.decision or ""] += 1
        action = int(rng.choice(game.legal()))
        alike = [action] if game.to_play == viewer else like_answers(game, action, other)
        if not alike:
            return compared
        if game.to_play == viewer and may_look(game, action) and preps(game) != preps(other):
            return compared
        game.step(action)
        other.step(int(rng.choice(alike)))
        if shown(game, viewer) != shown(other, viewer):
            return compared


def exchange_hidden(game: Game, viewer: int, rng: np.random.Generator) -> Game | None:
    """Return the game with two hidden cards of one suit exchanged, or None if there are no such cards.

    At least one of the two cards is not in the deck. A seat that knew the card at a place knows the new
    card there. Unlike in a determinization, the next draws are the same as in the original game, so it
    takes the viewer longer to tell the two games apart.
    """
    data = game.snapshot()
    hidden = set(range(35)) - set(data["seats"][viewer]["knows"]) - set(data["deck"][:SAME_DRAWS])
    outside = sorted(hidden - set(data["deck"]))
    pairs = [(a, b) for a in outside for b in sorted(hidden) if a != b and CARD_SUIT[a] == CARD_SUIT[b]]
    if not pairs:
        return None
    first, second = pairs[rng.integers(len(pairs))]
    states = copy_states(game.states)
    renamed(states[0], {first: second, second: first})
    exchanged = Game.of(SPEC, states)  # with the legal actions of `game`
    return Game.from_snapshot(exchanged.snapshot(), exchanged.resume_state())


SAME_DRAWS = 12
"""The number of cards at the top of the deck that `exchange_hidden` leaves in place."""


def is_as_far(game: Game, other: Game) -> bool:
    """Return whether equally many setup choices were made, a number that other seats cannot see."""
    return game.resume_state()["served"] == other.resume_state()["served"]


def pairs_of(mode: str, games: int, rate: float, is_sampled: bool) -> Counter[str]:
    """Start pairs at random decisions of random games, for every seat; count the compared decisions."""
    compared: Counter[str] = Counter()
    for seed in range(games):
        rng = np.random.default_rng(seed)
        game = Game(**MODES[mode], seed=seed)
        while not game.over:
            for viewer in range(game.config.seats):
                if rng.random() < rate:
                    view = game.view(viewer)
                    other = view.sample(rng) if is_sampled else exchange_hidden(game, viewer, rng)
                    if other is not None and is_as_far(game, other):
                        compared += play_pair(game.clone(), other, viewer, rng)
            game.step(int(rng.choice(game.legal())))
    return compared
