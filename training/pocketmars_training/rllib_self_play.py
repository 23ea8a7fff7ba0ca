"""Train one agent for games of 2, 3 and 4 players on a Ray cluster, with RLlib's PPO.

    pocketmars train rllib-self-play --run runs/cluster
    pocketmars train rllib-self-play --run runs/cluster --address auto --env-runners 64 --resume

The learner plays against its current policy, its past selves and bots. `SCALING.md` describes clusters.
The run's folder receives checkpoints, logs and finally `table.onnx`, which every command accepts as an
agent: ``pocketmars arena runs/cluster/table.onnx greedy``.
"""

import sys

from pocketmars_env.core.files.output import output_errors
from pocketmars_training.rllib.run import train
from pocketmars_training.rllib.settings import ScaleOutSettings
from pocketmars_training.run import checkpoints
from pocketmars_training.run.arguments import given_settings
from pocketmars_training.run.checkpoints import CheckpointError
from pocketmars_training.run.run_folder import RunError

NAME = "pocketmars train rllib-self-play"
SETTINGS = ScaleOutSettings


def main() -> None:
    """Runs the training from the command line; errors end the process with one line."""
    with output_errors(NAME):
        settings = given_settings(NAME, __doc__, SETTINGS)
        try:
            train(settings)
        except (RunError, CheckpointError) as error:
            sys.exit(f"{NAME}: {error}")
        except KeyboardInterrupt:
            has_kept = bool(checkpoints.kept(settings.run))
            next_step = "the same command with --resume goes on" if has_kept else "nothing is kept"
            sys.exit(f"{NAME}: interrupted; {next_step}")


if __name__ == "__main__":
    main()
