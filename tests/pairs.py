"""Pairs of games that differ only in cards hidden from a seat, played on side by side.

Two games that a seat cannot tell apart are played on side by side. The seat itself answers the same in
both; another seat answers in the second game what looks the same from outside. For as long as the seat
is shown the same, it must be asked the same, with the same observation and the same mask.
"""

from collections import Counter
from typing import Any

import numpy as np

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.actions import ACCEPT, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, CARDS
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, Op
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from tests.modes import MODES

FROM_OWN_PREP = {"SWAP_PREP"}
FROM_HAND_OR_PREP = {"PUT_UNDER"}
FROM_HAND = {"DRAFT", "PREP", "FILL", "SWAP_HAND", "KEEP"}
"""Decisions whose CARD answers move a card that stays hidden from the other seats."""

LOOKING_CARDS = {number for number, card in enumerate(CARDS) if (Op.LOOK, 1) in card.bottom}


def suits(cards: list[int]) -> list[int]:
    """What the backs of a hand show."""
    return sorted(int(CARD_SUIT[card]) for card in cards)


def back(card: int | None) -> int | None:
    """What the back of a card in a prep slot shows."""
    return None if card is None else int(CARD_SUIT[card])


def shown(game: Game, viewer: int) -> dict[str, Any]:
    """What lies open, what the backs show, and the viewer's own cards: read from the table alone."""
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
    """The cards that were put under the deck."""
    return list(data["deck"][len(data["deck"]) - data["under"] :])


def like_answers(game: Game, action: int, other: Game) -> list[int]:
    """The legal actions of `other` that look, from outside, like `action` does in `game`."""
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
    """What others see of the place that an owner's card leaves: the prep slot, or its back."""
    prep = game.snapshot()["seats"][owner]["prep"]
    return ("prep", prep.index(card)) if card in prep else ("hand", int(CARD_SUIT[card]))


def may_look(game: Game, action: int) -> bool:
    """Whether the answer may let the asked seat look into a prep module."""
    is_accepted = action == ACCEPT and game.resume_state()["played"] in LOOKING_CARDS
    return game.decision == "LOOK" or (game.decision == "BOTTOM" and is_accepted)


def preps(game: Game) -> list[list[int | None]]:
    """The cards in all prep modules."""
    return [entry["prep"] for entry in game.snapshot()["seats"]]


def assert_same_view(game: Game, other: Game, viewer: int) -> None:
    """The viewer is asked the same and sees the same in both games."""
    at = f"seat {viewer} at {game!r}, {other!r}:\n{game.to_text()}"
    assert (game.to_play, game.decision) == (other.to_play, other.decision), at
    assert np.array_equal(game.observe(viewer), other.observe(viewer)), at
    assert np.array_equal(game.mask(viewer), other.mask(viewer)), at


def play_pair(game: Game, other: Game, viewer: int, rng: np.random.Generator) -> Counter[str]:
    """Play both on until the viewer is shown something different; counts the decisions compared."""
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
    """The game with two hidden cards of one suit exchanged, one of them not of the deck, if it can be.

    What other seats know stays with the places. Unlike a sampled world it has the same draws for a
    while, so that such a pair stays alike for long.
    """
    data, resume_state = game.snapshot(), game.resume_state()
    hidden = set(range(35)) - set(data["seats"][viewer]["knows"]) - set(data["deck"][:SAME_DRAWS])
    outside = sorted(hidden - set(data["deck"]))
    pairs = [(a, b) for a in outside for b in sorted(hidden) if a != b and CARD_SUIT[a] == CARD_SUIT[b]]
    if not pairs:
        return None
    first, second = pairs[rng.integers(len(pairs))]
    renamed = {first: second, second: first}
    drawn = {card for card in range(35) if resume_state["drawn"] >> card & 1}
    resume_state["drawn"] = sum(1 << renamed.get(card, card) for card in drawn)
    resume_state["picked"] = renamed.get(resume_state["picked"], resume_state["picked"])
    return Game.from_snapshot(with_cards_renamed(data, renamed), resume_state)


SAME_DRAWS = 12
"""The top cards of the deck that an exchange leaves alone."""


def with_cards_renamed(data: Snapshot, renamed: dict[int, int]) -> Snapshot:
    """A snapshot in which cards have changed places."""

    def new(card: int) -> int:
        return renamed.get(card, card)

    for entry in data["seats"]:
        for key in ("hand", "packet", "knows"):
            if key in entry:
                entry[key] = sorted(new(card) for card in entry[key])
        entry["prep"] = [None if card is None else new(card) for card in entry["prep"]]
        if "pending" in entry:
            entry["pending"] = [new(card) for card in entry["pending"]]
    data["deck"] = [new(card) for card in data["deck"]]
    data["piles"] = [[[new(card), is_up] for card, is_up in pile] for pile in data["piles"]]
    return data


def is_as_far(game: Game, other: Game) -> bool:
    """Whether the asked seat has chosen as many cards of the setup: no other seat can see how many."""
    return game.resume_state()["served"] == other.resume_state()["served"]


def pairs_of(mode: str, games: int, rate: float, is_sampled: bool) -> Counter[str]:
    """Start pairs at this rate in random games, for every seat; counts the decisions compared."""
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
