"""Observations, information states and resampled states in OpenSpiel."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env import OBSERVATION_SIZE, observation_pieces
from pocketmars_env.games.pocket_mars.rules.actions import first_action
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.adapters.open_spiel import PERFECT_RECALL, SEED, dealt, information, load, play, pyspiel, sampler
from tests.modes import MODES

observer_module = pytest.importorskip("pocketmars_env.adapters.open_spiel.observer")
playthroughs = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")


@pytest.mark.parametrize("mode", ["three", "solo_da_agent"])
def test_observations_are_those_of_the_game(mode: str) -> None:
    state = dealt(**MODES[mode])
    observer = state.get_game().make_py_observer()
    strings = set()
    while not state.is_terminal():
        game = state.game()
        for player in range(state.num_players()):
            observer.set_from(state, player)
            np.testing.assert_array_equal(observer.tensor, game.observe(player))
            np.testing.assert_array_equal(observer.mask, game.mask(player))
            assert state.observation_tensor(player) == game.observe(player).tolist()
            assert state.information_state_tensor(player) == state.observation_tensor(player)
            assert observer.string_from(state, player) == state.observation_string(player)
        strings.add(state.observation_string())
        play(state, 1)
    assert len(strings) > 10
    for name, piece in observation_pieces(observer.tensor).items():
        np.testing.assert_array_equal(observer.dict[name], piece)
        assert np.shares_memory(observer.dict[name], observer.tensor)


def test_observations_differ_where_their_strings_do() -> None:
    observer = load().make_py_observer()
    observer.tensor[:] = 1
    words = observer_module.observation_text(SPEC, observer.tensor)
    assert len(set(words)) == OBSERVATION_SIZE


def test_before_the_deal_there_is_nothing_to_see() -> None:
    state = load().new_initial_state()
    observer = state.get_game().make_py_observer()
    observer.set_from(dealt(), 0)
    observer.set_from(state, 0)
    assert not observer.tensor.any()
    assert not observer.mask.any()
    assert state.observation_string(1) == state.information_state_string(1) == "seat 1 before the deal"


def test_there_are_no_observers_of_other_kinds() -> None:
    game = load()
    kinds = pyspiel.PrivateInfoType
    for kind in (
        pyspiel.IIGObservationType(perfect_recall=True, private_info=kinds.ALL_PLAYERS),
        pyspiel.IIGObservationType(perfect_recall=False, private_info=kinds.NONE),
        pyspiel.IIGObservationType(public_info=False, perfect_recall=False),
    ):
        assert game.make_py_observer(kind) is None
    for kind in (None, PERFECT_RECALL):
        with pytest.raises(ValueError, match="size"):
            game.make_py_observer(kind, {"size": 3})


@pytest.mark.parametrize("mode", ["two", "solo_cyborg", "solo_da_agent"])
def test_open_spiel_writes_a_playthrough(mode: str) -> None:
    settings = ",".join(f"{name}={value}" for name, value in MODES[mode].items()).replace("True", "true")
    text = playthroughs.playthrough(f"python_pocket_mars({settings},round_limit=1)", None, seed=SEED)
    assert f"ObservationTensorSize() = {OBSERVATION_SIZE}" in text
    assert text.count("\naction: ") > 16  # 16 seed digits, followed by the players' actions
    assert "IsTerminal() = True" in text


def test_there_must_be_such_a_player() -> None:
    state = dealt(mode="solo")
    observer = state.get_game().make_py_observer()
    for player in (1, -1, "first", 0.0, None):
        for method in (observer.set_from, observer.string_from):
            with pytest.raises(ValueError, match=rf"0\.\.0, got {player!r}"):
                method(state, player)
        with pytest.raises(ValueError, match=rf"0\.\.0, got {player!r}"):
            state.resample_from_infostate(player, sampler())


def test_the_information_state_remembers_what_the_observation_forgets() -> None:
    """Launching and discarding a card for energy in either order gives different information states."""
    ready = play(dealt(), 4)
    player = ready.current_player()
    launch, discard = first_action("LAUNCH"), first_action("DISCARD_FOR_ENERGY") + ready.legal_actions()[0]
    ends = []
    for order in ((launch, discard), (discard, launch)):
        state = ready.clone()
        for action in (order[0], launch, order[1]):
            state.apply_action(action)
        ends.append(state)
    for seat in (0, 1):
        assert ends[0].observation_string(seat) == ends[1].observation_string(seat)
        assert ends[0].information_state_string(seat) != ends[1].information_state_string(seat)
    assert ends[0].current_player() == 1 - player


@pytest.mark.parametrize("mode", MODES)
def test_information_states_are_the_histories_of_observations_and_own_actions(mode: str) -> None:
    """Once two states have looked different to a player, their information states differ forever."""
    parted = 0
    for seed in range(10):
        state = play(dealt(seed, **MODES[mode]), 10 + seed)
        player = seed % state.num_players()
        twin = state.resample_from_infostate(player, sampler(seed))
        looked_alike = True
        while not (state.is_terminal() or twin.is_terminal()):
            looked_alike &= state.observation_string(player) == twin.observation_string(player)
            alike = state.information_state_string(player) == twin.information_state_string(player)
            assert alike == looked_alike
            shared = set(state.legal_actions()) & set(twin.legal_actions())
            if not shared or state.current_player() != twin.current_player():
                break
            action = min(shared)
            state.apply_action(action)
            twin.apply_action(action)
        parted += not looked_alike
    assert parted


# --- determinizations -----------------------------------------------------------------------------


def hidden_cards(state: Any, player: int) -> list[Any]:
    """Return the hands and prep modules of all other players, and the deck."""
    data = state.game().snapshot()
    others = [(entry["hand"], entry["prep"]) for seat, entry in enumerate(data["seats"]) if seat != player]
    return [*others, data["deck"]]


@pytest.mark.parametrize("mode", MODES)
def test_a_determinization_looks_the_same_and_hides_other_cards(mode: str) -> None:
    for decisions in (0, 5, 10):
        state = play(dealt(**MODES[mode]), decisions)
        for player in range(state.num_players()):
            samples = [state.resample_from_infostate(player, sampler(seed)) for seed in range(8)]
            for sample in samples:
                assert sample.information_state_string(player) == state.information_state_string(player)
                assert sample.observation_string(player) == state.observation_string(player)
                assert sample.observation_tensor(player) == state.observation_tensor(player)
                assert sample.current_player() == state.current_player()
                assert sample.legal_actions(player) == state.legal_actions(player)
                assert sample.history() == []
            assert len({str(hidden_cards(sample, player)) for sample in samples}) > 1
            assert play(samples[0], 5000).is_terminal()


def test_a_sample_depends_on_nothing_but_the_view() -> None:
    """States that a player cannot tell apart give the same samples for the same random numbers."""
    state = play(dealt(players=3), 40)
    player = state.current_player()
    states = [state, *(state.resample_from_infostate(player, sampler(seed)) for seed in range(5))]
    assert len({str(one) for one in states}) > 1
    assert len({tuple(information(one)) for one in states}) > 1  # other players have seen different things
    samples = [one.resample_from_infostate(player, sampler(99)) for one in states]
    assert len({str(sample) for sample in samples}) == 1
    assert len({tuple(information(sample)) for sample in samples}) == 1


def test_a_sample_has_a_future_of_its_own() -> None:
    state = play(dealt(players=2), 20)
    seeds = {
        int(state.resample_from_infostate(0, sampler(seed)).moment.states["seed"][0]) for seed in range(50)
    }
    assert len(seeds) == 50
    assert SEED not in seeds
    assert max(seeds) > 2**62
    assert min(seed % 2**32 for seed in seeds) < 2**30  # both halves of the seed are random
    assert len({seed % 2**32 for seed in seeds}) == 50


def test_a_sample_before_the_deal_draws_other_digits() -> None:
    state = load().new_initial_state()
    for _ in range(5):
        state.apply_action(3)
    samples = [state.resample_from_infostate(0, sampler(seed)) for seed in range(5)]
    assert {len(sample.history()) for sample in samples} == {5}
    assert len({str(sample) for sample in samples}) == 5
