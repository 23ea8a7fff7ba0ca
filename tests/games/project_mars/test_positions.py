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
from pocketmars_env.games.project_mars.rules.actions import CARD, PASS
from pocketmars_env.games.project_mars.rules.cards import CARDS, NUM_FIELD_TYPES, NUM_TYPES, STARTER_DECKS
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, HAND_LIMIT
from pocketmars_env.games.project_mars.snapshots.notation import Snapshot
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


@pytest.mark.parametrize("number", [-128, -1, 100, 127])
def test_records_of_small_games_that_do_not_exist_are_refused(number: int) -> None:
    record = np.frombuffer(bytearray(Game(seed=1).to_bytes()), dtype=SPEC.state)
    record["small"] = number
    with pytest.raises(ValueError, match=r"record|snapshot"):
        Game.from_state(record)


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
        assert games.snapshot(k) == singles[k].snapshot()


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
        ({"mode": "constructed"}, "deck_0: .*got None"),
        ({"mode": "constructed", "deck_0": [27] * 30}, r"deck_0: \[0\].*got 27"),
        ({"mode": "constructed", "deck_0": [22] * 4 + [0] * 26}, "at most 3 UTILITY cards, got 4"),
        ({"mode": "constructed", "deck_0": [0] * 30, "copies": 3}, "at most 3 copies of a type, got 30 of 0"),
        ({"players": 3}, "DuelConfig got an unexpected keyword argument 'players'"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Game(seed=0, **settings)


# --- refused positions --------------------------------------------------------------------------------------


def first_position(decision: str) -> Game:
    """Return a game at its first decision of a kind."""
    for seed in range(400):
        game, rng = Game(seed=seed, mode="random"), np.random.default_rng(seed)
        while not game.over:
            if game.decision == decision:
                return game
            game.step(int(rng.choice(game.legal)))
    raise AssertionError(f"no game has {decision}")


def to_play(data: Snapshot) -> Snapshot:
    seat: Snapshot = data["seats"][data["asked_seat"]]
    return seat


def junk(data: Snapshot, zone: str, first: int = 0) -> None:
    """Move the cards in a zone of the seat to play that are at least `first` to the junkyard."""
    seat = to_play(data)
    seat["junkyard"] = sorted(seat["junkyard"] + [card for card in seat[zone] if card >= first])
    seat[zone], seat["revealed"] = [card for card in seat[zone] if card < first], []


BAD_SNAPSHOTS: list[tuple[str, Callable[[Snapshot], Any], str]] = [
    ("TURN", lambda data: data.update(round=4), "round"),
    ("TURN", lambda data: data["seats"][1]["field"].append(None), r"seats\[1\]\.field"),
    ("TURN", lambda data: data["seats"][1].update(tpr=99), "tpr"),
    ("TURN", lambda data: data["seats"][0]["hand"].reverse(), "hand"),
    ("TURN", lambda data: data.update(results=[[1, 1]] * 3), "results"),
    ("TURN", lambda data: data["seats"][0].update(wins=1), "wins"),
    ("TURN", lambda data: data.update(asked_seat=None), "asked_seat"),
    ("TURN", lambda data: data.update(turn_seat=None), "turn_seat"),
    ("TURN", lambda data: data.update(first_seat=None), "first_seat"),
    ("TURN", lambda data: data.update(left=1), "left"),
    ("TURN", lambda data: data["seats"][0]["deck"].append(0), "deck list"),
    ("TURN", lambda data: data["seats"][0].update(revealed=[26] * 4), "lacks revealed cards"),
    ("KEEP", lambda data: to_play(data).update(back_revealed=[26] * 4), "lacks revealed cards"),
    ("DISCARD", lambda data: data.update(left=0), "left"),
    ("TARGET", lambda data: data.update(left=17), "left"),
    ("TARGET", lambda data: data.update(effect=None), "effect"),
    ("TARGET", lambda data: data["effect"].update(card=0, slot=None), "slot"),
    ("TRAP", lambda data: data["effect"].update(card=NUM_TYPES - 1, slot=None), "trap"),
    ("TRAP", lambda data: data["effect"].update(slot=to_play(data)["field"].index(None)), "slot"),
    ("COME_BACK", lambda data: data.update(asked_seat=1 - data["asked_seat"]), "asked_seat"),
    ("GIVE", lambda data: junk(data, "hand"), "no legal action"),
    ("GIVE", lambda data: junk(data, "deck", NUM_FIELD_TYPES), "UTILITY"),
]
"""Changes of snapshots at a decision that make them invalid, and what the error names."""


@pytest.mark.parametrize(("decision", "change", "place"), BAD_SNAPSHOTS, ids=range(len(BAD_SNAPSHOTS)))
def test_bad_snapshots_are_refused(decision: str, change: Callable[[Snapshot], Any], place: str) -> None:
    data = first_position(decision).snapshot()
    Game.from_snapshot(data, seed=0)
    change(data)
    with pytest.raises(ValueError, match=f"snapshot.*{place}"):
        Game.from_snapshot(data, seed=0)


@pytest.mark.parametrize(
    "changes",
    [
        *({"page": 1}, {"copies": 0}, {"copies": True}, {"seed": -1}, {"seed": 2**64}, {"shuffles": 100}),
        {"starter_0": 0},  # `first_position` has random decks
    ],
    ids=str,
)
def test_bad_resume_states_are_refused(changes: dict[str, Any]) -> None:
    game = first_position("TURN")
    with pytest.raises(ValueError, match=r"resume state|deck_0"):
        Game.from_snapshot(game.snapshot(), {**game.resume_state(), **changes})


def test_counters_of_random_events_start_again_at_0() -> None:
    start = first_position("MULLIGAN")
    game = Game.from_snapshot(start.snapshot(), {**start.resume_state(), "shuffles": 99})
    for _ in range(2):
        side = game.snapshot()["seats"][game.to_play or 0]
        game.step(CARD + side["hand"][0])
        side = game.snapshot()["seats"][game.to_play or 0]
        game.stack_chance([sorted([*side["deck"], *side["aside"]])])
        game.step(PASS)
    assert game.resume_state()["shuffles"] == 1
    assert Game.from_text(game.to_text()).to_bytes() == game.to_bytes()


def test_a_given_order_holds_the_cards_that_are_shuffled() -> None:
    game = Game(seed=1)
    seat = game.to_play
    game.step(game.legal[-1])
    side = game.snapshot()["seats"][seat]
    cards = [*side["deck"], *side["aside"]]
    other = game.clone()
    with pytest.raises(ValueError, match=r"shuffles: \[0\]"):
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
