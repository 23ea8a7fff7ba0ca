"""Train one agent for games of 2, 3 and 4 players on a Ray cluster, with RLlib's PPO.

    pocketmars train rllib-self-play --run runs/cluster
    pocketmars train rllib-self-play --resume runs/cluster --address auto --env-runners 64

The learner plays against itself, its past selves and bots. `SCALING.md` explains how to use a cluster. The
run writes checkpoints, logs and finally `multi.onnx` (for Project Mars, `duel.onnx`), which can be used
as a bot: ``pocketmars arena runs/cluster/multi.onnx greedy``.
"""

from pocketmars_training.common.script import run_script
from pocketmars_training.rllib.run import ScaleOutRun
from pocketmars_training.rllib.settings import ScaleOutSettings


def main() -> None:
    run_script(__doc__, ScaleOutSettings, ScaleOutRun)


if __name__ == "__main__":
    main()
