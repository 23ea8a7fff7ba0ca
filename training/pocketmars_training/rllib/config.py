"""The RLlib configuration of a run."""

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec

from pocketmars_training.common.device import device_named
from pocketmars_training.rllib.game import PoolGame, module_of
from pocketmars_training.rllib.module import FrozenModule, LearningModule
from pocketmars_training.rllib.pool import LEARNER, past_modules
from pocketmars_training.rllib.settings import ScaleOutSettings

SECONDS_TO_PLAY = 600.0
"""Timeout for sampling, in seconds; a new machine needs about a minute to compile the rules and bots."""


def make_config(settings: ScaleOutSettings, seed: int) -> PPOConfig:
    """Configure PPO with action masks for the learner, and frozen modules for the past selves.

    Rollouts are truncated at each update, and unfinished episodes continue after the update. The samples are
    therefore not biased toward short games. Each update samples at least `settings.update_size` decisions of
    the learner and past selves.
    """
    past = past_modules(settings.past_kept)
    network = {"game": settings.game, "net_arch": settings.net_arch}
    specs = {LEARNER: RLModuleSpec(module_class=LearningModule, model_config=network)}
    specs |= {name: RLModuleSpec(module_class=FrozenModule, model_config=network) for name in past}
    game = {
        name: getattr(settings, name) for name in ("game", "players", "bots", "past_kept", "present_share")
    }
    return (
        PPOConfig()
        .environment(PoolGame, env_config=game, disable_env_checking=True)  # the check ignores masks
        .env_runners(
            num_env_runners=settings.env_runners,
            num_envs_per_env_runner=settings.envs_per_runner,
            rollout_fragment_length=settings.n_steps,
            batch_mode="truncate_episodes",
            sample_timeout_s=SECONDS_TO_PLAY,
        )
        # The network is small, so the driver trains it.
        .learners(num_learners=0, num_gpus_per_learner=int(device_named(settings.device).type == "cuda"))
        .fault_tolerance(restart_failed_env_runners=True)
        # A tuple, because the order of a set, and thus the initial weights, would differ between processes.
        .multi_agent(policies=(LEARNER, *past), policy_mapping_fn=module_of, policies_to_train=[LEARNER])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
        .training(
            gamma=settings.gamma,
            lambda_=settings.gae_lambda,
            lr=settings.learning_rate,
            train_batch_size_per_learner=settings.update_size,
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
