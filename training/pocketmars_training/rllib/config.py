"""RLlib's configuration of a training."""

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec

from pocketmars_training.rllib.game import PoolGame, module_of
from pocketmars_training.rllib.module import FrozenModule, LearningModule
from pocketmars_training.rllib.pool import LEARNER, past_modules
from pocketmars_training.rllib.settings import ScaleOutSettings

SECONDS_TO_PLAY = 600.0
"""A new machine first compiles the rules and the bots, for about a minute."""


def make_config(settings: ScaleOutSettings, seed: int) -> PPOConfig:
    """PPO with masks for the learner, beside a fixed number of frozen modules for its past selves.

    Episodes are cut where an update is due and go on after it. So long games count as short ones do,
    and whatever the number of runners, an update gets `settings.answers` answers.

    Args:
        settings: the settings of the run.
        seed: of the environments and of the network's first weights.

    """
    past = past_modules(settings.past_kept)
    network = {"game": settings.game, "width": settings.net_arch[0], "layers": len(settings.net_arch)}
    specs = {LEARNER: RLModuleSpec(module_class=LearningModule, model_config=network)}
    specs |= {name: RLModuleSpec(module_class=FrozenModule, model_config=network) for name in past}
    game = {
        "game": settings.game,
        "players": settings.players,
        "bots": settings.bots,
        "past_kept": settings.past_kept,
        "present_share": settings.present_share,
    }
    return (
        PPOConfig()
        .environment(PoolGame, env_config=game, disable_env_checking=True)  # it would play without masks
        .env_runners(
            num_env_runners=settings.env_runners,
            num_envs_per_env_runner=settings.envs_per_runner,
            rollout_fragment_length=settings.n_steps,
            batch_mode="truncate_episodes",
            sample_timeout_s=SECONDS_TO_PLAY,
        )
        .learners(num_learners=0)  # the network is small: it learns in the process that leads
        .fault_tolerance(restart_failed_env_runners=True)
        # no set: its order, and with it the first weights, would differ from process to process
        .multi_agent(policies=(LEARNER, *past), policy_mapping_fn=module_of, policies_to_train=[LEARNER])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
        .training(
            gamma=settings.gamma,
            lambda_=settings.gae_lambda,
            lr=settings.learning_rate,
            train_batch_size_per_learner=settings.answers,
            minibatch_size=settings.batch_size,
            num_epochs=settings.n_epochs,
            clip_param=settings.clip_range,
            entropy_coeff=settings.ent_coef,
            vf_loss_coeff=settings.vf_coef,
            use_kl_loss=False,
            grad_clip=settings.max_grad_norm,
            grad_clip_by="global_norm",
        )
        .debugging(seed=seed, log_level="ERROR")
        .reporting(min_time_s_per_iteration=0, metrics_num_episodes_for_smoothing=1_000)
    )
