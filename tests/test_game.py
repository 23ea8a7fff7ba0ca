"""The public interface of the `Game` class."""

import copy
import pickle
import secrets
from typing import Any

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, GameConfig, IllegalAction, action_name
from pocketmars_env.core import game as core
from pocketmars_env.games.pocket_mars.rules.actions import LAUNCH
from tests.drawing.positions import picture_of
from tests.fixed_play import play_fixed, play_on
from tests.modes import MODES

# --- a new game -----------------------------------------------------------------------------------


def test_a_new_game() -> None:
    game = Game(players=3, seed=1)
    assert game.config == GameConfig(players=3)
    assert game.decision == "PREP"
    assert game.to_play == game.snapshot()["starting_seat"]
    assert (game.over, game.truncated, game.winners) == (False, False, [])
    assert game.scores == [2, 2, 2]
    assert len(game.legal) == 4
    assert repr(game) == f"<Game: multi, round 1, seat {game.to_play} to play PREP>"


@pytest.mark.parametrize("mode", MODES)
def test_the_seed_decides_the_game(mode: str) -> None:
    first, again, other = (play_on(Game(**MODES[mode], seed=seed), 1) for seed in (1, 1, 2))
    assert first.to_bytes() == again.to_bytes() != other.to_bytes()


def test_seeds_may_be_numpy_integers_and_as_large_as_64_bits() -> None:
    assert Game(seed=np.int8(3)).to_bytes() == Game(seed=3).to_bytes()
    assert Game(seed=2**64 - 1).resume_state()["seed"] == 2**64 - 1


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True, [1]])
def test_bad_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        Game(seed=seed)


def test_without_a_seed_games_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Game().snapshot()["deck"] != Game().snapshot()["deck"]
    monkeypatch.setattr(secrets, "randbits", lambda bits: 17)
    assert Game().to_bytes() == Game(seed=17).to_bytes()


# --- actions --------------------------------------------------------------------------------------


def test_actions_in_words() -> None:
    game = Game(seed=1)
    assert game.describe(LAUNCH) == "launch 1 of your colonists"
    with pytest.raises(ValueError, match="267"):
        game.describe(267)


def test_step_accepts_numpy_integers() -> None:
    game = Game(seed=1)
    twin = game.clone()
    game.step(np.int64(game.legal[0]))
    twin.step(twin.legal[0])
    assert game.to_bytes() == twin.to_bytes()
    assert game.to_text() == twin.to_text()


@pytest.mark.parametrize("action", [0, 113, -1, 267, 2**40, 2**64])
@pytest.mark.parametrize("is_stacked", [False, True])
def test_illegal_actions_are_refused(action: Any, is_stacked: bool) -> None:
    game = Game(seed=1)
    if is_stacked:
        game.stack_shuffles([[3, 1, 2]])
    before, text = game.to_bytes(), game.to_text()
    with pytest.raises(IllegalAction) as caught:
        game.step(action)
    message = str(caught.value)
    assert message.startswith(f"action {action!r} ")
    for legal in game.legal:
        assert f"{legal} {action_name(legal)}" in message
    assert isinstance(caught.value, ValueError)
    assert (game.to_bytes(), game.to_text()) == (before, text)


def test_a_finished_game_accepts_nothing() -> None:
    game = play_on(Game(mode="solo", seed=1), 1)
    before = game.to_bytes()
    with pytest.raises(IllegalAction, match=r"over.*76"):
        game.step(76)
    assert game.to_bytes() == before
    assert (game.to_play, game.decision, game.legal) == (None, None, [])
    assert repr(game).endswith(", over>")
    assert not game.mask(0).any()


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_the_round_limit_truncates(mode: str) -> None:
    game = play_on(Game(**MODES[mode], seed=1, round_limit=2), 1)
    assert game.over
    assert game.truncated
    assert game.snapshot()["round"] == 2
    assert game.winners


# --- seats ----------------------------------------------------------------------------------------


def test_observation_and_mask() -> None:
    game = Game(players=4, seed=1)
    for number in range(4):
        observation, mask = game.observe(number), game.mask(number)
        assert observation.shape == (OBSERVATION_SIZE,)
        assert observation.dtype == np.float32
        assert mask.shape == (NUM_ACTIONS,)
        assert mask.dtype == np.int8
        assert mask.any() == (number == game.to_play)
    assert np.flatnonzero(game.mask()).tolist() == game.legal
    assert np.array_equal(game.observe(), game.observe(game.to_play))
    assert game.view().seat == game.to_play


@pytest.mark.parametrize("number", [2, -1, True, "0", 1.0])
def test_bad_seats_are_refused(number: Any) -> None:
    game = Game(players=2, seed=1)
    for method in (game.observe, game.mask, game.view):
        with pytest.raises(ValueError, match="seat"):
            method(number)


