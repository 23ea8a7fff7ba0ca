"""Tests of the handicap rating: simulated games with known win probabilities, and cases with little data."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit

from pocketmars_agents.games.pocket_mars.handicap_rating import HandicapRating, handicap_rating
from pocketmars_agents.games.pocket_mars.suites import DA_2

HANDICAPS = np.array(DA_2.handicaps)


def rating(won: NDArray[np.bool_]) -> HandicapRating:
    """Return the rating for wins with one row per deal and one column per handicap of the suite."""
    deals, columns = np.indices(won.shape)
    found = handicap_rating(deals.ravel().tolist(), HANDICAPS[columns].ravel().tolist(), won.ravel().tolist())
    assert found is not None
    return found


def simulated(true: float, slope: float, deals: int, seed: int = 0) -> NDArray[np.bool_]:
    """Return simulated wins of a bot with a known rating, shape `(deals, handicaps)`."""
    chances = np.random.default_rng(seed).random((deals, len(HANDICAPS)))
    return np.asarray(chances < expit(slope * (true - HANDICAPS)))


@pytest.mark.parametrize("slope", [0.4, 0.8, 1.5])
@pytest.mark.parametrize("true", [1.0, 4.5, 6.0, 11.0])
def test_the_rating_of_a_bot_with_known_chances_is_recovered(true: float, slope: float) -> None:
    found = rating(simulated(true, slope, deals=10_000))
    assert found.value == pytest.approx(true, abs=0.1)
    assert found.interval[0] < found.value < found.interval[1] < found.interval[0] + 0.3


def test_the_interval_holds_the_true_rating_about_as_often_as_it_says() -> None:
    held = 0
    for seed in range(100):
        low, high = rating(simulated(5.0, 0.8, deals=60, seed=seed)).interval
        held += low <= 5.0 <= high
    assert 89 <= held <= 99


def test_whole_deals_are_resampled() -> None:
    """Correlated games of the same deal give a wider interval than as many games of different deals."""
    luck = np.random.default_rng(0).logistic(size=(400, 1))
    won = np.asarray(luck < 0.8 * (5 - HANDICAPS)).ravel().tolist()
    handicaps = np.tile(HANDICAPS, 400).tolist()
    together = handicap_rating(np.repeat(np.arange(400), 5).tolist(), handicaps, won)
    apart = handicap_rating(range(2_000), handicaps, won)
    assert together is not None
    assert apart is not None
    assert together.value == pytest.approx(apart.value, abs=0.001)
    widths = [high - low for low, high in (together.interval, apart.interval)]
    assert widths[0] > 1.15 * widths[1]


def test_the_same_games_have_the_same_rating_in_any_order() -> None:
    won = simulated(5.0, 0.8, deals=40)
    assert rating(won) == rating(won)
    assert rating(won[::-1]) == rating(won)


@pytest.mark.parametrize(
    ("first_lost", "text"), [(0, "< 0"), (1, "1.5"), (2, "4.5"), (3, "7.5"), (4, "10.5"), (5, "> 12")]
)
@pytest.mark.parametrize("deals", [1, 2, 30, 1_000])
def test_games_that_the_handicap_alone_decides_have_a_rating(deals: int, first_lost: int, text: str) -> None:
    won = np.tile(np.arange(len(HANDICAPS)) < first_lost, (deals, 1))
    found = rating(won)
    assert math.isfinite(found.value)
    if text[0] in "<>":
        assert str(found) == text
    else:
        assert found.value == pytest.approx(float(text), abs=0.1)


@pytest.mark.parametrize(("bot", "text"), [(0.0, "< 0"), (1.0, "> 12")])
def test_a_single_game_that_came_out_otherwise_turns_no_rating_over(bot: float, text: str) -> None:
    won = np.full((200, len(HANDICAPS)), bool(bot))
    won[17, 2] = not bot
    assert str(rating(won)) == text


def test_more_wins_at_higher_handicaps_still_give_a_rating() -> None:
    won = np.tile(np.arange(len(HANDICAPS)) >= 3, (5, 1))
    assert math.isfinite(rating(won).value)


def test_not_every_deal_needs_every_handicap() -> None:
    won = simulated(5.0, 0.8, deals=2_000)
    deals = np.repeat(np.arange(2_000), len(HANDICAPS)).reshape(won.shape)
    columns = np.broadcast_to(np.arange(len(HANDICAPS)), won.shape)
    is_played = (columns == 0) | (deals < 400) | ((columns == 2) & (deals >= 1_500))
    handicaps = np.broadcast_to(HANDICAPS, won.shape)
    found = handicap_rating(deals[is_played].tolist(), handicaps[is_played].tolist(), won[is_played].tolist())
    assert found is not None
    assert found.value == pytest.approx(5.0, abs=0.3)
    assert found.interval[0] < found.value < found.interval[1]


@pytest.mark.parametrize("games", [0, 1, 5])
def test_one_handicap_has_no_rating(games: int) -> None:
    assert handicap_rating(range(games), [3] * games, [True] * games) is None


# --- below the lowest handicap -----------------------------------------------------------------------


def of_margins(margins: NDArray[np.int64]) -> HandicapRating:
    """Return the rating of a bot with these margins at handicap 0, one per deal."""
    at = margins[:, None] - HANDICAPS
    deals, columns = np.indices(at.shape)
    found = handicap_rating(
        deals.ravel().tolist(),
        HANDICAPS[columns].ravel().tolist(),
        (at > 0).ravel().tolist(),
        at.ravel().tolist(),
    )
    assert found is not None
    return found


@pytest.mark.parametrize("true", [-1.0, -4.5, -16.0])
def test_a_weaker_bot_is_rated_at_the_shift_with_which_it_would_win_half(true: float) -> None:
    margins = np.round(np.random.default_rng(3).normal(true, 5.0, size=4_000)).astype(np.int64)
    found = of_margins(margins)
    assert found.is_extrapolated
    assert found.value == pytest.approx(true, abs=0.5)  # margins are integers, and a tie is a loss
    assert np.mean(margins > math.floor(found.value)) >= 0.5 >= np.mean(margins > math.ceil(found.value))
    low, high = found.interval
    assert low < found.value < high < low + 1
    assert str(found) == f"{found.value:.2f}* [{low:.2f}, {high:.2f}]"


def test_only_ratings_below_the_lowest_handicap_are_extrapolated() -> None:
    spread = np.random.default_rng(4).normal(0, 5.0, size=4_000)
    ratings = [of_margins(np.round(true + spread).astype(np.int64)) for true in (-3, -1, 1, 3)]
    assert [found.is_extrapolated for found in ratings] == [True, True, False, False]
    assert sorted(found.value for found in ratings) == [found.value for found in ratings]
    strong = np.round(3 + spread).astype(np.int64)
    assert of_margins(strong) == rating(strong[:, None] > HANDICAPS)  # as without margins


def test_a_bot_that_no_shift_helps_has_no_number() -> None:
    deals, handicaps = [0, 0, 1, 1], [0, 3, 0, 3]
    assert str(handicap_rating(deals, handicaps, [False] * 4, [-math.inf] * 4)) == "< 0"


# --- the text -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "interval", "text"),
    [
        (6.237, (6.114, 6.366), "6.24 [6.11, 6.37]"),
        (0.5, (-0.2, 1.1), "0.50 [< 0, 1.10]"),
        (11.8, (11.2, 12.4), "11.80 [11.20, > 12]"),
        (-1.0, (-2.0, 0.3), "< 0 [< 0, 0.30]"),
        (-9.0, (-9.5, -7.0), "< 0"),
        (20.0, (15.0, 30.0), "> 12"),
        (4.5, (math.nan, math.nan), "4.50"),
        (13.0, (math.nan, math.nan), "> 12"),
    ],
)
def test_ratings_are_written_within_the_handicaps_that_were_played(
    value: float, interval: tuple[float, float], text: str
) -> None:
    assert str(HandicapRating(value, interval, (0, 12))) == text
