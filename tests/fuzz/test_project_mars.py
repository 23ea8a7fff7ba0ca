"""Changed positions, texts, deals and settings of Project Mars are refused or give valid games.

A position is refused with a one-line message, or it is *accepted*: every position reached from it has legal
actions or is finished, is accepted again, and shows no seat what is hidden.
"""

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from pocketmars_env.core import testing
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.gate import convert
from pocketmars_env.games.project_mars.config import MODES as MODES_OF_DECKS
from pocketmars_env.games.project_mars.config import DuelConfig
from pocketmars_env.games.project_mars.game import Game
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES, STARTER_DECKS
from pocketmars_env.games.project_mars.rules.constants import Decision
from pocketmars_env.games.project_mars.rules.state import new_states
from pocketmars_env.games.project_mars.snapshots.from_snapshot import fill
from pocketmars_env.games.project_mars.snapshots.notation import ZONES, Snapshot, blank_states, snapshot
from pocketmars_env.games.project_mars.snapshots.schema import ResumeState, TableSnapshot
from pocketmars_env.games.project_mars.spec import SPEC
from tests.fixed_play import play_fixed, play_on
from tests.fuzz.amounts import inputs
from tests.fuzz.mutations import mutated
from tests.games.project_mars.modes import MODES

Rng = np.random.Generator
BATCH = 256
"""How many accepted positions are played to the end together."""
MOST_STEPS = 2_000
"""More decisions than a game has that starts from an accepted position."""


@functools.cache
def positions_of(mode: str, seed: int) -> dict[str | None, list[Game]]:
    """Return the positions of a game by decision (None when the game is over)."""
    game = Game(seed=seed, **MODES[mode])
    found: dict[str | None, list[Game]] = {}
    for position in (game.clone(), *(reached.clone() for reached in play_fixed(game, seed))):
        found.setdefault(position.decision, []).append(position)
    return found


def random_position(rng: Rng) -> Game:
    """Return a random position of a game; all kinds of decisions in the game are equally likely."""
    positions = positions_of(pick(rng, [*MODES]), int(rng.integers(40)))
    game: Game = pick(rng, pick(rng, [*positions.values()]))
    return game


