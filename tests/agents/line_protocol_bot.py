"""A line-protocol bot that plays the first legal action, or misbehaves as its argument says.

It imports nothing from this repository, so that it starts quickly.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def write(content: str | bytes) -> None:
    sys.stdout.buffer.write(content if isinstance(content, bytes) else content.encode())
    sys.stdout.buffer.flush()


def say(**message: Any) -> None:
    write(json.dumps(message) + "\n")


def hang() -> None:
    while True:
        time.sleep(1)


def flood(content: bytes) -> None:
    while True:
        write(content)


def hang_with_child(path: str) -> None:
    """Hang, together with a child process, both ignoring SIGTERM; their process ids go to a file."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(path).write_text(f"{os.getpid()} {child.pid}")
    hang()


def close_output() -> None:
    os.close(1)
    hang()


def exit_with_complaint() -> None:
    print("x" * 200_000, file=sys.stderr)
    print("segment 7 is missing", file=sys.stderr)
    sys.stderr.flush()
    os._exit(4)


def misbehave(kind: str, number: int, legal: list[int]) -> None:
    """Misbehave at decision `number`, for example with an invalid reply."""
    good = {"type": "action", "id": number, "action": legal[0]}
    text = json.dumps(good)
    kind, _, argument = kind.partition("=")
    if kind == "answer":  # one key has a wrong value or is missing
        key, _, value = argument.partition(":")
        write(json.dumps({name: own for name, own in good.items() if name != key})[:-1])
        write(f', "{key}": {value}}}\n' if value else "}\n")
        return
    {
        "exits": lambda: os._exit(3),
        "crashes": lambda: os.kill(os.getpid(), signal.SIGSEGV),
        "complains": exit_with_complaint,
        "hangs": hang,
        "hangs with child": lambda: hang_with_child(argument),
        "closes its output": close_output,
        "no JSON": lambda: write("I play the rover!\n"),
        "long line": lambda: write(text[:-1] + " " * 70_000 + "}\n"),
        "endless line": lambda: flood(b"x" * 4096),
        "two answers": lambda: write(f"{text}\n{text}\n"),
        "error": lambda: say(type="error", message="out of fuel"),
    }[kind]()


def begin(name: str, path: str) -> None:
    """Misbehave at the start, or append to a file, if the name says so."""
    if name == "exits at the start":
        sys.exit("no settings")
    if name == "wrong protocol":
        say(type="ready", protocol=99)
        hang()
    if name == "silent at the start":
        append(path, "+")
        hang()
    if name == "writes pid":
        append(path, f"{os.getpid()} ")


def append(path: str, text: str) -> None:
    with Path(path).open("a") as file:
        file.write(text)


def decide(kind: str, number: int, legal: list[int]) -> None:
    name, _, path = kind.partition("=")
    if name == "exits once" and not Path(path).exists():
        Path(path).touch()
        os._exit(3)
    if name in ("", "exits once", "writes pid", "answers early"):
        say(type="action", id=number, action=legal[0], value=0.5)
    else:
        misbehave(kind, number, legal)


def main(kind: str) -> None:
    name, _, path = kind.partition("=")
    begin(name, path)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", protocol=1, name="test", fields=[] if kind else ["text", "observation", "view"])
            if kind == "answers early":
                say(type="action", id=1, action=0)
        elif message["type"] == "decision":
            decide(kind, message["id"], [action["action"] for action in message["legal"]])
        elif message["type"] == "quit":
            return


main(" ".join(sys.argv[1:]))
