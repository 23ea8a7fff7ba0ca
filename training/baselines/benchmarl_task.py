"""The games as BenchMARL tasks.

    from benchmarl.algorithms import IppoConfig
    from benchmarl.experiment import Experiment, ExperimentConfig
    from benchmarl.models import MlpConfig
    from training.baselines.benchmarl_task import SeatsTask

    experiment = Experiment(
        task=SeatsTask.POCKET_MARS.get_task({"players": 2}),
        algorithm_config=IppoConfig.get_from_yaml(),
        model_config=MlpConfig.get_from_yaml(),
        critic_model_config=MlpConfig.get_from_yaml(),
        seed=1,
        config=ExperimentConfig.get_from_yaml(),
    )
    experiment.run()

In BenchMARL, all seats act in every step, but only the action of the seat to play has an effect. The masks of
the other seats allow all actions, and the actions of these seats add noise to the training data.
"""

import copy
from collections.abc import Callable
from typing import Any

from benchmarl.environments.common import Task
from benchmarl.environments.pettingzoo.common import PettingZooClass
from torchrl.envs import EnvBase
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_env.envs.classes import environments_of

GROUP = "seats"


class SeatsTaskClass(PettingZooClass):  # type: ignore[misc]  # BenchMARL publishes no types
    """A game as a BenchMARL task, with all seats in one group.

    The task's config contains the arguments of the game's PettingZoo environment. This class sets the
    argument ``action_mask``, so the config must not contain it.
    """

    @property
    def spec(self) -> GameSpec:
        return game_named(self.name.lower())

    def get_env_fun(
        self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any
    ) -> Callable[[], EnvBase]:
        settings, make = copy.deepcopy(self.config), environments_of(self.spec)["env"]

        def make_env() -> EnvBase:
            env = make(**settings, action_mask="info")
            seats = {GROUP: list(env.possible_agents)}
            return PettingZooWrapper(env, use_mask=True, group_map=seats, seed=seed, device=device)

        return make_env

    def supports_discrete_actions(self) -> bool:
        return True

    def max_steps(self, env: EnvBase) -> int:
        """Return an upper bound on the number of steps in a game."""
        seats = sum(map(len, env.group_map.values()))
        return int(seats * (self.spec.max_decisions + 1))

    def has_render(self, env: EnvBase) -> bool:
        return False

    def info_spec(self, env: EnvBase) -> None:
        return None

    @staticmethod
    def env_name() -> str:
        """Return the name that BenchMARL's logs use for the environment."""
        return "pocketmars"


class SeatsTask(Task):  # type: ignore[misc]  # BenchMARL publishes no types
    """The BenchMARL tasks, one for each built-in game."""

    POCKET_MARS: Any = None
    PROJECT_MARS: Any = None

    @staticmethod
    def associated_class() -> type[SeatsTaskClass]:
        return SeatsTaskClass
