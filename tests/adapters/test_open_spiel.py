"""OpenSpiel loads the game, its own checks pass, and its algorithms play it."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, IllegalAction, observation_pieces
from pocketmars_env.games.pocket_mars.rules.actions import first_action
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.modes import MODES

pyspiel = pytest.importorskip("pyspiel")
adapter = pytest.importorskip("pocketmars_env.adapters.open_spiel")
observer_module = pytest.importorskip("pocketmars_env.adapters.open_spiel.observer")
random_agent = pytest.importorskip("open_spiel.python.algorithms.random_agent")
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
evaluate_bots = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
outcome_sampling = pytest.importorskip("open_spiel.python.algorithms.outcome_sampling_mccfr")
ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
playthroughs = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")

SEED = 7
PERFECT_RECALL = pyspiel.IIGObservationType(perfect_recall=True)


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_pocket_mars", parameters)


def dealt(seed: int = SEED, **parameters: Any) -> Any:
    """A state with the cards dealt, by chance nodes."""
    state = load(**parameters).new_initial_state()
    for action in adapter.seed_actions(seed):
        state.apply_action(action)
    return state


def play(state: Any, questions: int, seed: int = SEED) -> Any:
    """The same state after so many random answers, or at its end."""
    rng = np.random.default_rng(seed)
    for _ in range(questions):
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def sampler(seed: int = SEED) -> Any:
    return pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)


def information(state: Any) -> list[str]:
    return [state.information_state_string(player) for player in range(state.num_players())]


def players_in(mode: str) -> int:
    settings = MODES[mode]
    if settings.get("mode") == "solo":
        return 2 if settings.get("da_agent") else 1
    return int(settings["players"])


# --- OpenSpiel's own checks -------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_open_spiel_accepts_every_mode(mode: str) -> None:
    pyspiel.random_sim_test(load(**MODES[mode]), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("mode", ["two", "solo_da_agent"])
def test_open_spiel_accepts_the_observers_margins_and_a_given_seed(mode: str) -> None:
    game = load(**MODES[mode], reward="margin", seed=SEED)
    for observer in (game.make_observer({}), game.make_observer(PERFECT_RECALL, {})):
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, observer=observer)


# --- parameters -------------------------------------------------------------------------------------


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
        (load, {"players": 5}, ValueError, "players must be 2, 3 or 4"),
        (load, {"reward": "money"}, ValueError, "reward must be one of 'win', 'margin', got 'money'"),
        (load, {"round_limit": 0}, ValueError, "round_limit must be an integer in 1..10000, got 0"),
        (load, {"seed": -2}, ValueError, "seed must be in 0..2.*, or -1 for another each time, got -2"),
        (load, {"colour": "red"}, pyspiel.SpielError, "Unknown parameter 'colour'"),
        (load, {"players": 2.5}, pyspiel.SpielError, "Wrong type for parameter players"),
        # without OpenSpiel's own check
        (adapter.PocketMarsGame, {"colour": "red"}, ValueError, "colour"),
        (adapter.PocketMarsGame, {"seed": "one"}, ValueError, "'one'"),
    ],
)
def test_a_bad_parameter_is_explained(make: Any, parameters: Any, error: Any, complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        make(**parameters) if make is load else make(parameters)


# --- the same game as `Game` ------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_the_same_seed_gives_the_same_game(mode: str) -> None:
    game = Game(**MODES[mode], seed=SEED)
    by_chance, by_parameter = dealt(**MODES[mode]), load(**MODES[mode], seed=SEED).new_initial_state()
    rng = np.random.default_rng(SEED)
    while not game.over:
        for state in (by_chance, by_parameter):
            assert state.game().to_bytes() == game.to_bytes()
            assert (state.current_player(), state.legal_actions()) == (game.to_play, game.legal())
            assert state.returns() == [0] * state.num_players()
        action = int(rng.choice(game.legal()))
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
        scores = state.game().scores()
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
    assert len(set(information(state))) == 3  # they say whose they are


def test_an_illegal_action_changes_nothing() -> None:
    state = dealt()
    before, history = str(state), state.history()
    for action in (0, -2, NUM_ACTIONS, 2**62):  # -1 OpenSpiel refuses by itself
        with pytest.raises(IllegalAction, match=f"action {action} .*PREP.* seat {state.current_player()}"):
            state.apply_action(action)
        assert (str(state), state.history()) == (before, history)
    start = load().new_initial_state()
    with pytest.raises(IllegalAction, match=r"0\.\.15, got 16"):
        start.apply_action(16)
    with pytest.raises(ValueError, match="the cards have not been dealt"):
        start.game()
    assert start.history() == []


@pytest.mark.parametrize("digits", [0, 16])
def test_an_illegal_action_is_an_error_of_open_spiel_too(digits: int) -> None:
    """RLlib's wrapper for OpenSpiel catches that, and plays a legal action instead."""
    state = load().new_initial_state()
    for action in adapter.seed_actions(SEED)[:digits]:
        state.apply_action(action)
    with pytest.raises(pyspiel.SpielError) as caught:
        state.apply_action(NUM_ACTIONS)
    assert isinstance(caught.value, IllegalAction)
    assert str(NUM_ACTIONS) in str(caught.value)


# --- copies -----------------------------------------------------------------------------------------


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
    while len(state.history()) < 1500:  # idling; the limit of recursion is 1000
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


