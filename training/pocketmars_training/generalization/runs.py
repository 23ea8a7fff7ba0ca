"""Training of the policies of a study, and of best responses to them."""

from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from pocketmars_training.common import checkpoints
from pocketmars_training.common.training_spec import GameKind
from pocketmars_training.exploit import ExploitRun, ExploitSettings
from pocketmars_training.generalization.studies import BOT_SHARE, SEEN_BOT, Case, Study
from pocketmars_training.ppo import PpoRun, PpoSettings

SETTINGS: dict[str, Any] = {
    "n_envs": 512,
    "train_freq": 16_384,
    "batch_size": 2_048,
    "n_epochs": 2,
    "learning_rate": 5e-4,
    "save_freq": 250_000,
    "threads": 1,
    "device": "cpu",
}
"""The settings of the baseline of self-play PPO."""
POLICY = "policy"

AnySettings = TypeVar("AnySettings", bound=PpoSettings)


def settings_for(
    kind: type[AnySettings], study: Study, case: Case, run: Path, seed: int, **changes: Any
) -> AnySettings:
    """Return the settings of a run whose games are those of the case."""

    class CaseSettings(kind):  # type: ignore[valid-type, misc]
        @property
        def kinds(self) -> list[GameKind]:
            return [case.kind]

    settings: AnySettings = CaseSettings(
        run=run,
        resume=bool(checkpoints.kept(run)),
        game=study.game,
        players=(case.players,),
        seed=seed,
        **(SETTINGS | changes),
    )
    return settings


def train(run: PpoRun, policy: Path) -> None:
    """Train, and export the policy; the trials replace the run's own evaluations."""
    run.matchups, run.baselines, run.name = [], [], policy.stem
    with closing(run):
        run.train()


def trained(study: Study, case: Case, run: Path, seed: int, decisions: int, **changes: Any) -> Path:
    """Return the policy that is trained on a case, after training it unless its file exists."""
    policy = run / f"{POLICY}.onnx"
    if not policy.exists():
        settings = settings_for(
            PpoSettings,
            study,
            case,
            run,
            seed,
            total_timesteps=decisions,
            imitation_timesteps=case.imitation_timesteps,
            teacher=SEEN_BOT,
            deals=case.deals,
            bots=(SEEN_BOT,),
            bot_share=BOT_SHARE,
            eval_freq=2 * decisions,
            **changes,
        )
        train(PpoRun(settings), policy)
    return policy


def best_response(study: Study, case: Case, policy: Path, seed: int, decisions: int, **changes: Any) -> Path:
    """Return a best response to a policy, trained on new deals from the policy itself."""
    run = policy.parent / "best_response"
    response = run / f"{POLICY}.onnx"
    if not response.exists():
        settings = settings_for(
            ExploitSettings,
            study,
            case,
            run,
            seed,
            policy=str(policy),
            start=policy,
            total_timesteps=decisions,
            eval_freq=2 * decisions,
            **changes,
        )
        train(ExploitRun(settings), response)
    return response
