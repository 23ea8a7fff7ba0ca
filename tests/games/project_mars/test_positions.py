"""Properties of random games in all modes, and positions as plain data."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pocketmars_env.core import testing
from pocketmars_env.core.testing import ensure
from pocketmars_env.games.project_mars.game import Game, Games
from pocketmars_env.games.project_mars.rules.actions import PASS
from pocketmars_env.games.project_mars.rules.cards import CARDS, NUM_FIELD_TYPES, NUM_TYPES, STARTER_DECKS
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, HAND_LIMIT, MAX_TRADES
from pocketmars_env.games.project_mars.snapshots.notation import snapshot
from pocketmars_env.games.project_mars.spec import MAX_DECISIONS, SPEC
from tests.games.project_mars.modes import MODES


def check_position(game: Game) -> None:
    """Check the invariants of a position: those of every game and those of Project Mars."""
    testing.check_invariants(game)
    testing.check_clone(game)
    testing.check_no_leak(game)
    ensure(game.over or len(game.legal) > 1, game, "a decision has one legal action")
    data = json.loads(json.dumps(game.snapshot()))
    for seat in data["seats"]:
        ensure(len(seat["hand"]) <= HAND_LIMIT, game, "a hand is too large")
    exact = Game.from_snapshot(data, json.loads(json.dumps(game.resume_state())))
    ensure(exact.to_bytes() == game.to_bytes(), game, "snapshot and resume state give another game")
    ensure(Game.from_snapshot(data, seed=0).snapshot() == data, game, "the snapshot gives another one")
    record = np.frombuffer(game.to_bytes(), dtype=SPEC.state)
    ensure(Game.from_state(record).to_bytes() == game.to_bytes(), game, "the record is refused")


@pytest.mark.parametrize("mode", MODES)
def test_invariants_hold_in_random_games(mode: str) -> None:
    for seed in range(2):
        game = testing.play_random_game(Game, seed, check_position, **MODES[mode])
        assert game.over
        assert len(game.actions) < MAX_DECISIONS
        assert Game.from_text(game.to_text()).to_bytes() == game.to_bytes()


def views(game: Game, seat: int) -> dict[str, Any]:
    """Return the view of a seat as the interface specification defines it."""
    data = game.snapshot()
    own, other = data["seats"][seat], data["seats"][1 - seat]
    own["deck"] = sorted(own["deck"])
    hidden = Counter(other["hand"]) - Counter(other["revealed"])
    hidden += Counter(other["back_hand"]) - Counter(other["back_revealed"])
    other["pool"] = sorted((hidden + Counter(other["aside"]) + Counter(other["deck"])).elements())
    for zone in ("hand", "back_hand", "aside", "deck"):
        other[zone] = len(other[zone])
    return data


@pytest.mark.parametrize("mode", MODES)
def test_determinizations_have_the_same_view(mode: str) -> None:
    rng = np.random.default_rng(1)

    def check(game: Game) -> None:
        for seat in range(2):
            world = game.view(seat).sample(rng)
            assert views(world, seat) == views(game, seat)

    testing.play_random_game(Game, 3, check, **MODES[mode])


def test_the_same_seed_gives_the_same_game_in_batches_and_alone() -> None:
    games = Games(4, seed=7, mode="random")
    rng = np.random.default_rng(0)
    singles = [Game(mode="random", seed=7 + k) for k in range(4)]
    while not games.over.all():
        actions = games.random_actions()
        for k, single in enumerate(singles):
            if not single.over:
                single.step(int(actions[k]))
        games.step(actions, ~games.over)
        k = int(rng.integers(4))
        assert snapshot(games.states, k) == singles[k].snapshot()


def test_given_decks_do_not_change_the_chance_of_a_seed() -> None:
    drawn = Game(seed=5)
    lists = [tuple(seat["decklist"]) for seat in drawn.snapshot()["seats"]]
    starters = {deck: name for name, deck in STARTER_DECKS.items()}
    named = Game(seed=5, deck_0=starters[lists[0]], deck_1=starters[lists[1]])
    built = Game(seed=5, mode="constructed", deck_0=list(lists[0]), deck_1=list(lists[1]))
    for other in (named, built):
        assert [seat["deck"] for seat in other.snapshot()["seats"]] == [
            seat["deck"] for seat in drawn.snapshot()["seats"]
        ]


def test_the_state_is_smaller_than_a_kilobyte() -> None:
    assert SPEC.state.itemsize <= 1024


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mode": "duel"}, "mode must be one of"),
        ({"deck_0": "robots"}, "deck_0 must be one of machines, infantry"),
        ({"mode": "random", "deck_0": "motor"}, "deck_0 must be None with mode='random'"),
        ({"mode": "same", "deck_1": "motor"}, "deck_1 must be None with mode='same'"),
        ({"copies": 0}, r"copies must be an integer in 1\.\.30, got 0"),
        ({"mode": "constructed"}, "deck_0 must be a list of 30 card types, got None"),
        ({"mode": "constructed", "deck_0": [27] * 30}, r"card types in 0\.\.26"),
        ({"mode": "constructed", "deck_0": [22] * 4 + [0] * 26}, "at most 3 UTILITY cards, got 4"),
        ({"mode": "constructed", "deck_0": [0] * 30, "copies": 3}, "at most 3 copies of a type, got 30 of 0"),
        ({"players": 3}, "a game of Project Mars got an unexpected keyword argument 'players'"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Game(seed=0, **settings)


# --- impossible positions -----------------------------------------------------------------------------------


def at_keep(data: dict[str, Any]) -> None:
    """Turn the snapshot before the first mulligan into one in which seat 0 chooses the cards to keep."""
    data.update(decision="KEEP", left=0, first_seat=0)
    for seat in data["seats"]:
        seat["back_hand"], seat["hand"] = seat["hand"], []


def with_a_float_as_seat(data: dict[str, Any]) -> None:
    data["asked_seat"] = float(data["asked_seat"])


def with_a_short_hand(data: dict[str, Any]) -> None:
    data["seats"][1]["deck"].append(data["seats"][1]["hand"].pop())


def with_a_used_card(data: dict[str, Any]) -> None:
    data["seats"][1]["junkyard"].append(data["seats"][1]["deck"].pop())


def with_a_revealed_card(data: dict[str, Any]) -> None:
    data["seats"][1]["revealed"].append(data["seats"][1]["hand"][0])


def found(decision: str, is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the snapshot of a position of a random game with a given decision and property."""
    for seed in range(400):
        game, rng = Game(seed=seed, mode="random"), np.random.default_rng(seed)
        while not game.over:
            if game.decision == decision and is_wanted(game.snapshot()):
                return game.snapshot()
            game.step(int(rng.choice(game.legal)))
    raise AssertionError(f"no game has {decision}")