# --- what players see -------------------------------------------------------------------------------


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
    assert text.count("\naction: ") > 16  # the digits of the seed, and then the players' actions
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
    """A player launches and discards a card for energy, in one order or the other."""
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
def test_information_states_are_the_histories_of_observations_and_own_answers(mode: str) -> None:
    """Two worlds, one player and the same answers: told apart once they looked different, for ever."""
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


# --- sampled worlds ---------------------------------------------------------------------------------


def hidden_cards(state: Any, player: int) -> list[Any]:
    """The true cards of everybody else, and the deck."""
    data = state.game().snapshot()
    others = [(entry["hand"], entry["prep"]) for seat, entry in enumerate(data["seats"]) if seat != player]
    return [*others, data["deck"]]


@pytest.mark.parametrize("mode", MODES)
def test_a_sampled_world_looks_the_same_and_hides_other_cards(mode: str) -> None:
    for questions in (0, 5, 10):
        state = play(dealt(**MODES[mode]), questions)
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
    """Worlds that a player cannot tell apart give the same samples for the same random numbers."""
    state = play(dealt(players=3), 40)
    player = state.current_player()
    worlds = [state, *(state.resample_from_infostate(player, sampler(seed)) for seed in range(5))]
    assert len({str(world) for world in worlds}) > 1
    assert len({tuple(information(world)) for world in worlds}) > 1  # the others have seen other things
    samples = [world.resample_from_infostate(player, sampler(99)) for world in worlds]
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
    assert min(seed % 2**32 for seed in seeds) < 2**30  # both halves are random
    assert len({seed % 2**32 for seed in seeds}) == 50


def test_a_sample_before_the_deal_draws_other_digits() -> None:
    state = load().new_initial_state()
    for _ in range(5):
        state.apply_action(3)
    samples = [state.resample_from_infostate(0, sampler(seed)) for seed in range(5)]
    assert {len(sample.history()) for sample in samples} == {5}
    assert len({str(sample) for sample in samples}) == 5


# --- algorithms -------------------------------------------------------------------------------------


def search_bot(game: Any, simulations: int, **options: Any) -> Any:
    rng = np.random.RandomState(SEED)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    return ismcts.ISMCTSBot(game, evaluator, 2.0, simulations, random_state=rng, **options)


@pytest.mark.parametrize(
    ("settings", "simulations", "options"),
    [
        ({"players": 2, "round_limit": 6}, 30, {"max_world_samples": 5}),
        ({"players": 2, "round_limit": 6}, 10, {"use_observation_string": True,
                                                "allow_inconsistent_action_sets": True}),
        ({"players": 3, "round_limit": 4}, 20, {}),
        ({"mode": "solo", "level": "cyborg", "da_agent": True}, 30, {}),
    ],
)  # fmt: skip
def test_information_set_search_plays_whole_games(
    settings: dict[str, Any], simulations: int, options: dict[str, Any]
) -> None:
    state = dealt(**settings)
    bot = search_bot(state.get_game(), simulations, **options)
    while not state.is_terminal():
        before = str(state)
        action = bot.step(state)
        assert action in state.legal_actions()
        assert str(state) == before
        state.apply_action(int(action))
    assert state.returns() != [0] * state.num_players() or len(state.game().winners()) > 1


def test_a_search_with_its_own_resampler_can_be_repeated() -> None:
    policies = []
    for _ in range(2):
        rng, state = np.random.RandomState(SEED), play(dealt(), 4)
        bot = search_bot(state.get_game(), 40)
        bot.set_resampler(lambda at, player, rng=rng: at.resample_from_infostate(player, rng.random_sample))
        policies.append([bot.run_search(state), bot.run_search(state)])
    assert policies[0] == policies[1]


def test_bots_of_open_spiel_play() -> None:
    game = load(players=3)
    bots = [pyspiel.make_uniform_random_bot(player, SEED + player) for player in range(3)]
    in_python = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(SEED))
    in_cpp = pyspiel.evaluate_bots(game.new_initial_state(), bots, SEED)
    for returns in (in_python, in_cpp):
        assert sum(returns) == pytest.approx(0)
        assert max(returns) > 0


@pytest.mark.parametrize("settings", [{"players": 4}, {"mode": "solo"}])
def test_the_reinforcement_learning_environment_plays(settings: dict[str, Any]) -> None:
    np.random.seed(SEED)  # noqa: NPY002  the random agents draw from NumPy's own stream
    env = rl_environment.Environment("python_pocket_mars", **settings)
    env.seed(SEED)
    assert env.observation_spec()["info_state"] == (OBSERVATION_SIZE,)
    agents = [random_agent.RandomAgent(seat, NUM_ACTIONS) for seat in range(env.num_players)]
    step = env.reset()
    while not step.last():
        agent = agents[step.observations["current_player"]]
        step = env.step([agent.step(step).action])
    assert len(step.rewards) == env.num_players
    assert any(step.rewards)


def test_regret_minimisation_finds_its_information_states() -> None:
    np.random.seed(SEED)  # noqa: NPY002  the solver draws from NumPy's own stream
    game = load(round_limit=1, seed=SEED)
    solver = outcome_sampling.OutcomeSamplingSolver(game)
    for _ in range(5):
        solver.iteration()
    state = game.new_initial_state()
    policy = solver.average_policy().action_probabilities(state)
    assert sorted(policy) == state.legal_actions()
    assert sum(policy.values()) == pytest.approx(1)
    assert max(policy.values()) > min(policy.values())  # it is no longer uniform
