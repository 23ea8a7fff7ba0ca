"""Games on a GPU: the kernels compile, and in Numba's CUDA simulator all results equal those of the CPU."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba_cuda", exc_type=ImportError)

from pocketmars_agents import make_agent
from pocketmars_env.core.compiled import chance
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.envs.registration import ENVIRONMENTS
from pocketmars_env.envs.rewards import RESULTS, final_rewards_all, results_of_all
from tests.compat.cuda.simulator import (
    CHOSEN,
    COUNT,
    ENVIRONMENT_STEPS,
    ENVIRONMENTS_PLAYED,
    GAMES_PLAYED,
    LOOK_AHEAD_PLAYED,
    MORE_STEPS,
    SEED,
    STEPS,
)
from tests.core.processes import run

ROOT = Path(__file__).parent.parent.parent
SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
Arrays = dict[str, Any]


class Program:
    """A program that starts immediately in a separate process."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=ROOT, env={**os.environ, **variables}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def output(self) -> str:
        """Wait for the program to exit and return its output."""
        output, errors = self._process.communicate()
        assert self._process.returncode == 0, errors[-3000:]
        return output


@pytest.fixture(scope="module")
def compilers() -> dict[str, Program]:
    """Start compiling all CUDA kernels, in one process per game."""
    return {game: Program("tests.compat.cuda.ptx", game) for game in GAMES}


@pytest.fixture(scope="module")
def simulated(compilers: dict[str, Program], tmp_path_factory: pytest.TempPathFactory) -> Arrays:
    """Return the arrays saved by `simulator.py`, which runs while the kernels compile."""
    path = tmp_path_factory.mktemp("cuda") / "played.npz"
    Program("tests.compat.cuda.simulator", str(path), **SIMULATOR).output()
    with np.load(path) as saved:
        return dict(saved)


def states_of(spec: GameSpec, saved: Any) -> Any:
    """Restore state records from their bytes, with shape ``(steps, COUNT)``."""
    return np.frombuffer(saved.tobytes(), dtype=spec.state).reshape(-1, COUNT)


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("name", GAMES_PLAYED)
def test_games_equal_those_of_the_cpu(simulated: Arrays, name: str, dtype: str) -> None:
    game, settings = GAMES_PLAYED[name]
    spec = GAMES[game]
    games = Games(COUNT, spec, seed=SEED, observation_dtype=dtype, **settings)
    prefix = f"{name}/{dtype}/"
    saved = {key.removeprefix(prefix): values for key, values in simulated.items() if key.startswith(prefix)}
    states = states_of(spec, saved["states"])
    for step in range(STEPS):
        observations, masks = games.observe()
        others, _ = games.observe(np.zeros(COUNT, dtype=np.int64))
        actions, running = games.random_actions(), ~games.over
        expected: Arrays = {
            "actions": actions, "masks": masks, "observations": observations, "others": others,
            "to_play": games.to_play, "over": games.over, "scores": games.scores(),
            "winners": games.winners(), "illegal": np.zeros(COUNT, dtype=np.bool_),
        }  # fmt: skip
        for key, values in expected.items():
            assert saved[key][step].dtype == values.dtype, key
            np.testing.assert_array_equal(saved[key][step], values, err_msg=f"{key} at step {step}")
        games.step(actions, running)
        assert states[step].tobytes() == games.states.tobytes()
    for _ in range(MORE_STEPS):
        games.reset(games.over)
        games.step(games.random_actions())
    assert saved["played"].tobytes() == games.states.tobytes()
    games.reset(np.arange(COUNT) == 1)
    assert saved["reset"].tobytes() == games.states.tobytes()
    assert saved["unplayed"].all()


def test_random_actions_continue_on_the_device_and_back_on_the_host(simulated: Arrays) -> None:
    game, settings = GAMES_PLAYED["duel"]
    games = Games(COUNT, GAMES[game], seed=SEED, observation_dtype="uint8", **settings)
    actions = [games.random_actions(), games.random_actions()]
    for _ in range(2):
        games.step(games.random_actions())
    actions.append(games.random_actions())
    saved = {key: simulated[f"carried over/{key}"] for key in ("actions", "observations", "states")}
    np.testing.assert_array_equal(saved["actions"], actions)
    np.testing.assert_array_equal(saved["observations"], games.observe()[0])
    assert saved["observations"].dtype == np.uint8
    assert saved["states"].tobytes() == games.states.tobytes()
    assert simulated["carried over/num_threads"] == 2


