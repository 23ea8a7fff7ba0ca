"""Train a policy with self-play PPO in all seats; with `--start`, fine-tune an existing policy.

    pocketmars train self-play-ppo --run runs/multi
    pocketmars train self-play-ppo --start runs/multi/multi.onnx --run runs/better
    pocketmars train self-play-ppo --resume runs/better

The learner plays against itself and, in some games, against bots, and learns from every seat that it plays.
The run writes `multi.onnx` (for Project Mars, `duel.onnx`). With ``--players 1``, the learner plays the solo
game of Pocket Mars, and the run writes `solo.onnx`.
"""

from pocketmars_training.common.script import run_script
from pocketmars_training.ppo import PpoRun, PpoSettings


def main() -> None:
    run_script(__doc__, PpoSettings, PpoRun)


if __name__ == "__main__":
    main()