def test_views_offer_what_the_game_does() -> None:
    game = Game(mode="solo", seed=4)
    view = game.view(0)
    assert view.legal == game.legal
    assert np.array_equal(view.mask, game.mask(0))
    assert np.array_equal(view.observation, game.observe(0))
    world = view.sample(np.random.default_rng(0))
    assert isinstance(world, core.Game)
    assert world.legal == game.legal
    world.step(world.legal[0])


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [Game.clone, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_copies_keep_everything_and_go_their_own_way(make: Any) -> None:
    game = play_on(Game(players=2, seed=1), 1, 20)
    game.stack_shuffles([[1, 2, 3]])
    twin = make(game)
    assert twin.to_bytes() == game.to_bytes()
    assert twin.to_text() == game.to_text()
    before, text = game.to_bytes(), game.to_text()
    twin.step(twin.legal[0])
    twin.stack_shuffles([[4, 5]])
    assert (game.to_bytes(), game.to_text()) == (before, text)


# --- deals and shuffles ---------------------------------------------------------------------------

DECK = list(range(8, 35))
DEAL = {"hands": [[0, 1, 2, 3], [4, 5, 6, 7]], "deck": DECK, "starting_seat": 0}


def test_a_deal_gives_the_number_of_players() -> None:
    hands = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    game = Game.from_deal({"hands": hands, "deck": list(range(12, 35)), "starting_seat": 2}, seed=0)
    assert game.config.players == 3
    assert game.snapshot()["starting_seat"] == 2
    assert [entry["hand"] for entry in game.snapshot()["seats"]] == hands


def test_settings_are_checked_with_a_deal_too() -> None:
    with pytest.raises(ValueError, match="edition"):
        Game.from_deal(DEAL, edition="none")
    with pytest.raises(ValueError, match="seed"):
        Game.from_deal(DEAL, seed=-3)


def drafting(shuffles: list[list[int]]) -> Game:
    """Return a draft before its last pick; the cards left over are 4 and 5, and the deck is 10..34."""
    deal = {"hands": [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]], "deck": list(range(10, 35)), "starting_seat": 0}
    game = Game.from_deal(deal, draft=True, seed=0, shuffles=shuffles)
    for card in (0, 9, 8, 1, 2, 7, 6):
        game.step(114 + card)
    return game


def test_stacked_shuffles_give_their_orders_one_after_the_other() -> None:
    first, second = [4, *range(34, 9, -1), 5], [1, 2]
    game = drafting([first, second])
    game.step(114 + 3)
    assert game.snapshot()["deck"] == first
    text = game.to_text()
    assert f"shuffles {[first, second]}" in text
    assert Game.from_text(text).to_bytes() == game.to_bytes()


def test_a_stacked_shuffle_that_does_not_fit_is_refused() -> None:
    game = drafting([[4, 5, 6]])
    before = game.to_bytes()
    with pytest.raises(ValueError, match=r"\[4, 5, 6\]"):
        game.step(114 + 3)
    assert game.to_bytes() == before
    assert game.decision == "DRAFT"


@pytest.mark.parametrize("orders", [[[1, 1]], [[35]], [[0], ["x"]], [[]], [[33, 34], []], [33]])
def test_bad_orders_are_refused(orders: Any) -> None:
    game = Game(seed=1)
    before = game.to_text()
    with pytest.raises(ValueError, match="shuffles"):
        game.stack_shuffles(orders)
    assert game.to_text() == before


# --- texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_text_gives_the_game_back_wherever_it_ends(mode: str) -> None:
    for number, game in enumerate(play_fixed(Game(**MODES[mode], seed=9), 9)):
        if number % 40 == 7:
            again = Game.from_text(game.to_text())
            assert again.to_bytes() == game.to_bytes()
            assert again.to_text() == game.to_text()


def test_a_game_begins_again_from_its_origin_and_settings() -> None:
    restored = Game.from_snapshot(play_on(Game(seed=3), 3, 30).snapshot(), seed=8)
    stacked = Game.from_deal(DEAL, seed=4, shuffles=[[33, 34]])
    for start in (
        Game(players=3, seed=5),
        Game.from_deal(DEAL, seed=4),
        stacked,
        restored,
        restored.view().sample(np.random.default_rng(1)),
    ):
        game = start.clone()
        for _ in play_fixed(game, 5, 25):
            pass
        again = Game.from_origin(game.config.as_dict(), game.origin)
        assert again.to_bytes() == start.to_bytes()
        for action in game.actions:
            again.step(action)
        assert (again.to_bytes(), again.actions) == (game.to_bytes(), game.actions)
        from_text = Game.from_text(game.to_text())
        assert (from_text.to_bytes(), from_text.to_text()) == (game.to_bytes(), game.to_text())


@pytest.mark.parametrize("origin", [{}, {"shuffles": []}, None, [1]])
def test_an_origin_without_a_beginning_is_refused(origin: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="origin"):
        Game.from_origin(GameConfig().as_dict(), origin)


def test_a_text_may_begin_with_a_position_and_given_shuffles() -> None:
    game = Game.from_state(Game(seed=1).view().states)
    game.stack_shuffles([[33, 34]])
    again = Game.from_text(game.to_text())
    assert (again.origin, again.to_bytes()) == (game.origin, game.to_bytes())


# --- pictures -------------------------------------------------------------------------------------


def test_notebooks_show_a_game_with_all_cards_and_a_view_without_the_hidden_ones() -> None:
    game = Game(players=3, seed=1)
    picture = game._repr_svg_() or ""
    assert picture.startswith("<svg")
    assert picture == picture_of(game).svg()
    view = game.view(0)
    assert view._repr_svg_() == picture_of(game, 0).svg() != picture
    assert view._repr_svg_() == view.sample(np.random.default_rng(1)).view(0)._repr_svg_()
