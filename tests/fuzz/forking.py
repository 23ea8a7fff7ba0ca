"""Runs commands in forks of a process that has imported everything, and kills them.

    python -m tests.fuzz.forking

A line of its input is JSON: the arguments of ``pocketmars``, or the module of a training script with its
options, and after how many seconds it is killed, or null. It answers each line with the status with which
the process has ended.
"""

import importlib
import json
import os
import signal
import sys
import time

from pocketmars_agents.cli.command_line import main

MODULES = ("minari.dataset.minari_storage", "h5py", "isal.isal_zlib", "pyarrow.parquet", "PIL.Image")
TRAINING = ("pocketmars_training.solo",)


def run(arguments: list[str]) -> None:
    """Run a command in this process, whose output nobody reads."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    first, *others = arguments
    if first.startswith("pocketmars_training."):
        sys.argv = [first, *others]
        importlib.import_module(first).main()
    else:
        sys.argv = ["pocketmars", *arguments]
        main()


def serve() -> None:
    """Fork for every line."""
    for module in (*MODULES, *TRAINING):
        importlib.import_module(module)
    print("ready", flush=True)
    for line in sys.stdin:
        arguments, seconds = json.loads(line)
        process = os.fork()
        if process == 0:
            status = 0
            try:
                run(arguments)
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
            finally:
                os._exit(status)
        print(status_of(process, seconds), flush=True)


def status_of(process: int, seconds: float | None) -> int:
    """The status of a process, which is killed after so many seconds."""
    end = None if seconds is None else time.monotonic() + seconds
    while end is not None and time.monotonic() < end:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(min(0.01, max(0.0, end - time.monotonic())))
    if end is not None:
        os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


if __name__ == "__main__":
    serve()
