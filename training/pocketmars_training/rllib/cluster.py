"""The Ray cluster of a training: one that runs already, or one of this machine alone."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

import ray

from pocketmars_agents.arena.ray_workers import check_reachable, check_version
from pocketmars_agents.arena.results_file import header
from pocketmars_agents.arena.workers import WorkersError
from pocketmars_env.core.game_spec import default_game
from pocketmars_training.common.run_folder import RunError
from pocketmars_training.rllib.settings import ScaleOutSettings


@contextmanager
def cluster(settings: ScaleOutSettings) -> Iterator[None]:
    """Be connected to the cluster of the settings.

    Raises:
        RunError: if it does not answer, cannot import this package or has another version of it.

    """
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)  # else their remarks break the progress bar
    try:
        connect(settings)
        check_version(ray, header(default_game()))
        yield
    except WorkersError as error:
        raise RunError(str(error)) from error
    finally:
        ray.shutdown()


def connect(settings: ScaleOutSettings) -> None:
    """Connect to the cluster that runs already, or start one that ends with this process.

    Raises:
        WorkersError: if the cluster cannot be reached.

    """
    if settings.address is not None:
        check_reachable(settings.address, settings.seconds_to_connect)
        ray.init(settings.address, log_to_driver=False, logging_level="ERROR")
        return
    ray.init(
        address="local",  # else Ray would join a cluster that it finds
        num_cpus=max(os.cpu_count() or 1, settings.env_runners),
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
    )


def waiting_for(settings: ScaleOutSettings) -> str | None:
    """What the cluster lacks for all runners at once, in words; a cluster that grows may get it yet."""
    processors = int(ray.cluster_resources().get("CPU", 0))
    if processors >= settings.env_runners:
        return None
    return f"{settings.env_runners} runners need a CPU each, the cluster has {processors}: waiting for more"
