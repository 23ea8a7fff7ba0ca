"""The baseline algorithms and their tasks."""

from typing import NamedTuple

from pocketmars_training.common.training_spec import TRAINING_SPECS, Task

DECISIONS, GRADIENT_STEPS = "decisions", "gradient steps"


class Algorithm(NamedTuple):
    """A baseline algorithm."""

    title: str  # in the tables and the plot in `BASELINES.md`
    unit: str = DECISIONS  # of the training steps, or `GRADIENT_STEPS`
    steps: int = 1_000_000  # the default number of training steps
    fewest_players: int = 1  # in a supported task
    module: str = ""  # with a function ``train(recorder)``; by default, the key in `ALGORITHMS`

    def supports(self, task: Task) -> bool:
        return task.players >= self.fewest_players


ALGORITHMS = {
    "maskable_ppo": Algorithm("MaskablePPO (sb3-contrib)"),
    "self_play_ppo": Algorithm("Self-play PPO"),
    "behavior_cloning": Algorithm("Behavior cloning (d3rlpy)", GRADIENT_STEPS, 20_000),
    "discrete_cql": Algorithm("Discrete CQL (d3rlpy)", GRADIENT_STEPS, 20_000),
    "masked_dqn": Algorithm("Masked double DQN"),
    "expert_iteration": Algorithm("Expert iteration"),
    "nfsp": Algorithm("NFSP (OpenSpiel)", fewest_players=2),
    "ppo_entropy": Algorithm("PPO, high entropy", module="full_game"),
    "mmd": Algorithm("MMD", module="full_game"),
    "vrpo": Algorithm("VRPO", module="full_game"),
    "rnad": Algorithm("R-NaD", module="full_game"),
    "psro": Algorithm("PSRO, Nash", fewest_players=2, module="full_game"),
}
"""The algorithms by module name, in the same order as in the tables in `BASELINES.md`."""

TASKS = {task.name: task for training in TRAINING_SPECS.values() for task in training.tasks}
"""The tasks of the registered games, by name."""
