"""Invariants hold in every position of every game mode, and the checks detect violations."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game, GameConfig
from pocketmars_env.core.compiled.legal_actions import ACTIONS_PER_WORD
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules.actions import ACCEPT, LAUNCH
from pocketmars_env.games.pocket_mars.rules.state import STATE
from pocketmars_env.games.pocket_mars.testing import (
    check_clone,
    check_invariants,
    check_snapshot_round_trip,
    play_random_game,
)
from tests.modes import MODES


def seeds(settings: dict[str, Any]) -> range:
    """Return the seeds of the random games of a mode; solo games are much shorter."""
    return range(1000, 1008 if settings.get("mode") == "solo" else 1001)


@pytest.mark.parametrize("mode", MODES)
def test_random_games_keep_the_invariants_and_clones_equal_them(mode: str) -> None:
    def check(game: Game) -> None:
        check_invariants(game)
        check_clone(game)

    for seed in seeds(MODES[mode]):
        play_random_game(seed=seed, check=check, **MODES[mode])


@pytest.mark.parametrize("mode", MODES)
def test_snapshots_of_random_games_give_them_back(mode: str) -> None:
    rng = np.random.default_rng(6)

    def check(game: Game) -> None:
        if rng.random() < 0.25:
            check_snapshot_round_trip(game)

    for seed in seeds(MODES[mode]):
        play_random_game(seed=seed, check=check, **MODES[mode])


@pytest.mark.parametrize("mode", MODES)
def test_truncated_games_keep_the_invariants(mode: str) -> None:
    def check(game: Game) -> None:
        check_invariants(game)
        check_snapshot_round_trip(game)

    game = play_random_game(seed=5, check=check, **MODES[mode], round_limit=1)
    assert game.truncated
    assert game.snapshot()["round"] == 1


def test_a_random_game_is_decided_by_its_seed() -> None:
    first, again, other = (play_random_game(GameConfig(players=3), seed) for seed in (7, 7, 8))
    assert first.to_bytes() == again.to_bytes() != other.to_bytes()


def test_settings_of_a_random_game_are_given_once() -> None:
    with pytest.raises(ValueError, match="players"):
        play_random_game(GameConfig(), seed=1, players=3)


# --- the checks detect violations -----------------------------------------------------------------


def raise_energy(states: States) -> None:
    states["seats"]["energy"][0, 1] = 8


def add_a_colonist(states: States) -> None:
    states["seats"]["earth"][0, 0] += 1


def crowd_star2(states: States) -> None:
    states["seats"]["earth"][0, 0] -= 2
    states["seats"]["star2"][0, 0, 3] = 2


def double_a_card(states: States) -> None:
    states["deck"][0, 0] = states["deck"][0, 1]


def misplace_a_card(states: States) -> None:
    states["deck_size"] -= 1
    top = states["deck"][0, states["deck_size"][0]]
    building = (top // 7 + 1) % 5
    states["pile"][0, building, 0] = top
    states["pile_size"][0, building] = 1


def forget_own_cards(states: States) -> None:
    states["seats"]["knows"][0, 0] = 0


def foresee_the_deck(states: States) -> None:
    states["seats"]["knows"][0, 1] |= 1 << int(states["deck"][0, 3])


def take_a_card_from_a_hand(states: States) -> None:
    hand = int(states["seats"]["hand"][0, 0])
    card = hand.bit_length() - 1
    states["seats"]["hand"][0, 0] = hand & ~(1 << card)
    states["discard"][0, 0] = card
    states["discard_size"] = 1
    states["seats"]["knows"] |= 1 << card


def ask_the_wrong_seat(states: States) -> None:
    states["to_play"] = 1 - states["to_play"]


def end_the_game(states: States) -> None:
    states["over"] = 1


def allow_another_decision(states: States) -> None:
    states["legal_actions"][0, ACCEPT // ACTIONS_PER_WORD] |= 1 << ACCEPT % ACTIONS_PER_WORD


def ask_without_a_choice(states: States) -> None:
    states["legal_actions"] = 0


DAMAGES = [
    raise_energy,
    add_a_colonist,
    crowd_star2,
    double_a_card,
    misplace_a_card,
    forget_own_cards,
    foresee_the_deck,
    take_a_card_from_a_hand,
    ask_the_wrong_seat,
    end_the_game,
    allow_another_decision,
    ask_without_a_choice,
]


def damaged(damage: Callable[[States], None]) -> Game:
    game = Game(players=2, seed=4)
    while game.decision != "TURN":
        game.step(game.legal[0])
    check_invariants(game)
    damage(game.states)
    return game


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_game_is_noticed(damage: Callable[[States], None]) -> None:
    game = damaged(damage)
    with pytest.raises(AssertionError, match="# Pocket Mars game"):  # the game's text is in the message
        check_invariants(game)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_not_taken_over(damage: Callable[[States], None]) -> None:
    game = damaged(damage)
    with pytest.raises(ValueError, match=r"\w"):
        Game.from_state(np.frombuffer(game.to_bytes(), dtype=STATE))


class Unmasked(Game):
    """A game whose mask omits the launch action."""

    def mask(self, seat: int | None = None) -> Any:
        mask = super().mask(seat)
        mask[LAUNCH] = 0
        return mask


class Identical(Game):
    """A game whose clone is the game itself."""

    def clone(self) -> "Identical":
        return self


class Forgetful(Game):
    """A game whose resume state is not up to date."""

    def resume_state(self) -> dict[str, int]:
        return {**super().resume_state(), "draws": 0}


def test_a_mask_that_differs_from_the_legal_actions_is_noticed() -> None:
    with pytest.raises(AssertionError, match=r"the mask of seat \d is wrong, at <Game: multi, round 1"):
        play_random_game_of(Unmasked, check_invariants)


def test_a_clone_that_is_no_copy_is_noticed() -> None:
    with pytest.raises(AssertionError, match="an action in the clone changes the game"):
        play_random_game_of(Identical, check_clone)


def test_a_resume_state_that_loses_something_is_noticed() -> None:
    with pytest.raises(AssertionError, match="snapshot and resume state give another game"):
        play_random_game_of(Forgetful, check_snapshot_round_trip)


def play_random_game_of(kind: type[Game], check: Callable[[Game], None]) -> None:
    """Play a short game of a broken `Game` subclass, and check every position."""
    game = kind(players=2, seed=3)
    for _ in range(20):
        check(game)
        game.step(game.legal[-1])
