"""Workers on a Ray cluster. Ray is imported only when it is used.

Every machine of the cluster needs the same versions of this package, NumPy and Numba as this machine, and the
modules of all bots that are not part of this package.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import Header, differences_of, header
from pocketmars_agents.arena.workers import Hire, Workers, WorkersError, bots_of, warm_up
from pocketmars_agents.extras import imported
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.game_spec import spec_of

SECONDS_TO_CONNECT = 20.0
"""Connection timeout in seconds. A running cluster responds within a few seconds. Without a response, Ray
itself would wait two minutes and then end the whole process."""
CONNECT = "import ray, sys; ray.init(address=sys.argv[1], log_to_driver=False, logging_level='ERROR')"


def hire_ray(address: str, seconds_to_connect: float = SECONDS_TO_CONNECT) -> Hire:
    """Return a factory for workers on all CPUs of a running Ray cluster.

    If this process is already connected to Ray, the workers use this connection, and both arguments are
    ignored. Starting the workers raises a `WorkersError` if the cluster cannot be reached, cannot import this
    package, or has versions of this package, NumPy or Numba other than those on this machine.
    """
    ray = imported("ray", "--ray needs Ray", "ray")

    @contextmanager
    def cluster(matches: Sequence[Match]) -> Iterator[Workers]:
        is_mine = not ray.is_initialized()
        if is_mine:
            check_reachable(address, seconds_to_connect)
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        try:
            check_version(ray, header(spec_of(matches[0].config)))
            warm_up(bots_of(matches))
            remote = ray.remote(play_warm)
            processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
            yield Workers(lambda matches: remote.remote(list(matches)).future(), 2 * processors)
        except ray.exceptions.RayError as error:
            raise WorkersError(f"the Ray cluster failed: {error_text(error)}") from error
        finally:
            if is_mine:
                ray.shutdown()

    return cluster


def check_reachable(address: str, seconds: float) -> None:
    """Raise a `WorkersError` unless a subprocess can connect to the cluster within `seconds`."""
    command = [sys.executable, "-c", CONNECT, address]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise WorkersError(f"no Ray cluster answered at {quoted(address)} within {seconds:g} s") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise WorkersError(f"cannot use the Ray cluster at {quoted(address)}: {reason}")


def check_version(ray: Any, expected: Header) -> None:
    """Raise a `WorkersError` unless the cluster has the versions in `expected`, a results file's header."""
    try:
        actual = ray.get(ray.remote(header).remote(expected.spec))
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[-1]
        raise WorkersError(
            f"the Ray cluster cannot import this package; install it on its machines ({reason})"
        ) from error
    if actual != expected:
        differences = "; ".join(differences_of(actual, expected))
        raise WorkersError(f"the Ray cluster has other versions ({differences})")


def play_warm(matches: list[Match]) -> list[GameResult]:
    """Warm up the bots in a process on the cluster, then play the games."""
    warm_up(bots_of(matches))
    return play_matches(matches)
