"""Tests of ``pocketmars play``: its options, and what is saved when it ends."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.cli.games import game_commands_of
from pocketmars_agents.cli.seating import seating_of
from pocketmars_agents.play.seats import Seating
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.replays import Replay
from tests.agents.human.serving import get, post

DEFAULTS: dict[str, Any] = {
    "spec": SPEC, "bots": [], "humans": 1, "seat": 0, "practice": None, "hint": None
}  # fmt: skip
SETTINGS = {"players": None, "level": "standard", "handicap": 0, "draft": False, "edition": "grey_fox"}


def seating(options: dict[str, Any]) -> Seating:
    """Return the seating that the options describe."""
    settings = {name: options.get(name, default) for name, default in SETTINGS.items()}
    others = {name: options.get(name, default) for name, default in DEFAULTS.items()}
    return seating_of(settings=settings, **others)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"level": "cyborg"}, ("human", "automaton")),
        ({"bots": ["greedy"]}, ("human", "greedy")),
        ({"bots": ["greedy", "random"], "seat": 1}, ("greedy", "human", "random")),
        ({"bots": ["greedy"], "players": 4, "humans": 2, "seat": 3}, ("human", "greedy", "greedy", "human")),
        ({"players": 3}, ("human", game_commands_of(SPEC).opponent, game_commands_of(SPEC).opponent)),
        ({"humans": 2}, ("human", "human")),
    ],
)
def test_options_seat_people_and_bots(options: dict[str, Any], names: tuple[str, ...]) -> None:
    assert seating(options).names == names


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"humans": 0}, "humans must be 1 or more"),
        ({"humans": 5}, "players must be 2, 3 or 4"),
        ({"bots": ["greedy"] * 3, "players": 3}, "bots"),
        ({"players": 2, "seat": 2}, "seat"),
        ({"bots": ["nobody"]}, "nobody"),
        ({"hint": "nobody"}, "nobody"),
        ({"level": "hard"}, "level"),
        ({"handicap": 21}, "handicap"),
        ({"handicap": 3, "bots": ["greedy"]}, "handicap"),
        ({"humans": 2, "practice": True}, "person"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        seating(options)


def test_without_a_terminal_nothing_waits_for_its_keys(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pocketmars_agents", "play", "--save", str(tmp_path / "game.json")]
    done = subprocess.run(command, input="q\n", capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "--web" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "game.json").exists()


@contextmanager
def started(*options: str) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """Run ``pocketmars play --web`` with more options; yields the process and the first person's link."""
    command = [sys.executable, "-m", "pocketmars_agents", "play", "--web", "--no-browser", *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            yield process, next(line for line in process.stdout if "http://" in line).split()[-1]
        finally:
            process.kill()  # without this, a server that has not ended would block the test


def test_an_unfinished_game_is_kept_when_the_server_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with started("--seed", "5", "--save", str(path)) as (process, link):
        state = get(f"{link}state").data
        action = first_legal(state)
        post(f"{link}action", {"version": state["version"], "action": action})
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert str(path) in told
    assert Replay.load(path).actions == (action,)


def first_legal(state: dict[str, Any]) -> int:
    return int(state["moves"][-1]["position"][1]["legal"][0])


def test_after_a_kill_the_same_command_comes_back_to_the_new_game(tmp_path: Path) -> None:
    options = ("--seed", "5", "--save", str(tmp_path / "game.json"))
    with started(*options) as (_, link):
        settings = {field["name"]: field["value"] for field in get(f"{link}new").data["fields"]}
        data = {"version": get(f"{link}state").data["version"], "settings": {**settings, "level": "cyborg"}}
        new = post(f"{link}new", data).data
        action = first_legal(new)
        assert post(f"{link}action", {"version": new["version"], "action": action}).status == 200
    assert Replay.load(Path(new["replay"])).actions == (action,)
    with started(*options) as (_, link_again):
        state = get(f"{link}state").data
    assert link_again == link
    assert (state["replay"], len(state["moves"])) == (new["replay"], 2)
