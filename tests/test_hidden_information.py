"""No seat learns what it may not know: from observations, masks, views or sampled worlds."""

from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from pocketmars_env import Game, View, observation_pieces
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.rules.actions import ACCEPT, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER, CARD_SUIT, CARDS
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, Op
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.testing import (
    check_no_leak,
    check_told_apart,
    play_random_game,
    seen_by,
)
from tests.builders import COMMS_CENTER, GREENHOUSE, given, seat
from tests.changed_positions import changed, permuted
from tests.fuzz.amounts import inputs
from tests.modes import AMOUNTS, MODES

# --- random worlds --------------------------------------------------------------------------------


@AMOUNTS
@pytest.mark.parametrize("mode", MODES)
def test_no_seat_can_tell_sampled_worlds_apart(mode: str, share: float) -> None:
    for seed in range(ceil((40 if MODES[mode].get("mode") == "solo" else 6) * share)):
        play_random_game(seed=seed, check=check_no_leak, **MODES[mode])


class Leaking(Game):
    """A game whose observation shows the bottom card of the deck."""

    def observe(self, seat: int | None = None) -> Any:
        observation = super().observe(seat)
        observation[0] = self.snapshot()["deck"][-1] / 35
        return observation


def test_a_leak_is_noticed() -> None:
    with pytest.raises(AssertionError, match="seat 0 can tell determinizations apart by its observation"):
        check_no_leak(Leaking(seed=1))


# --- soundness and completeness ----------------------------------------------------------------------


def positions(mode: str, count: int, rng: np.random.Generator) -> Iterator[Game]:
    """Positions of random games, each one in five of its games, or all of the setup."""
    made = 0
    while made < count:
        handicap = int(rng.integers(21)) if MODES[mode].get("mode") == "solo" else 0
        game = Game(**MODES[mode], handicap=handicap, seed=int(rng.integers(2**32)))
        while not game.over and made < count:
            if game.decision in ("DRAFT", "PREP") or rng.random() < 0.2:
                made += 1
                yield game
            game.step(int(rng.choice(game.legal())))


def same_for(game: Game, other: Game, seat: int) -> dict[str, bool]:
    """What of two games is the same for a seat."""
    view, other_view = game.view(seat), other.view(seat)
    return {
        "observation": np.array_equal(game.observe(seat), other.observe(seat)),
        "mask": np.array_equal(game.mask(seat), other.mask(seat)),
        "view": view.states.tobytes() == other_view.states.tobytes(),  # all that a bot is handed
    }


@AMOUNTS
@pytest.mark.parametrize("mode", MODES)
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(mode: str, share: float) -> None:
    count, moved = inputs(round(200 * share)), 0
    rng = np.random.default_rng(17)
    for game in positions(mode, count, rng):
        seat = int(rng.integers(game.config.seats))
        other = permuted(game, seat, rng)
        assert all(same_for(game, other, seat).values()), (same_for(game, other, seat), game.to_text())
        assert seen_by(game, seat) == seen_by(other, seat)
        moved += game.snapshot() != other.snapshot()
    assert moved > count * 0.7


@AMOUNTS
@pytest.mark.parametrize("mode", MODES)
def test_positions_that_a_seat_can_tell_apart_are_shown_differently(mode: str, share: float) -> None:
    count, apart = inputs(round(200 * share)), 0
    rng = np.random.default_rng(18)
    for game in positions(mode, count, rng):
        other = changed(game, rng)
        check_told_apart(game, other)
        apart += any(seen_by(game, seat) != seen_by(other, seat) for seat in range(game.config.seats))
    assert apart > count * 0.4


class Forgetful(Game):
    """A game whose observation does not show the order of cards."""

    def observe(self, seat: int | None = None) -> Any:
        observation = super().observe(seat)
        observation_pieces(observation)["depth"][:] = 0
        return observation


