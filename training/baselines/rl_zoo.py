"""Training with RL Baselines3 Zoo and MaskablePPO, an algorithm that the Zoo does not include.

python -m training.baselines.rl_zoo --algo ppo_mask --env pocketmars/Solo-v1 --eval-freq -1
"""

import sys
from pathlib import Path

import rl_zoo3
import rl_zoo3.train
from sb3_contrib import MaskablePPO

import pocketmars_env.envs.registration  # noqa: F401  # the package registers its environments

SETTINGS = Path(__file__).with_name("ppo_mask.yml")


def main() -> None:
    """Run the Zoo's training command, with the settings in `ppo_mask.yml` unless ``--conf-file`` is given."""
    rl_zoo3.ALGOS["ppo_mask"] = MaskablePPO
    if not any(argument.split("=")[0] in ("--conf-file", "-conf") for argument in sys.argv):
        sys.argv += ["--conf-file", str(SETTINGS)]
    rl_zoo3.train.train()


if __name__ == "__main__":
    main()
