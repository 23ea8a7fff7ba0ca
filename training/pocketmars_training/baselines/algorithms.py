"""The baseline algorithms."""

from typing import NamedTuple

DECISIONS, GRADIENT_STEPS = "decisions", "gradient steps"


class Algorithm(NamedTuple):
    """A baseline algorithm.

    The algorithm's key in `ALGORITHMS` is the name of a module with a function ``train(recorder)``.

    Attributes:
        title: the name in the tables and the plot in `BASELINES.md`.
        unit: the unit of the training steps, `DECISIONS` or `GRADIENT_STEPS`.
        steps: the default number of training steps in a run.
        tasks: the names of the supported tasks.

    """

    title: str
    unit: str = DECISIONS
    steps: int = 1_000_000
    tasks: tuple[str, ...] = ("solo", "table", "duel")


ALGORITHMS = {
    "maskable_ppo": Algorithm("MaskablePPO (sb3-contrib)"),
    "self_play_ppo": Algorithm("Self-play PPO"),
    "behavior_cloning": Algorithm("Behavior cloning (d3rlpy)", GRADIENT_STEPS, 20_000),
    "discrete_cql": Algorithm("Discrete CQL (d3rlpy)", GRADIENT_STEPS, 20_000),
    "masked_dqn": Algorithm("Masked double DQN"),
    "expert_iteration": Algorithm("Expert iteration"),
    "nfsp": Algorithm("NFSP (OpenSpiel)", tasks=("table", "duel")),
}
"""The algorithms by module name, in the same order as in the tables in `BASELINES.md`."""