def test_a_gap_is_noticed() -> None:
    game = Forgetful.from_snapshot(given(seat(), seat(), discard=["Comms 1", "Comms 2"]).snapshot(), seed=0)
    other = Forgetful.from_snapshot(given(seat(), seat(), discard=["Comms 2", "Comms 1"]).snapshot(), seed=0)
    with pytest.raises(AssertionError, match=r"seat 0 is shown the same, but sees another \['discard'\]"):
        check_told_apart(game, other)


# --- pairs of games that differ in hidden cards -----------------------------------------------------
#
# Two games that a seat cannot tell apart are played on side by side. The seat itself answers the same
# in both; another seat answers in the second game what looks the same from outside. For as long as
# the seat is shown the same, it must be asked the same, with the same observation and the same mask.

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


@AMOUNTS
@pytest.mark.parametrize("mode", MODES)
def test_sampled_worlds_stay_alike_while_a_seat_is_shown_the_same(mode: str, share: float) -> None:
    games = 30 if MODES[mode].get("mode") == "solo" else 4
    compared = pairs_of(mode, games, rate=0.1 * share, is_sampled=True)
    assert compared.total() > 200 * share
    assert len(compared) > (10 if share == 1 else 5), f"few kinds of decisions were compared: {compared}"


@AMOUNTS
@pytest.mark.parametrize("mode", MODES)
def test_exchanged_cards_stay_hidden_while_a_seat_is_shown_the_same(mode: str, share: float) -> None:
    games = {2: 4, 3: 2, 4: 1}.get(MODES[mode].get("players", 1), 50)
    compared = pairs_of(mode, games, rate=0.03 * share, is_sampled=False)
    assert compared.total() > 150 * share
    assert len(compared) > (10 if share == 1 else 5), f"few kinds of decisions were compared: {compared}"


# --- sampled worlds -------------------------------------------------------------------------------


def small_position() -> Game:
    """Seat 0 does not know seven cards: a prep card and the hand of seat 1, and the deck."""
    hidden = ["Comms 1", "Comms 2", "Comms 3", "Greenhouse 1", "Greenhouse 2", "Aqualab 1", "Energy 1"]
    own = ["Habitation a", "Habitation b", "Habitation c", "Habitation d"]
    others = [name for name in CARD_NUMBER if name not in hidden + own]
    return given(
        seat(hand=own[:2], prep=own[2:]),
        seat(hand=["Comms 1", "Greenhouse 1"], prep=["Comms 2", others[0]], knows=[]),
        deck=["Comms 3", "Greenhouse 2", "Aqualab 1", "Energy 1"],
        discard=others[1:],
        piles={},
    )


def world_of(game: Game) -> tuple[Any, ...]:
    """The hidden cards of a position, by place."""
    data = game.snapshot()
    return (tuple(data["seats"][1]["hand"]), tuple(data["seats"][1]["prep"]), tuple(data["deck"]))


def test_every_world_that_fits_is_sampled_equally_often() -> None:
    game = small_position()
    known = game.snapshot()["seats"][1]["prep"][1]
    game = Game.from_snapshot(with_knowledge(game.snapshot(), 0, known), game.resume_state())
    view, rng = game.view(0), np.random.default_rng(1)
    worlds = Counter(world_of(view.sample(rng)) for _ in range(14_400))
    # hand: a Comms and a Greenhouse; prep: a Comms; top of the deck: a Comms; three cards below in any order
    comms_orders, greenhouses, rest_orders = 6, 2, 6
    assert len(worlds) == comms_orders * greenhouses * rest_orders
    assert chisquare(list(worlds.values())).pvalue > 0.001
    for hand, prep, deck in worlds:
        assert suits(list(hand)) == [GREENHOUSE, COMMS_CENTER]
        assert (back(prep[0]), prep[1], back(deck[0])) == (COMMS_CENTER, known, COMMS_CENTER)


def with_knowledge(data: Snapshot, number: int, card: int) -> Snapshot:
    """The snapshot in which a seat also knows a card."""
    data["seats"][number]["knows"] = sorted({*data["seats"][number]["knows"], card})
    return data


