"""One seat of the PettingZoo environment learns with Tianshou's DQN; the other seats play randomly.

python examples/tianshou_dqn.py --players 3 --iterations 200
python examples/tianshou_dqn.py --game project_mars --iterations 200
"""

import numpy as np
import torch
import typer
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_env.envs.classes import environments_of

TABLES = 8  # parallel games
GAMES = 16  # per iteration
UPDATES = 100  # gradient steps per iteration
BATCH = 256
EXPLORATION = 0.1
LONGEST_GAME = 1000  # upper estimate of a game's length, in decisions of all seats


def make_env(spec: GameSpec, players: int) -> PettingZooEnv:
    """Create a PettingZoo environment, wrapped for Tianshou."""
    return PettingZooEnv(environments_of(spec)["env"](**spec.player_settings(players)))


def make_learner(env: PettingZooEnv, spec: GameSpec) -> DQN:
    """Create a DQN learner that chooses only legal actions."""
    sizes = {"state_shape": spec.observation_size, "action_shape": spec.num_actions}
    network = Net(**sizes, hidden_sizes=[256, 256])
    return DQN(
        policy=DiscreteQLearningPolicy(
            model=network,
            action_space=env.action_space,
            # Not eps_training: Tianshou sets is_within_training_step only on the multi-agent policy, so the
            # policies inside it use eps_inference.
            eps_inference=EXPLORATION,
        ),
        optim=AdamOptimizerFactory(lr=3e-4),
        gamma=1.0,
        # Tianshou's next observation may be another seat's, so no value is bootstrapped from it, except in
        # games longer than LONGEST_GAME.
        n_step_return_horizon=LONGEST_GAME,
    )


def train(iterations: int = 10, players: int = 2, seed: int = 1, game: str = "pocket_mars") -> None:
    """Train, and print the learner's mean return after each iteration."""
    np.random.seed(seed)  # noqa: NPY002  # Tianshou uses this global generator
    torch.manual_seed(seed)
    spec = game_named(game)
    env = make_env(spec, players)
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents[1:]]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[make_learner(env, spec), *others], env=env)

    envs = DummyVectorEnv([lambda: make_env(spec, players)] * TABLES)
    envs.seed(seed)
    buffer = VectorReplayBuffer(50_000, TABLES)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    for iteration in range(1, iterations + 1):
        with policy_within_training_step(algorithm.policy):
            played = collector.collect(n_episode=GAMES)
            for _ in range(UPDATES):
                algorithm.update(buffer, sample_size=BATCH)
        mean = played.returns[:, 0].mean()
        print(f"iteration {iteration}: mean return {mean:+.3f} in {GAMES} games", flush=True)


if __name__ == "__main__":
    typer.run(train)