def is_of_sinkhole(data: dict[str, Any]) -> bool:
    return bool(CARDS[data["effect"]["card"]].name == "Sinkhole")


def with_more_to_destroy(data: dict[str, Any]) -> None:
    data["left"] = 8


def without_utilities(data: dict[str, Any]) -> None:
    side = data["seats"][data["asked_seat"]]
    utilities = [card for card in side["deck"] if card >= NUM_FIELD_TYPES]
    side["deck"] = [card for card in side["deck"] if card < NUM_FIELD_TYPES]
    side["junkyard"] = sorted(side["junkyard"] + utilities)


def without_a_deck(data: dict[str, Any]) -> None:
    side = data["seats"][data["asked_seat"]]
    side["junkyard"], side["deck"] = sorted(side["junkyard"] + side["deck"]), []


def with_many_cards(data: dict[str, Any]) -> None:
    side = data["seats"][data["asked_seat"]]
    number = HAND_LIMIT + 1 - len(side["hand"]) - len(side["back_hand"])
    side["hand"], side["deck"] = sorted(side["hand"] + side["deck"][:number]), side["deck"][number:]


@pytest.mark.parametrize(
    ("decision", "is_wanted", "change"),
    [
        ("TARGET", is_of_sinkhole, with_more_to_destroy),
        ("DISCARD", is_of_sinkhole, with_more_to_destroy),
        ("GIVE", lambda data: True, without_utilities),
        ("MULLIGAN", lambda data: data["round"] > 1 and data["left"] == MAX_TRADES, without_a_deck),
        ("KEEP", lambda data: len(data["seats"][data["asked_seat"]]["deck"]) > HAND_LIMIT, with_many_cards),
    ],
)
def test_a_position_without_a_sensible_decision_is_refused(
    decision: str, is_wanted: Callable[[dict[str, Any]], bool], change: Callable[[dict[str, Any]], None]
) -> None:
    data = found(decision, is_wanted)
    assert Game.from_snapshot(data, seed=0).snapshot() == data
    change(data)
    with pytest.raises(ValueError, match="bad snapshot"):
        Game.from_snapshot(data, seed=0)


