"""OpenSpiel's algorithms play the game."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE
from tests.adapters.open_spiel import SEED, dealt, load, play, pyspiel

random_agent = pytest.importorskip("open_spiel.python.algorithms.random_agent")
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
evaluate_bots = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
outcome_sampling = pytest.importorskip("open_spiel.python.algorithms.outcome_sampling_mccfr")
ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")


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
    assert state.returns() != [0] * state.num_players() or len(state.game().winners) > 1


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
    np.random.seed(SEED)  # noqa: NPY002  the random agents use NumPy's global generator
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
    np.random.seed(SEED)  # noqa: NPY002  the solver uses NumPy's global generator
    game = load(round_limit=1, seed=SEED)
    solver = outcome_sampling.OutcomeSamplingSolver(game)
    for _ in range(5):
        solver.iteration()
    state = game.new_initial_state()
    policy = solver.average_policy().action_probabilities(state)
    assert sorted(policy) == state.legal_actions()
    assert sum(policy.values()) == pytest.approx(1)
    assert max(policy.values()) > min(policy.values())  # the policy is no longer uniform
