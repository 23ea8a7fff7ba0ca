"""The Ray cluster of a run: an existing cluster, or a local cluster on this machine."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray

from pocketmars_agents.arena.ray_workers import check_reachable, check_version
from pocketmars_agents.arena.results_file import header
from pocketmars_agents.arena.workers import WorkersError
from pocketmars_env.core.game_spec import default_game
from pocketmars_training.common.run_folder import RunError
from pocketmars_training.rllib.settings import ScaleOutSettings


@contextmanager
def cluster(settings: ScaleOutSettings) -> Iterator[None]:
    """Connect to the cluster at the address in the settings; without an address, start a local cluster.

    On exit, the connection is closed, and a local cluster is stopped.
    """
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)  # other messages would break the progress bar
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if settings.address is None:  # without "local", Ray would join a running cluster
            cpus = max(os.cpu_count() or 1, settings.env_runners)
            ray.init("local", num_cpus=cpus, include_dashboard=False, **quiet)
        else:
            check_reachable(settings.address, settings.seconds_to_connect)
            ray.init(settings.address, **quiet)
        check_version(ray, header(default_game()))
        yield
    except WorkersError as error:
        raise RunError(str(error)) from error
    finally:
        ray.shutdown()


def waiting_for(settings: ScaleOutSettings) -> str | None:
    """Return a message if the cluster has fewer CPUs than the run has runners, otherwise None.

    A lack of CPUs is not an error, because autoscaling may add CPUs.
    """
    processors = int(ray.cluster_resources().get("CPU", 0))
    if processors >= settings.env_runners:
        return None
    return (
        f"{settings.env_runners} runners need one CPU each, but the cluster has {processors} CPUs: "
        "waiting for more"
    )