@pytest.mark.parametrize(
    "change", [at_keep, with_a_float_as_seat, with_a_short_hand, with_a_used_card, with_a_revealed_card]
)
def test_a_game_begins_with_ten_cards_and_a_mulligan(change: Callable[[dict[str, Any]], None]) -> None:
    data = Game(seed=1).snapshot()
    assert Game.from_snapshot(data, seed=0).snapshot() == data
    change(data)
    with pytest.raises(ValueError, match="bad snapshot"):
        Game.from_snapshot(data, seed=0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"page": 1}, r"a resume state has the keys \['copies', .*\], got"),
        ({"copies": 0}, r"bad resume state: copies must be an integer in 1\.\.30, got 0"),
        ({"copies": True}, r"bad resume state: copies must be an integer in 1\.\.30, got True"),
    ],
)
def test_bad_resume_states_are_refused(changes: dict[str, Any], message: str) -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match=message):
        Game.from_snapshot(game.snapshot(), {**game.resume_state(), **changes})


def test_a_given_order_holds_the_cards_that_are_shuffled() -> None:
    game = Game(seed=1)
    seat = game.to_play
    game.step(game.legal[-1])
    side = game.snapshot()["seats"][seat]
    cards = [*side["deck"], *side["aside"]]
    other = game.clone()
    with pytest.raises(ValueError, match="at least one card"):
        other.stack_chance([[]])
    other.stack_chance([[*cards[:-1], next(card for card in range(len(CARDS)) if card != cards[-1])]])
    with pytest.raises(ValueError, match="given order"):
        other.step(PASS)
    game.stack_chance([cards])
    game.step(PASS)
    assert game.snapshot()["seats"][seat]["deck"] == cards


TWO_OF_EACH = [card for card in range(DECK_SIZE // 2) for _ in range(2)]


def dealt() -> dict[str, Any]:
    """Return a deal with the same starter deck for both seats."""
    deck = list(STARTER_DECKS[next(iter(STARTER_DECKS))])
    return {"decklists": [deck, deck], "decks": [deck, deck], "first_seat": 0}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"deck_1": list(STARTER_DECKS)[1]}, "the deck of seat 1 in the deal is not"),
        ({"mode": "constructed", "deck_0": TWO_OF_EACH, "deck_1": TWO_OF_EACH, "copies": 2}, "at most 2"),
    ],
)
def test_settings_fit_the_decks_of_a_deal(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.from_deal(dealt(), seed=1, **settings)


def test_the_mode_same_has_one_deck() -> None:
    deal = dealt()
    assert Game.from_deal(deal, seed=1, mode="same").config.mode == "same"
    other = list(STARTER_DECKS["motor"])
    assert other != deal["decks"][1]
    deal["decklists"][1] = deal["decks"][1] = other
    with pytest.raises(ValueError, match="the decks of the deal must have the same cards"):
        Game.from_deal(deal, seed=1, mode="same")
    snapshot = Game.from_deal(deal, seed=1).snapshot()
    with pytest.raises(ValueError, match="the deck lists must be equal"):
        Game.from_snapshot({**snapshot, "mode": "same"})


def test_a_game_does_not_share_its_deal_with_the_caller() -> None:
    deal = dealt()
    game = Game.from_deal(deal, seed=1)
    written = game.to_text()
    deal["decks"][0].reverse()
    game.origin["deal"]["decks"][0].reverse()
    assert game.to_text() == written


def test_any_number_of_reveals_can_be_given() -> None:
    game = Game.from_deal(dealt(), seed=1)
    for _ in range(2):
        game.stack_chance(reveals=[0] * 20)
    assert Game.from_text(game.to_text()).origin == game.origin


@pytest.mark.parametrize("card", [-128, -2, NUM_TYPES, 127])
def test_a_record_with_a_card_that_does_not_exist_is_refused_before_a_kernel_reads_it(card: int) -> None:
    for seat in range(2):
        for slot in range(8):
            states = Game(seed=1).states.copy()
            states["seats"]["card"][0, seat, slot], states["seats"]["owner"][0, seat, slot] = card, seat
            with pytest.raises(ValueError, match="a card on a field does not exist"):
                Game.from_state(states)