@pytest.mark.parametrize("name", ENVIRONMENTS_PLAYED)
def test_episodes_follow_the_rules_of_the_vector_environment(simulated: Arrays, name: str) -> None:
    env_id, settings = ENVIRONMENTS_PLAYED[name]
    spec, mode, _ = ENVIRONMENTS[env_id]
    reward, seat = settings.get("reward", "win"), settings.get("seat", 0)
    penalty = settings.get("illegal_penalty", 0.0)
    others = ("reward", "seat", "illegal", "illegal_penalty")
    own = {key: value for key, value in settings.items() if key not in others}
    config = spec.config(**mode.settings_of(own))
    saved = {key.rpartition("/")[2]: values for key, values in simulated.items() if f"{name}/env/" in key}
    before, after = (states_of(spec, saved[key]) for key in ("before", "after"))
    seats, uint8 = np.full(COUNT, seat), np.dtype(np.uint8)
    ended = 0
    for step in range(ENVIRONMENT_STEPS):
        games = Games.of(spec, config, after[step].copy(), dtype=uint8)
        assert not games.over.any()
        assert (games.to_play == seat).all()  # the opponents have already acted
        observations, masks = games.observe(seats)
        np.testing.assert_array_equal(saved["observations"][step], observations)
        np.testing.assert_array_equal(saved["action_mask"][step], masks)
        done = saved["_final_obs"][step]
        assert (done == (saved["terminations"][step] | saved["truncations"][step])).all()
        rewards_before = -penalty * saved["illegal_action"][step]
        assert (saved["rewards"][step][~done] == rewards_before[~done]).all()
        ended += int(done.sum())
        assert (saved["win_share"][step][done] <= saved["won"][step][done]).all()
        if config.seats_to_play == 1 and not penalty:  # without opponents, the CPU can repeat the step
            games = Games.of(spec, config, before[step].copy(), dtype=uint8)
            games.step(saved["actions"][step])
            rewards = final_rewards_all(reward, games.scores(), games.winners() | ~games.over[:, None])
            assert (done == games.over).all()
            assert (saved["truncations"][step] == games.truncated).all()
            assert (saved["rewards"][step] == np.where(done, rewards[:, seat], 0)).all()
            np.testing.assert_array_equal(saved["final_obs"][step][done], games.observe(seats)[0][done])
            results = results_of_all(games, games.scores(), games.winners(), seats)
            results["termination"] = games.termination
            for key in RESULTS:
                np.testing.assert_array_equal(saved[key][step][done], results[key][done], err_msg=key)
    assert ended > 0
    assert (saved["illegal_action"].mean() > 0.9) == (penalty > 0)


@pytest.mark.parametrize("name", LOOK_AHEAD_PLAYED)
def test_look_ahead_bots_choose_the_actions_they_choose_on_the_cpu(simulated: Arrays, name: str) -> None:
    game, settings, number = LOOK_AHEAD_PLAYED[name]
    spec, agent = GAMES[game], make_agent(name)
    states, actions = states_of(spec, simulated[f"{name}/states"]), simulated[f"{name}/actions"]
    games = Games(COUNT, spec, seed=SEED, **settings)
    for step in range(number):
        assert states[step].tobytes() == games.states.tobytes()
        expected = games.random_actions()
        seeds = np.array([chance.long_word(np.uint64(step), i) for i in CHOSEN], dtype=np.uint64)
        expected[CHOSEN] = agent.act_batch(games.views(CHOSEN, games.to_play[CHOSEN]), seeds)  # type: ignore[attr-defined]
        np.testing.assert_array_equal(actions[step], expected)
        games.step(expected)


@pytest.mark.parametrize("game", GAMES)
def test_all_kernels_compile_for_compute_capability_9(compilers: dict[str, Program], game: str) -> None:
    assert compilers[game].output()


SHOW_FOLDER = """
import json
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.game_spec import default_game
kernels = compiled_for("pocketmars_env.core.cuda.kernels", default_game().kernels)
print(json.dumps(kernels.new_games.stats.cache_path))
"""


def test_kernels_are_stored_in_no_folder_but_that_of_the_cache(tmp_path: Path) -> None:
    """In other folders, such as ``__pycache__``, numba-cuda would not notice edits to other files."""
    no_folder = tmp_path / "file"
    no_folder.touch()
    assert Path(run(SHOW_FOLDER, NUMBA_CACHE_DIR=str(no_folder))).is_relative_to(no_folder)
