"""Damaged snapshots, records, texts, deals and settings of Project Mars are refused or give valid games.

The error message of a refusal has one line."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pocketmars_env.core import testing
from pocketmars_env.games.project_mars.game import Game
from pocketmars_env.games.project_mars.rules.cards import STARTER_DECKS
from pocketmars_env.games.project_mars.spec import SPEC
from tests.fixed_play import play_on
from tests.fuzz.amounts import inputs
from tests.fuzz.mutations import mutated
from tests.games.project_mars.modes import MODES


def random_position(rng: np.random.Generator) -> Game:
    """Return a game at a random position."""
    mode = str(rng.choice(list(MODES)))
    seed = int(rng.integers(1000))
    return play_on(Game(seed=seed, **MODES[mode]), seed, int(rng.integers(60)))


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


def test_damaged_snapshots() -> None:
    rng, accepted = np.random.default_rng(1), 0
    for _ in range(inputs(400)):
        game = random_position(rng)
        data, given = mutated([game.snapshot(), game.resume_state()], rng), bool(rng.integers(2))
        if not isinstance(data, list) or len(data) != 2:
            continue
        accepted += is_accepted(Game.from_snapshot, data[0], data[1] if given else None)
    assert accepted > 0


def test_damaged_records() -> None:
    rng = np.random.default_rng(2)
    for _ in range(inputs(300)):
        states = np.frombuffer(bytearray(random_position(rng).to_bytes()), dtype=SPEC.state)
        raw = states.view(np.uint8).reshape(-1)
        raw[int(rng.integers(raw.size))] = int(rng.integers(256))
        is_accepted(Game.from_state, states)


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


def test_illegal_actions_change_nothing() -> None:
    rng = np.random.default_rng(6)
    for _ in range(inputs(100)):
        game = random_position(rng)
        if game.over:
            continue
        before = game.to_bytes()
        for action in (-1, 227, 10**20, None, "0", 1.5, *set(range(227)).difference(game.legal)):
            with pytest.raises((ValueError, TypeError)):
                game.step(action)
        assert game.to_bytes() == before
