"""The suites' deals never change."""

import pytest

from pocketmars_agents.arena.arena import FIRST_SEED, MAX_DEAL
from pocketmars_agents.games.pocket_mars.suites import DA_2, fingerprint_of
from pocketmars_env import Game


@pytest.mark.slow
def test_the_deals_of_the_suite_are_those_of_its_day() -> None:
    assert fingerprint_of(DA_2) == DA_2.fingerprint


def test_all_levels_play_the_same_deals() -> None:
    games = [Game(**DA_2.config(level).as_dict(), seed=DA_2.seed(5)) for level in ("standard", "cyborg")]
    assert games[0].snapshot()["deck"] == games[1].snapshot()["deck"]
    assert games[0].resume_state()["seed"] == 0xDA2_00000005


def test_the_deals_of_arena_and_suite_are_different_ones() -> None:
    assert DA_2.seed(DA_2.deals - 1) < FIRST_SEED
    assert FIRST_SEED + MAX_DEAL < 2**53, "every reader of JSON can hold them"


@pytest.mark.parametrize("deal", [-1, 10_000])
def test_there_are_10_000_deals(deal: int) -> None:
    with pytest.raises(ValueError, match=str(deal)):
        DA_2.seed(deal)


def test_a_handicap_leaves_the_deal_as_it_is() -> None:
    positions = [
        Game(**DA_2.config("cyborg", handicap).as_dict(), seed=DA_2.seed(5)).snapshot()
        for handicap in DA_2.handicaps
    ]
    assert {position.pop("handicap", 0) for position in positions} == {*DA_2.handicaps}
    scores = [position["seats"][1].pop("score") for position in positions]
    assert [score - scores[0] for score in scores] == [*DA_2.handicaps]
    assert all(position == positions[0] for position in positions)
