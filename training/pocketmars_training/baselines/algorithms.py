"""The algorithms of the baselines."""

from typing import NamedTuple

DECISIONS, GRADIENT_STEPS = "decisions", "gradient steps"


class Algorithm(NamedTuple):
    """An algorithm of the baselines.

    The algorithm's key in `ALGORITHMS` is the name of a module with a function ``train(recorder)``.

    Attributes:
        title: the name in the tables and the plot in `BASELINES.md`.
        learns_from: the source of the training data.
        unit: the unit of the steps, `DECISIONS` or `GRADIENT_STEPS`.
        steps: the default number of steps of a run.
        tasks: the names of the supported tasks.

    """

    title: str
    learns_from: str
    unit: str = DECISIONS
    steps: int = 1_000_000
    tasks: tuple[str, ...] = ("solo", "table", "duel")


ONE_SEAT = "one seat, against `greedy` (solo: Devious Automatics)"
ALL_SEATS = "all seats, against itself"
RECORDED = "recorded games of `greedy`, without masks"
SEVERAL_SEATS = ("table", "duel")
ALGORITHMS = {
    "maskable_ppo": Algorithm("MaskablePPO (sb3-contrib)", ONE_SEAT),
    "self_play_ppo": Algorithm("Self-play PPO", ALL_SEATS, tasks=SEVERAL_SEATS),
    "behavior_cloning": Algorithm("Behavior cloning (d3rlpy)", RECORDED, GRADIENT_STEPS, 20_000),
    "discrete_cql": Algorithm("Discrete CQL (d3rlpy)", RECORDED, GRADIENT_STEPS, 20_000),
    "masked_dqn": Algorithm("Masked double DQN", ONE_SEAT),
    "expert_iteration": Algorithm("Expert iteration", ALL_SEATS, tasks=SEVERAL_SEATS),
    "nfsp": Algorithm("NFSP (OpenSpiel)", ALL_SEATS, tasks=SEVERAL_SEATS),
}
"""The algorithms by module name, in the same order as in the tables in `BASELINES.md`."""
