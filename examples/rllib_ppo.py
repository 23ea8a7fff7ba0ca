"""One seat learns with RLlib's PPO; the other seats play randomly.

python examples/rllib_ppo.py --players 3 --iterations 200
python examples/rllib_ppo.py --game project_mars --iterations 200
"""

from typing import Any

import ray
import torch
import typer
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.examples.rl_modules.classes.random_rlm import RandomRLModule

from pocketmars_env.adapters.rllib import MultiAgentGame
from pocketmars_env.core.game_spec import game_named
from pocketmars_training.rllib.module import LearningModule


class RandomLegalRLModule(RandomRLModule):  # type: ignore[misc]  # Ray publishes no types
    """A policy that plays random legal actions."""

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        masks = batch[Columns.OBS]["action_mask"]
        return {Columns.ACTIONS: torch.multinomial(masks.float(), 1).squeeze(-1)}


def make_config(game: str, players: int, seed: int, env_runners: int) -> PPOConfig:
    """Configure PPO with action masks for ``player_0``, against random players."""
    return (
        PPOConfig()
        .environment(
            MultiAgentGame,
            env_config={"game": game, **game_named(game).player_settings(players)},
            disable_env_checking=True,  # the check would ignore action masks
        )
        .env_runners(num_env_runners=env_runners)
        .multi_agent(
            policies={"learner", "random"},
            policy_mapping_fn=lambda agent, episode, **kwargs: "learner" if agent == "player_0" else "random",
            policies_to_train=["learner"],
        )
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={
                    "learner": RLModuleSpec(
                        module_class=LearningModule,
                        model_config={"game": game, "net_arch": (256, 256)},
                    ),
                    "random": RLModuleSpec(module_class=RandomLegalRLModule),
                }
            )
        )
        .training(
            gamma=1.0,
            lambda_=0.95,
            lr=3e-4,
            train_batch_size_per_learner=2048,
            minibatch_size=128,
            num_epochs=4,
            entropy_coeff=0.01,
        )
        .debugging(seed=seed)
    )


def train(
    iterations: int = 10,
    players: int = 2,
    seed: int = 1,
    env_runners: int = 0,
    game: str = "pocket_mars",
) -> None:
    """Train, and after each iteration print the learner's mean return over about the last 100 games."""
    # Without "local", Ray would connect to a running cluster if there is one.
    with ray.init(address="local", include_dashboard=False):
        algorithm = make_config(game, players, seed, env_runners).build_algo()
        for iteration in range(1, iterations + 1):
            results = algorithm.train()["env_runners"]
            mean = results["module_episode_returns_mean"]["learner"]
            games = results["num_episodes"]
            print(f"iteration {iteration}: mean return {mean:+.3f}, {games} games finished", flush=True)
        algorithm.stop()


if __name__ == "__main__":
    typer.run(train)
