"""Writes recorded games as a Minari dataset.

Each game yields one episode for each seat that made a decision.
"""

import json
from pathlib import Path
from typing import Any

from gymnasium import spaces

from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.extras import imported_data
from pocketmars_agents.recording.episodes_file import EpisodesFile
from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.replay import Replays
from pocketmars_env.core.version import __version__
from pocketmars_env.envs.observation_space import observation_box
from pocketmars_env.envs.rewards import final_rewards

FOLDER = "data"
EPISODES_FILE = "main_data.hdf5"
DESCRIPTION = (
    "Games of {title} between bots. An episode is what one seat saw and did in one game; the metadata of "
    "an episode has the seed and all actions of its game, as JSON."
)


def game_data(game: GameResult) -> dict[str, Any]:
    """Return the metadata that all episodes of a game share.

    ``agents`` contains the bot in each seat that makes decisions. ``scores`` contains the points of every
    seat.
    """
    return {
        "seed": game.match.seed,
        "agents": [game.match.bot_at(seat) for seat in range(len(game.match.bots))],
        "scores": game.scores,
        "winners": game.winners,
        "actions": game.actions,
    }


class MinariWriter:
    """Writes the episodes of recorded games to a Minari dataset."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        storage = imported_data("minari.dataset.minari_storage").MinariStorage
        spec = plan.spec
        self._plan = plan
        self._storage = storage.new(
            folder / FOLDER,
            observation_space=observation_box(spec, plan.dtype),
            action_space=spaces.Discrete(spec.num_actions),
            env_spec=plan.env_spec(),
            data_format="hdf5",
        )
        self._file = EpisodesFile(folder / FOLDER / EPISODES_FILE)
        self._steps = 0

    def write(self, replays: Replays) -> None:
        """Add the episodes of the replayed games; raise an OSError if the episodes cannot be written."""
        for episode in replays.episodes(self._plan.dtype):
            game = episode.game
            self._file.add(
                episode.observations,
                episode.masks,
                episode.actions,
                final_rewards(self._plan.reward, game.scores, game.winners)[episode.seat],
                game.truncated,
                {
                    "seed": self._plan.seed + episode.number,
                    "game": json.dumps(game_data(game)),
                    "seat": episode.seat,
                },
            )
            self._steps += len(episode.actions)

    def finish(self) -> None:
        """Close the episodes file and write the dataset's metadata; raise an OSError on failure."""
        self.close()
        plan = self._plan
        self._storage.update_metadata(
            {
                "dataset_id": plan.dataset_id,
                "minari_version": imported_data("minari").__version__,
                "total_episodes": self._file.episodes,
                "total_steps": self._steps,
                "dataset_size": float(self._storage.get_size()),
                "algorithm_name": ", ".join(dict.fromkeys(plan.bots)),
                "description": DESCRIPTION.format(title=plan.spec.title),
                "requirements": [f"pocketmars-env=={__version__}"],
                **{f"pocketmars_{name}": value for name, value in plan.as_dict().items()},
            }
        )

    def close(self) -> None:
        """Close the episodes file without completing the dataset."""
        self._file.close()
