"""The suites' deals never change."""

import pytest

from agents.suites import DA_1, FIRST_ARENA_SEED, MAX_ARENA_DEAL, fingerprint_of, suite_of
from pocketmars_env import Game


def test_the_deals_of_the_suite_are_those_of_its_day() -> None:
    assert fingerprint_of(DA_1) == DA_1.fingerprint


def test_all_levels_play_the_same_deals() -> None:
    games = [Game(**DA_1.config(level).as_dict(), seed=DA_1.seed(5)) for level in ("standard", "cyborg")]
    assert games[0].snapshot()["deck"] == games[1].snapshot()["deck"]
    assert games[0].bookmark()["seed"] == 0xDA1_00000005


def test_the_deals_of_arena_and_suite_are_different_ones() -> None:
    assert DA_1.seed(DA_1.deals - 1) < FIRST_ARENA_SEED
    assert FIRST_ARENA_SEED + MAX_ARENA_DEAL < 2**53, "every reader of JSON can hold them"


@pytest.mark.parametrize("deal", [-1, 10_000])
def test_there_are_10_000_deals(deal: int) -> None:
    with pytest.raises(ValueError, match=rf"suite da-1 has the deals 0\.\.9999, got {deal}"):
        DA_1.seed(deal)


def test_an_unknown_suite_is_named() -> None:
    assert suite_of("da-1") is DA_1
    with pytest.raises(ValueError, match="unknown suite 'da-0'; accepted: da-1"):
        suite_of("da-0")
