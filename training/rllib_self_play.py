"""Train one agent for the tables of 2, 3 and 4 players on a Ray cluster, with RLlib's PPO.

    python -m training.rllib_self_play --run runs/cluster
    python -m training.rllib_self_play --run runs/cluster --address auto --env-runners 64 --resume

The learner plays against its present self, its past selves and bots. `SCALING.md` describes clusters.
The run's folder gets checkpoints, logs, and in the end `table.onnx`, which every command takes for an
agent: ``pocketmars arena runs/cluster/table.onnx greedy``.
"""

import sys

import tyro

from pocketmars_env.output import output_errors
from training import checkpoints
from training.checkpoints import CheckpointError
from training.rllib.run import train
from training.rllib.settings import ScaleOutSettings
from training.run_folder import RunError

NAME = "training.rllib_self_play"


def main() -> None:
    """Train as the command line says; end the process with one line if that cannot be done."""
    with output_errors(NAME):
        settings = tyro.cli(ScaleOutSettings, prog=f"python -m {NAME}", description=__doc__)
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
