"""No seat learns hidden information from observations, masks, views or determinizations."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from pocketmars_env import Game, View, observation_pieces
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER, CARD_SUIT
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.pocket_mars.testing import (
    check_no_leak,
    check_told_apart,
    play_random_game,
    seen_by,
)
from tests.agents.test_peeking import reachable
from tests.builders import COMMS_CENTER, GREENHOUSE, given, seat
from tests.changed_positions import changed, permuted
from tests.fuzz.amounts import inputs
from tests.modes import MODES
from tests.pairs import back, pairs_of, suits

# --- determinizations -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_no_seat_can_tell_sampled_worlds_apart(mode: str) -> None:
    for seed in range(10 if MODES[mode].get("mode") == "solo" else 2):
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


def test_a_guess_in_a_snapshot_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    presentation = presentation_of(SPEC)
    see = presentation.seat_view
    monkeypatch.setattr(presentation, "seat_view", lambda states, viewpoint: see(states, None))
    with pytest.raises(AssertionError, match="by its snapshot"):
        check_no_leak(Game(seed=1))


def test_a_snapshot_of_a_view_marks_hidden_cards_as_unknown() -> None:
    game = Game(players=3, seed=4)
    data, hands = game.view(1).snapshot(), [set(seat["hand"]) for seat in game.snapshot()["seats"]]
    assert json.loads(json.dumps(data)) == data
    shown = [{card["card"] for card in seat["hand"]} for seat in data["seats"]]
    assert shown == [{None}, hands[1], {None}]
    backs = Counter(card["suit"] for card in data["seats"][0]["hand"])
    assert backs == Counter(int(CARD_SUIT[card]) for card in hands[0])  # the backs show the suits
    assert data["deck"] == len(game.snapshot()["deck"])


# --- soundness and completeness ----------------------------------------------------------------------


def positions(mode: str, count: int, rng: np.random.Generator) -> Iterator[Game]:
    """Yield positions of random games: all those of the setup, and one in five of the others."""
    made = 0
    while made < count:
        handicap = int(rng.integers(21)) if MODES[mode].get("mode") == "solo" else 0
        game = Game(**MODES[mode], handicap=handicap, seed=int(rng.integers(2**32)))
        while not game.over and made < count:
            if game.decision in ("DRAFT", "PREP") or rng.random() < 0.2:
                made += 1
                yield game
            game.step(int(rng.choice(game.legal)))


def same_for(game: Game, other: Game, seat: int) -> dict[str, bool]:
    """Return whether the observation, the mask and the view of a seat are the same in two games."""
    view, other_view = game.view(seat), other.view(seat)
    return {
        "observation": np.array_equal(game.observe(seat), other.observe(seat)),
        "mask": np.array_equal(game.mask(seat), other.mask(seat)),
        "snapshot": view.snapshot() == other_view.snapshot(),
        "view": view.states.tobytes() == other_view.states.tobytes(),  # all that a bot receives
    }


@pytest.mark.parametrize("mode", MODES)
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(mode: str) -> None:
    count, moved = inputs(50), 0
    rng = np.random.default_rng(17)
    for game in positions(mode, count, rng):
        seat = int(rng.integers(game.config.seats))
        other = permuted(game, seat, rng)
        assert all(same_for(game, other, seat).values()), (same_for(game, other, seat), game.to_text())
        assert seen_by(game, seat) == seen_by(other, seat)
        moved += game.snapshot() != other.snapshot()
    assert moved > count * 0.7


@pytest.mark.parametrize("mode", MODES)
def test_positions_that_a_seat_can_tell_apart_are_shown_differently(mode: str) -> None:
    count, apart = inputs(50), 0
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
    with pytest.raises(AssertionError, match=r"its information sets differ in \['discard'\]"):
        check_told_apart(game, other)


# --- pairs of games that differ in hidden cards -----------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_sampled_worlds_stay_alike_while_a_seat_is_shown_the_same(mode: str) -> None:
    games = 30 if MODES[mode].get("mode") == "solo" else 4
    compared = pairs_of(mode, games, rate=0.025, is_sampled=True)
    assert compared.total() > 50
    assert len(compared) > 5, f"few kinds of decisions were compared: {compared}"


@pytest.mark.parametrize("mode", MODES)
def test_exchanged_cards_stay_hidden_while_a_seat_is_shown_the_same(mode: str) -> None:
    games = {2: 4, 3: 2, 4: 1}.get(MODES[mode].get("players", 1), 50)
    compared = pairs_of(mode, games, rate=0.0075, is_sampled=False)
    assert compared.total() > 37
    assert len(compared) > 5, f"few kinds of decisions were compared: {compared}"


# --- determinizations of a position ---------------------------------------------------------------


def small_position() -> Game:
    """Return a game in which seat 0 does not know 7 cards: seat 1's hand and a prep card, and the deck."""
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
    """Return the cards in the hand and prep slots of seat 1 and in the deck."""
    data = game.snapshot()
    return (tuple(data["seats"][1]["hand"]), tuple(data["seats"][1]["prep"]), tuple(data["deck"]))


def test_every_world_that_fits_is_sampled_equally_often() -> None:
    game = small_position()
    known = game.snapshot()["seats"][1]["prep"][1]
    game = Game.from_snapshot(with_knowledge(game.snapshot(), 0, known), game.resume_state())
    view, rng = game.view(0), np.random.default_rng(1)
    worlds = Counter(world_of(view.sample(rng)) for _ in range(5_000))
    # hand: a Comms and a Greenhouse; prep: a Comms; top of the deck: a Comms; three cards below in any order
    comms_orders, greenhouses, rest_orders = 6, 2, 6
    assert len(worlds) == comms_orders * greenhouses * rest_orders
    assert chisquare(list(worlds.values())).pvalue > 0.001
    for hand, prep, deck in worlds:
        assert suits(list(hand)) == [GREENHOUSE, COMMS_CENTER]
        assert (back(prep[0]), prep[1], back(deck[0])) == (COMMS_CENTER, known, COMMS_CENTER)


def with_knowledge(data: Snapshot, number: int, card: int) -> Snapshot:
    """Add a card to those that a seat knows in a snapshot, in place, and return it."""
    data["seats"][number]["knows"] = sorted({*data["seats"][number]["knows"], card})
    return data


def places(data: Snapshot) -> dict[tuple[Any, ...], list[int]]:
    """Return the cards of a snapshot by place; the cards of one suit in a hand share a place."""
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
    assert view.observation.any()  # observation and mask are computed on first access
    assert view.mask.any()
    contents = reachable(view)
    view.sample(np.random.default_rng(0)).step(view.legal[0])
    assert game.to_bytes() == before
    assert reachable(view) == contents


# --- what a view holds ----------------------------------------------------------------------------


def test_a_view_has_no_way_to_the_game() -> None:
    game = Game(players=2, seed=3)
    view = game.view(1)
    assert isinstance(view, View)
    assert not np.shares_memory(view.states, game.states)
    assert view.states.tobytes() != game.to_bytes()
    with pytest.raises(ValueError, match="seat"):
        game.view(2)
