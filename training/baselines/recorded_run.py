"""Functions for the baselines that use this package's training scripts."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from pocketmars_training.common.evaluation import Result
from pocketmars_training.common.network_agent import NetworkAgent
from pocketmars_training.common.network_run import NetworkRun
from pocketmars_training.common.settings import RunSettings
from pocketmars_training.common.training_spec import GameKind

from .recorder import Recorder


def settings_for(script: type[RunSettings], recorder: Recorder, run: Path, changes: Mapping[str, Any]) -> Any:
    """Return a training script's settings for the recorder's task, with one thread on the CPU."""
    task = recorder.task

    class TaskSettings(script):  # type: ignore[valid-type, misc]
        @property
        def kinds(self) -> list[GameKind]:
            return [task.kind]

    return TaskSettings(
        run=run,
        game=task.game.name,
        players=(task.players,),
        seed=recorder.seed,
        total_timesteps=recorder.total_steps,
        eval_freq=recorder.eval_freq,
        save_freq=recorder.total_steps,
        threads=1,
        device="cpu",
        **changes,
    )


def recorded(
    run_class: type[NetworkRun], settings: Any, recorder: Recorder, reported: Mapping[str, Any]
) -> None:
    """Train with a training script, and write the run's result file."""

    class RecordedRun(run_class):  # type: ignore[valid-type, misc]
        def evaluate_learner(self) -> list[Result]:
            recorder.evaluate(self.num_timesteps, self.agent())
            none: list[Result] = super().evaluate_learner()
            return none

        def finish(self) -> list[Result]:
            recorder.finish(self.num_timesteps, self.agent(), reported)
            return []

        def agent(self) -> NetworkAgent:
            return NetworkAgent(self.name, self.network, is_sampling=False)

    with closing(RecordedRun(settings)) as run:
        run.matchups, run.baselines = [], []
        run.evaluate_learner()
        run.train()