def places(data: Snapshot) -> dict[tuple[Any, ...], list[int]]:
    """The cards of a snapshot by place, as far as places can be told apart: a hand by suits."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for number, entry in enumerate(data["seats"]):
        for key in ("hand", "packet"):
            for card in entry.get(key, []):
                found.setdefault((key, number, int(CARD_SUIT[card])), []).append(card)
        for slot, card in enumerate(entry["prep"]):
            found["prep", number, slot] = [] if card is None else [card]
    for building, pile in enumerate(data["piles"]):
        for height, (card, is_up) in enumerate(pile):
            found["pile", building, height, is_up] = [card]
    for key in ("deck", "discard", "in_play"):
        for place, card in enumerate(data[key]):
            found[key, place] = [card]
    return found


@pytest.mark.parametrize("mode", MODES)
def test_sampled_worlds_keep_places_and_who_knows_them(mode: str) -> None:
    rng = np.random.default_rng(3)

    def check(game: Game) -> None:
        data = game.snapshot()
        viewer = int(rng.integers(len(data["seats"])))
        sampled = game.view(viewer).sample(rng).snapshot()
        true, other = places(data), places(sampled)
        assert {place: len(cards) for place, cards in true.items()} == {
            place: len(cards) for place, cards in other.items()
        }
        known = set(data["seats"][viewer]["knows"])
        for place, cards in true.items():
            assert known & set(cards) == known & set(other[place]), place
            for entry, entry_sampled in zip(data["seats"], sampled["seats"], strict=True):
                knowing = len(set(cards) & set(entry["knows"]))
                assert knowing == len(set(other[place]) & set(entry_sampled["knows"])), place

    play_random_game(seed=11, check=check, **MODES[mode])


def test_a_sampled_world_has_a_random_stream_of_its_own() -> None:
    game, rng = Game(seed=1), np.random.default_rng(5)
    first, second = game.view().sample(rng), game.view().sample(rng)
    streams = {world.resume_state()["seed"] for world in (game, first, second)}
    assert len(streams) == 3
    again = game.view().sample(np.random.default_rng(5))
    assert again.to_bytes() == first.to_bytes()


def test_sampling_changes_neither_game_nor_view() -> None:
    game = Game(players=3, seed=2)
    before, view = game.to_bytes(), game.view()
    assert view.observation.any()  # both are made when they are first read
    assert view.mask.any()
    contents = everything_in(view)
    view.sample(np.random.default_rng(0)).step(view.legal[0])
    assert game.to_bytes() == before
    assert everything_in(view) == contents


# --- what a view holds ----------------------------------------------------------------------------


def everything_in(value: object) -> object:
    """All that can be reached from an object, as comparable data."""
    if isinstance(value, GameSpec):
        return value.name  # the same for all games
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, value.tobytes(), everything_in(value.base))
    if isinstance(value, dict):
        return {key: everything_in(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | set):
        return [everything_in(entry) for entry in value]
    if hasattr(value, "__self__"):  # a bound method holds what it is bound to; mypy sees any object
        return (value.__qualname__, everything_in(value.__self__))  # type: ignore[attr-defined]
    if isinstance(value, type) or not hasattr(value, "__dict__"):
        return value
    return (type(value), everything_in(vars(value)))


@pytest.mark.parametrize("mode", MODES)
def test_views_of_two_games_with_the_same_view_hold_the_same(mode: str) -> None:
    rng = np.random.default_rng(9)
    differing = 0

    def check(game: Game) -> None:
        nonlocal differing
        for viewer in range(game.config.seats):
            other = game.view(viewer).sample(rng)
            differing += game.snapshot() != other.snapshot()
            assert everything_in(game.view(viewer)) == everything_in(other.view(viewer)), viewer

    play_random_game(seed=12, check=check, **MODES[mode])
    assert differing > 10


def test_a_view_has_no_way_to_the_game() -> None:
    game = Game(players=2, seed=3)
    view = game.view(1)
    assert isinstance(view, View)
    assert not np.shares_memory(view.states, game._states)
    assert view.states.tobytes() != game.to_bytes()
    with pytest.raises(ValueError, match=r"seat must be an integer in 0\.\.1, got 2"):
        game.view(2)
