"""Play random games on the device and save all results for comparison with the CPU.

``python -m tests.compat.cuda.simulator FILE`` runs on a GPU or, if NUMBA_ENABLE_CUDASIM=1 and
NUMBA_DISABLE_JIT=1 are set, in Numba's CUDA simulator.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import make_agent
from pocketmars_agents.bots.device_look_ahead import DeviceLookAhead
from pocketmars_env import sample_actions
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.core.games import Games
from pocketmars_env.envs.device_vector import DeviceVectorEnv

Arrays = dict[str, NDArray[Any]]
COUNT, SEED, STEPS, MORE_STEPS = 3, 5, 20, 40
GAMES_PLAYED: dict[str, tuple[str, dict[str, Any]]] = {
    "two": ("pocket_mars", {"players": 2, "round_limit": 2}),
    "solo": ("pocket_mars", {"mode": "solo", "players": 1, "round_limit": 2}),
    "duel": ("project_mars", {}),
}
"""The game and settings of each test case, by name."""
ENVIRONMENTS_PLAYED: dict[str, tuple[str, dict[str, Any]]] = {
    "solo": ("pocketmars/Solo-v1", {"round_limit": 1, "reward": "margin"}),
    "table": ("pocketmars/Table-v1", {"round_limit": 1, "seat": 1}),
    "duel": ("projectmars/Duel-v0", {"seat": 1}),
    "unmasked": ("pocketmars/Solo-v1", {"round_limit": 1, "illegal": "random", "illegal_penalty": 0.25}),
}
"""The environment id and settings of each test case, by name."""
LOOK_AHEAD_PLAYED: dict[str, tuple[str, dict[str, Any], int]] = {
    "greedy:2": ("pocket_mars", {"players": 4, "round_limit": 3}, 8),
    "planner:1": ("project_mars", {}, 1),
}
"""The game, settings and number of steps of each test case, by the name of the agent."""
CHOSEN = np.array([2, 0])
"""The games in which the agent chooses the action; in the others, random actions are played."""
OUTSIDE = np.array([-1, COUNT])
"""Invalid indices, which are skipped."""
ENVIRONMENT_STEPS = 25
FEW_THREADS = {"threads_per_block": 2, "mask_threads": (2, 2), "observation_threads": 2}
"""The threads of a block after the first step: each thread costs time in the simulator."""


def played(name: str, observation_dtype: str) -> Arrays:
    """Play random games; return all arrays at each step and the states after `DeviceGames.play`."""
    game, settings = GAMES_PLAYED[name]
    games = Games(COUNT, GAMES[game], seed=SEED, observation_dtype=observation_dtype, **settings).to_device()
    steps = []
    for step in range(STEPS):
        if step > 0:
            vars(games).update(FEW_THREADS)
        actions = games.random_actions()
        steps.append(
            {
                "actions": actions,
                "masks": games.masks(),
                "observations": games.observations(),
                "others": games.observations(np.zeros(COUNT, dtype=np.int64)),
                "to_play": games.to_play,
                "over": games.over,
                "scores": games.scores(),
                "winners": games.winners(),
                "illegal": games.step(actions, ~games.over.copy_to_host()),
                "states": games.states,
            }
        )
        steps[-1] = {key: np.array(values.copy_to_host()) for key, values in steps[-1].items()}
    result = {key: np.array([step[key] for step in steps]) for key in steps[0]}
    games.play(MORE_STEPS)
    result["played"] = np.array(games.states.copy_to_host())
    games.reset(np.arange(COUNT) == 1)
    result["reset"] = np.array(games.states.copy_to_host())
    result["unplayed"] = games.step(np.full(COUNT, -1)).copy_to_host()
    return {key: as_bytes(values) for key, values in result.items()}


def carried_over() -> Arrays:
    """Choose random actions on the host, then on the device, then on the host again; return all results."""
    game, settings = GAMES_PLAYED["duel"]
    games = Games(COUNT, GAMES[game], seed=SEED, num_threads=2, observation_dtype="uint8", **settings)
    actions = [games.random_actions()]
    on_device = games.to_device()
    actions.append(on_device.random_actions().copy_to_host())
    on_device.play(2)
    back = on_device.to_host()
    actions.append(back.random_actions())
    observations, _ = back.observe()
    return {
        "actions": np.array(actions), "observations": observations, "states": as_bytes(back.states),
        "num_threads": np.array(back.num_threads),
    }  # fmt: skip


def as_bytes(values: NDArray[Any]) -> NDArray[Any]:
    """Return state records as plain bytes, which can be saved without pickle, and other arrays unchanged."""
    return np.frombuffer(values.tobytes(), dtype=np.uint8) if values.dtype.names else values


def stepped(name: str) -> Arrays:
    """Step an environment with random legal actions; return all arrays, and the states around each step."""
    env_id, settings = ENVIRONMENTS_PLAYED[name]
    envs, rng = DeviceVectorEnv(env_id, COUNT, **settings), np.random.default_rng(1)
    vars(envs.games).update(FEW_THREADS)
    observations, infos = envs.reset(seed=2)
    steps = []
    for _ in range(ENVIRONMENT_STEPS):
        masks = infos["action_mask"].copy_to_host()
        actions = sample_actions(masks, rng)
        if "illegal" in settings:
            actions = rng.integers(-1, envs.single_action_space.n + 1, COUNT)  # type: ignore[attr-defined]
        before = envs.games.states.copy_to_host()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        arrays = {
            "observations": observations, "rewards": rewards, "terminations": terminations,
            "truncations": truncations, **infos, "after": envs.games.states,
        }  # fmt: skip
        steps.append(
            {"actions": actions, "masks": masks, "before": np.array(before)}
            | {key: np.array(values.copy_to_host()) for key, values in arrays.items()}
        )
    return {key: as_bytes(np.array([step[key] for step in steps])) for key in steps[0]}


def looked_ahead(name: str) -> Arrays:
    """Play games with an agent that chooses its actions on the device; return the states and the actions."""
    game, settings, number = LOOK_AHEAD_PLAYED[name]
    games = Games(COUNT, GAMES[game], seed=SEED, **settings).to_device()
    agent: Any = make_agent(name)
    chooser = DeviceLookAhead(agent, games)
    vars(games).update(FEW_THREADS)
    vars(chooser).update(threads_per_block=1)
    steps = []
    for step in range(number):
        actions, states = games.random_actions(), np.array(games.states.copy_to_host())
        chooser.write_actions(CHOSEN, step, actions)
        chooser.write_actions(OUTSIDE, step, actions)
        games.step(actions)
        steps.append({"states": states, "actions": np.array(actions.copy_to_host())})
    return {key: as_bytes(np.array([step[key] for step in steps])) for key in steps[0]}


def main(path: str) -> None:
    sys.setswitchinterval(1e-4)  # the simulator's main thread polls the threads of a block
    found = {
        f"{name}/{dtype}/{key}": values
        for name in GAMES_PLAYED
        for dtype in ("float32", "uint8")
        for key, values in played(name, dtype).items()
    }
    for name in ENVIRONMENTS_PLAYED:
        found |= {f"{name}/env/{key}": values for key, values in stepped(name).items()}
    for name in LOOK_AHEAD_PLAYED:
        found |= {f"{name}/{key}": values for key, values in looked_ahead(name).items()}
    found |= {f"carried over/{key}": values for key, values in carried_over().items()}
    np.savez(path, **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(sys.argv[1])
