"""OpenSpiel loads the game, its built-in checks pass, and its states match those of `Game`."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, IllegalAction
from pocketmars_env.games.pocket_mars.rules.actions import first_action
from tests.adapters.open_spiel import (
    PERFECT_RECALL,
    SEED,
    adapter,
    dealt,
    information,
    load,
    play,
    pyspiel,
    sampler,
)
from tests.modes import MODES


def players_in(mode: str) -> int:
    settings = MODES[mode]
    if settings.get("mode") == "solo":
        return 2 if settings.get("da_agent") else 1
    return int(settings["players"])


# --- OpenSpiel's own checks -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_open_spiel_accepts_every_mode(mode: str) -> None:
    pyspiel.random_sim_test(load(**MODES[mode]), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("mode", ["two", "solo_da_agent"])
def test_open_spiel_accepts_the_observers_margins_and_a_given_seed(mode: str) -> None:
    game = load(**MODES[mode], reward="margin", seed=SEED)
    for observer in (game.make_observer({}), game.make_observer(PERFECT_RECALL, {})):
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, observer=observer)


# --- parameters -----------------------------------------------------------------------------------


def test_a_game_is_loaded_from_a_text_or_a_dictionary() -> None:
    by_text = pyspiel.load_game("python_pocket_mars(players=3,draft=true,edition=board_and_dice)")
    assert by_text == load(players=3, draft=True, edition="board_and_dice")
    assert by_text.config == Game(players=3, draft=True, edition="board_and_dice").config
    solo: dict[str, Any] = {"mode": "solo", "level": "cyborg", "round_limit": 9}
    assert load(**solo).config == Game(**solo).config
    assert load().config == Game().config


@pytest.mark.parametrize("mode", MODES)
def test_open_spiel_is_told_about_the_game(mode: str) -> None:
    game, players = load(**MODES[mode]), players_in(mode)
    kinds = pyspiel.GameType
    assert game.num_players() == players
    assert game.num_distinct_actions() == NUM_ACTIONS
    assert game.observation_tensor_shape() == [OBSERVATION_SIZE]
    assert game.get_type().utility == (kinds.Utility.ZERO_SUM if players > 1 else kinds.Utility.GENERAL_SUM)
    assert game.utility_sum() == (0.0 if players > 1 else None)
    assert game.min_utility() == (-1 / (players - 1) if players > 1 else -1)
    assert game.max_utility() == 1
    assert game.max_chance_nodes_in_history() == 16
    assert game.get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC


def test_margins_have_wider_bounds() -> None:
    game = load(reward="margin")
    assert (game.min_utility(), game.max_utility()) == (-53, 53)


@pytest.mark.parametrize(
    ("make", "parameters", "error", "complaint"),
    [
        (load, {"players": 5}, ValueError, "players"),
        (load, {"reward": "money"}, ValueError, "reward"),
        (load, {"round_limit": 0}, ValueError, "round_limit"),
        (load, {"seed": -2}, ValueError, "seed"),
        (load, {"colour": "red"}, pyspiel.SpielError, "colour"),
        (load, {"players": 2.5}, pyspiel.SpielError, "players"),
        # constructed directly, without OpenSpiel's parameter check
        (adapter.PocketMarsGame, {"colour": "red"}, ValueError, "colour"),
        (adapter.PocketMarsGame, {"seed": "one"}, ValueError, "'one'"),
    ],
)
def test_a_bad_parameter_is_explained(make: Any, parameters: Any, error: Any, complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        make(**parameters) if make is load else make(parameters)


# --- equivalence with `Game` ----------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_the_same_seed_gives_the_same_game(mode: str) -> None:
    game = Game(**MODES[mode], seed=SEED)
    by_chance, by_parameter = dealt(**MODES[mode]), load(**MODES[mode], seed=SEED).new_initial_state()
    rng = np.random.default_rng(SEED)
    while not game.over:
        for state in (by_chance, by_parameter):
            assert state.game().to_bytes() == game.to_bytes()
            assert (state.current_player(), state.legal_actions()) == (game.to_play, game.legal)
            assert state.returns() == [0] * state.num_players()
        action = int(rng.choice(game.legal))
        assert by_chance.action_to_string(action) == game.describe(action)
        assert by_chance.string_to_action(game.describe(action)) == action
        game.step(action)
        by_chance.apply_action(action)
        by_parameter.apply_action(action)
    assert by_chance.is_terminal()
    assert by_chance.current_player() == pyspiel.PlayerId.TERMINAL
    assert str(by_chance) == str(by_parameter)
    assert by_chance.history() == adapter.seed_actions(SEED) + by_parameter.history()


@pytest.mark.parametrize(("mode", "players"), [("multi", 3), ("solo", 1)])
def test_returns_are_final_rewards(mode: str, players: int) -> None:
    seen = set()
    for seed in range(4):
        state = play(dealt(seed, mode=mode, players=players, reward="margin"), 5000)
        scores = state.game().scores
        margins = [score - (sum(scores) - score) / (len(scores) - 1) for score in scores]
        assert state.returns() == pytest.approx(margins[:players])
        assert state.rewards() == state.returns()
        seen.add(tuple(state.returns()))
    assert len(seen) > 1


def test_a_truncated_game_is_terminal() -> None:
    state = play(dealt(round_limit=1), 200)
    assert state.is_terminal()
    assert state.game().truncated
    assert sum(state.returns()) == 0
    assert state.move_number() <= state.get_game().max_move_number()


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_every_seed_can_be_dealt(seed: int) -> None:
    assert dealt(seed, players=4).game().to_bytes() == Game(players=4, seed=seed).to_bytes()


def test_without_a_seed_chance_decides() -> None:
    rng, state = np.random.default_rng(1), load().new_initial_state()
    for digit in range(16):
        assert state.is_chance_node()
        assert str(state).count("0x") == 1
        assert len(state.history()) == digit
        actions, probabilities = zip(*state.chance_outcomes())
        assert (actions, sum(probabilities)) == (tuple(range(16)), 1)
        state.apply_action(int(rng.choice(actions)))
    assert not state.is_chance_node()
    assert str(state) == str(dealt(int("".join(f"{digit:x}" for digit in state.history()), 16)))


def test_a_history_can_be_played_again() -> None:
    state, twin = play(dealt(players=3), 80), load(players=3).new_initial_state()
    for action in state.history():
        twin.apply_action(action)
    assert str(twin) == str(state)
    assert information(twin) == information(state)
    assert len(set(information(state))) == 3  # each string names its player


def test_an_illegal_action_changes_nothing() -> None:
    state = dealt()
    before, history = str(state), state.history()
    for action in (0, -2, NUM_ACTIONS, 2**62):  # OpenSpiel itself rejects -1
        with pytest.raises(IllegalAction, match=f"action {action} .*PREP.* seat {state.current_player()}"):
            state.apply_action(action)
        assert (str(state), state.history()) == (before, history)
    start = load().new_initial_state()
    with pytest.raises(IllegalAction, match=r"0\.\.15, got 16"):
        start.apply_action(16)
    with pytest.raises(ValueError, match="dealt"):
        start.game()
    assert start.history() == []


@pytest.mark.parametrize("digits", [0, 16])
def test_an_illegal_action_is_an_error_of_open_spiel_too(digits: int) -> None:
    """RLlib's OpenSpiel wrapper catches `SpielError` and plays a legal action instead."""
    state = load().new_initial_state()
    for action in adapter.seed_actions(SEED)[:digits]:
        state.apply_action(action)
    with pytest.raises(pyspiel.SpielError) as caught:
        state.apply_action(NUM_ACTIONS)
    assert isinstance(caught.value, IllegalAction)
    assert str(NUM_ACTIONS) in str(caught.value)


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["two", "four_draft_board_and_dice", "solo_cyborg"])
def test_a_clone_goes_its_own_way_with_the_same_future(mode: str) -> None:
    state = play(dealt(**MODES[mode]), 12)
    before = str(state)
    clone = state.clone()
    assert str(play(clone, 5000)) != before
    assert str(state) == before
    play(state, 5000)
    assert str(state) == str(clone)
    assert information(state) == information(clone)


