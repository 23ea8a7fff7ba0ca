"""A line-protocol bot that attacks in the way its argument says, and exits with a message if that works.

It imports nothing from this repository, so that it starts quickly.
"""

import ctypes
import json
import mmap
import os
import random
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ATTACK, ARGUMENT = (*sys.argv[1:], "", "")[:2]
COUNT = [0]
GAMES = [0]


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def works(what: object) -> None:
    """Exit, so that the verification fails and the test sees what works."""
    sys.exit(f"the attack works: {what}")


def look_for_secrets() -> None:
    """Look at what a process can find out about others, and about its own start."""
    if ARGUMENT in repr(os.environ):
        works("a secret is in the environment")
    processes = list(Path("/proc").glob("[0-9]*"))
    if len(processes) > 4:
        works("other processes are in reach")
    paths = [process / name for process in processes for name in ("environ", "cmdline", "maps")]
    for folder in ("/program", "/tmp", "/dev/shm", "/var/tmp"):
        paths += [path for path in Path(folder).rglob("*") if path.is_file() and path.name != "program.py"]
    for path in paths:
        with suppress(OSError):
            text = path.read_text(errors="replace")
            if ARGUMENT in text and f"program.py\0spy\0{ARGUMENT}" not in text:
                works("a secret is in reach")


def fork() -> None:
    """Fork until that fails; the copies leave the session and sleep."""
    while True:
        try:
            child = os.fork()
        except OSError:
            time.sleep(60)
        if child == 0:
            os.setsid()
            subprocess.Popen(["sleep", ARGUMENT])


def write_everywhere() -> None:
    for folder in ("/program", "/", "/usr", "/dev", "/etc", "/var/tmp", ARGUMENT, sys.prefix, *sys.path[1:]):
        with suppress(OSError):
            Path(folder, "written").write_text("x")
            works(f"{folder} can be written")
    with suppress(OSError):
        for number in range(100):
            Path(f"/tmp/{number}").write_bytes(bytes(2**20))
        works("100 MiB can be written")


def connect() -> None:
    for host in ("127.0.0.1", "192.0.2.1"):
        with suppress(OSError):
            socket.create_connection((host, int(ARGUMENT)), timeout=0.2).close()
            works(f"there is a connection to {host}")


def fill_memory() -> None:
    kept = [mmap.mmap(-1, 2**30) for _ in range(16)]  # reserved, but not used
    works(f"{len(kept)} GiB can be used")


def use_uncounted_memory() -> None:
    if ctypes.CDLL(None).shmget(0, 2**20, 0o1600) >= 0:
        works("there can be memory that no limit counts")
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("0")
        works("others are ended first if memory runs out")


def answer(number: int, legal: list[int], seed: int) -> None:
    COUNT[0] += 1
    choice = {"clock": time.time_ns() // 1000, "chance": random.getrandbits(32), "memory": COUNT[0]}
    if ATTACK == "late" and GAMES[0] > int(ARGUMENT):
        seed = choice["chance"]
    if ATTACK == "silent":
        time.sleep(60)
    while ATTACK == "flood":
        print("x" * 4096, flush=True)
    action = legal[choice.get(ATTACK, seed) % len(legal)]
    say(type="action", id=number, action=action)
    while ATTACK == "talks":
        say(type="action", id=number, action=action)


def main() -> None:
    starts = {
        "spy": look_for_secrets,
        "forks": fork,
        "writes": write_everywhere,
        "connects": connect,
        "memory bomb": fill_memory,
        "shared memory": use_uncounted_memory,
        "never ready": lambda: time.sleep(60),
    }
    starts.get(ATTACK, lambda: None)()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", protocol=1, fields=[])
        elif message["type"] == "new_game":
            GAMES[0] += 1
        elif message["type"] == "decision":
            answer(message["id"], [legal["action"] for legal in message["legal"]], int(message["seed"]))
        elif message["type"] == "quit":
            return


main()
