"""Run commands in forks of a process that has already imported all modules, and kill them after a time.

    python -m tests.fuzz.forking

Each input line is a JSON list of a command and a time limit. The command is a list: the arguments of
``pocketmars``, or the module of a training script with its options. The time limit is the number of seconds
after which the process is killed, or null. For each input line, the exit status of the process is printed.
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
    """Run a command in this process and discard its output."""
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
    """Fork a process for each input line."""
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
    """Wait for a process, which is killed after `seconds`, and return its exit status."""
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