@pytest.mark.parametrize("digits", [0, 5])
def test_a_clone_before_the_deal_is_dealt_the_same(digits: int) -> None:
    state = load().new_initial_state()
    for _ in range(digits):
        state.apply_action(3)
    clone = state.clone()
    for _ in range(16 - digits):
        assert str(clone) == str(state)
        clone.apply_action(9)
        state.apply_action(9)
    assert not state.is_chance_node()
    assert str(clone) == str(state)


def by_pickle(state: Any) -> Any:
    return pickle.loads(pickle.dumps(state))


def by_text(state: Any) -> Any:
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    return pyspiel.deserialize_game_and_state(text)[1]


@pytest.mark.parametrize(("mode", "saved"), [*((mode, by_text) for mode in MODES), ("two", by_pickle)])
def test_a_saved_state_comes_back(mode: str, saved: Any) -> None:
    true = play(dealt(**MODES[mode], reward="margin"), 15)
    sample = play(true.resample_from_infostate(0, sampler()), 3)
    for state in (load(**MODES[mode]).new_initial_state(), true, sample):
        twin = saved(state)
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        assert information(twin) == information(state)
        if state.is_chance_node():
            continue
        play(state, 5000), play(twin, 5000)
        assert str(twin) == str(state)
        assert twin.returns() == state.returns()


def test_a_long_game_can_be_saved() -> None:
    state = dealt(players=4, round_limit=10_000)
    launch = first_action("LAUNCH")
    while len(state.history()) < 1500:  # longer than the recursion limit of 1000
        actions = state.legal_actions()
        state.apply_action(launch if launch in actions else actions[-1])
    twin = by_pickle(state)
    assert str(twin) == str(state)
    assert information(twin) == information(state)


def test_a_game_can_be_pickled() -> None:
    game = load(mode="solo", level="cyborg", seed=3)
    twin = pickle.loads(pickle.dumps(game))
    assert (twin, twin.config, twin.reward) == (game, game.config, game.reward)
    assert str(twin.new_initial_state()) == str(game.new_initial_state())
    assert str(copy.deepcopy(play(game.new_initial_state(), 5))) == str(play(game.new_initial_state(), 5))