def pick(rng: Rng, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


# --- changes of snapshots -----------------------------------------------------------------------------


def move_cards(data: Snapshot, rng: Rng) -> None:
    """Move a random number of a seat's cards from one place to another."""
    seat = pick(rng, data["seats"])
    names = ("deck", "deck", "junkyard", *ZONES)
    source, target = seat[pick(rng, names)], seat[pick(rng, names)]
    size = pick(rng, [len(source), int(rng.integers(len(source) + 1)), min(1, len(source))])
    target += source[:size]
    del source[:size]


def change_a_slot(data: Snapshot, rng: Rng) -> None:
    """Empty a slot, or put a card from a hand, deck or junkyard into it."""
    number, slot = int(rng.integers(2)), int(rng.integers(8))
    source = data["seats"][number][pick(rng, ["hand", "deck", "junkyard"])]
    field = pick(rng, data["seats"])["field"]
    if field[slot] is not None:
        data["seats"][field[slot]["seat"]]["junkyard"].append(field[slot]["card"])
        field[slot] = None
    elif source:
        flags = {name: bool(rng.integers(2)) for name in ("zeroed", "disabled", "works")}
        bonus = pick(rng, [-128, 0, 2, 126, 127])
        field[slot] = {"card": pick(rng, source), "seat": number, "pwr": 0, "bonus": bonus, **flags}
        source.remove(field[slot]["card"])


SEATS, FLAGS = (None, 0, 1), (False, True)
VALUES: dict[str, Sequence[Any]] = {
    "decision": (None, *Decision.__members__), "over": FLAGS, "gas": FLAGS, "round": (1, 2, 3),
    "first_seat": SEATS, "turn_seat": SEATS, "asked_seat": SEATS, "left": (0, 1, 2, 3, 7, 16, 127),
    "mode": MODES_OF_DECKS, "passed": FLAGS, "utility_used": FLAGS, "utility": (None, *range(NUM_TYPES)),
    "wins": (0, 1, 2),
    "effect": [
        {"card": card, "seat": seat, "slot": slot}
        for card in range(NUM_TYPES) for seat in (0, 1) for slot in (None, *range(8))
    ],
}  # fmt: skip
"""Values of the snapshot and of its seats that `change_a_value` sets."""


def change_a_value(data: Snapshot, rng: Rng) -> None:
    part = pick(rng, [data, data, *data["seats"]])
    name = pick(rng, ["decision", *VALUES])
    part = part if name in part else data if name in data else data["seats"][0]
    part[name] = pick(rng, VALUES[name])
    finished = data["round"] - 1 + data["over"]
    data["results"] = [*data["results"], *[[pick(rng, [-128, 0, 9, 127]), 9] for _ in range(3)]][:finished]
    if data["over"]:
        data["decision"] = data["asked_seat"] = None


def consistent(data: Snapshot, resume_state: ResumeState) -> Snapshot:
    """Return a changed snapshot with sorted cards and correct derived values, if its form is right."""
    try:
        table = convert(data, TableSnapshot, "snapshot")
    except ValueError:
        return data
    states = blank_states(1, DuelConfig())
    fill(states[0], table, resume_state)
    return snapshot(states)


def changed(rng: Rng) -> Game | None:
    """Return a game at a changed position, or None if it is refused."""
    game = random_position(rng)
    kind, data, resume_state = int(rng.integers(8)), game.snapshot(), game.resume_state()
    if kind == 0:
        states = np.frombuffer(bytearray(game.to_bytes()), dtype=SPEC.state)
        raw = states.view(np.uint8).reshape(-1)
        raw[int(rng.integers(raw.size))] = pick(rng, [0, 1, 2, 9, 26, 30, 127, 128, 255])
        return one_line(Game.from_state, states)
    if kind == 1:
        data = mutated(data, rng)
    elif kind == 2:
        resume_state = mutated({**resume_state, "shuffles": 99, "reveals": 99, "draws": 2**32 - 1}, rng)
    else:
        for _ in range(kind - 2):
            pick(rng, [move_cards, change_a_slot, change_a_value, change_a_value])(data, rng)
        data = consistent(data, convert(resume_state, ResumeState, "resume state"))
    return one_line(Game.from_snapshot, data, resume_state)


# --- play ---------------------------------------------------------------------------------------------


def play_to_the_end(games: list[Game], seed: int) -> None:
    """Play accepted positions at random until all have ended, and check every position that is reached."""
    states = np.concatenate([game.states for game in games])
    words, actions = np.empty(len(states), dtype=np.uint64), np.empty(len(states), dtype=np.int64)
    for step in range(MOST_STEPS):
        check_batch(states, step)
        running = np.flatnonzero(states["over"] == 0)
        if not len(running):
            return
        SPEC.batch.choose_all(states, np.uint64(seed), step * len(states), words, actions)
        SPEC.batch.step_some(states, running, actions[running])
        for number in running:
            SPEC.codec.check_record(states[number : number + 1])
    raise AssertionError(f"{len(running)} games do not end")


def check_batch(states: States, step: int) -> None:
    """Check that unfinished games have legal actions, and that views show the same as their games."""
    seats = np.full(len(states), step % 2)
    masks = np.empty((len(states), SPEC.num_actions), dtype=np.int8)
    SPEC.batch.mask_all(states, masks)
    assert (masks.any(axis=1) == (states["over"] == 0)).all()
    views = new_states(len(states))
    SPEC.batch.views_of(states, np.arange(len(states)), seats, views)
    seen, shown = (np.empty((len(states), SPEC.observation_size), dtype=np.float32) for _ in range(2))
    SPEC.batch.observe_all(states, seats, seen, masks)
    SPEC.batch.observe_all(views, seats, shown, masks)
    assert np.array_equal(seen, shown)


@pytest.mark.parametrize("seed", range(2))
def test_positions_reached_from_changed_positions_are_accepted(seed: int) -> None:
    number_of_inputs, accepted = inputs(300), 0
    rng, waiting = np.random.default_rng([seed, number_of_inputs]), []
    for number in range(number_of_inputs):
        game = changed(rng)
        if game is not None:
            waiting.append(game)
            accepted += 1
        if len(waiting) == BATCH or (waiting and number == number_of_inputs - 1):
            play_to_the_end(waiting, number)
            waiting = []
    assert accepted > number_of_inputs // 10
    print(f"{accepted} of {number_of_inputs} positions accepted")


# --- texts, deals and settings --------------------------------------------------------------------------


def one_line(make: Callable[..., Game], *arguments: Any, **settings: Any) -> Game | None:
    """Return the game, or None if it is refused with a one-line message."""
    try:
        return make(*arguments, **settings)
    except (ValueError, TypeError) as error:
        message = str(error)
    assert message
    assert "\n" not in message
    return None


def is_accepted(make: Callable[..., Game], *arguments: Any, **settings: Any) -> bool:
    """Return whether `one_line` gives a game, which must satisfy the invariants and come to an end."""
    game = one_line(make, *arguments, **settings)
    if game is not None:
        testing.check_invariants(game)
        assert play_on(game, 1).over
    return game is not None


def test_damaged_texts() -> None:
    rng = np.random.default_rng(3)
    for _ in range(inputs(200)):
        text = random_position(rng).to_text()
        place = int(rng.integers(len(text)))
        damaged = text[:place] + str(rng.choice(["", "9", "[", "\x00", "-1"])) + text[place + 1 :]
        is_accepted(Game.from_text, damaged)


def test_damaged_deals() -> None:
    rng = np.random.default_rng(4)
    deck = list(STARTER_DECKS["motor"])
    deal = {"decklists": [deck, deck], "decks": [deck, deck[::-1]], "first_seat": 1}
    for _ in range(inputs(300)):
        damaged = mutated(deal, rng)
        is_accepted(Game.from_deal, damaged, seed=1, mode="constructed", deck_0=deck, deck_1=deck)


@pytest.mark.parametrize("setting", ["mode", "deck_0", "deck_1", "copies"])
def test_strange_settings(setting: str) -> None:
    rng = np.random.default_rng(5)
    config: dict[str, Any] = Game(seed=1, mode="same").config.as_dict()
    for _ in range(inputs(100)):
        strange = mutated({setting: config[setting]}, rng)
        if isinstance(strange, dict):
            found = one_line(Game, seed=1, **{**config, **strange})
            assert found is None or json.dumps(found.config.as_dict())
