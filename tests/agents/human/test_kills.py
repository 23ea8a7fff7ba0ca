"""Servers killed at random moments: no confirmed action is lost or repeated.

By default the server is killed 8 times; ``POCKETMARS_KILLS=100`` makes it 100 times.
"""

import contextlib
import http.client
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from pocketmars_agents.play.links_file import links_of
from pocketmars_agents.play.seats import HUMAN, Seating
from pocketmars_agents.play.session import Session
from pocketmars_agents.registry import make_agent
from pocketmars_env.replays import Replay
from tests.agents.human.serving import get, post

KILLS = int(os.environ.get("POCKETMARS_KILLS", "8"))
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
STARTING = 0.2
"""The probability that the server is killed while it starts."""
SECONDS = 60.0
"""The time limit in seconds for a server to end."""


class Player:
    """A simulated person who plays on a server that is repeatedly killed and restarted.

    Args:
        folder: the working directory of the command.
        bots: the names of the bots on the command line.
        seed: the seed of the person's choices and of the kills.

    Attributes:
        link: the link of the current game; empty until the server has printed it.
        path: the path of the current game's replay, or None before the link is opened.
        told: the person's actions in the current game that the server has confirmed.
        sent: the action sent but not yet confirmed, or None.
        finished: the paths of the replays of finished games.
        count: the number of confirmed actions, and of unconfirmed actions that were saved or lost.

    """

    def __init__(self, folder: Path, bots: list[str], seed: int) -> None:
        self.folder = folder
        self.bots = bots
        self.rng = random.Random(seed)
        self.finished: list[Path] = []
        self.count = Counter[str]()
        self.begin()

    def begin(self) -> None:
        self.link = ""
        self.path: Path | None = None
        self.told: list[int] = []
        self.sent: int | None = None

    def survive(self) -> None:
        """Start a server, play until it is killed, and check the replay that it has saved."""
        with self.started() as process:
            kind = self.rng.choice(SIGNALS)
            try:
                if self.rng.random() < STARTING:
                    later(self.rng.uniform(0, 3), process, kind)
                else:
                    self.arrive(process)
                    later(self.rng.uniform(0, 1), process, kind)
                    self.answer()
                _, complaints = process.communicate(timeout=SECONDS)
            finally:
                process.kill()  # in case it is still running
        assert "Traceback" not in complaints, complaints
        assert process.returncode == -kind
        self.look()

    def started(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "pocketmars_agents", "play", *self.bots, "--web", "--no-browser"]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def arrive(self, process: "subprocess.Popen[str]") -> None:
        """Open the link; check that an unfinished game keeps its link and resumes at the saved decision."""
        assert process.stdout is not None
        link = next(line for line in process.stdout if "http://" in line).split()[-1]
        assert self.link in ("", link)
        state = get(f"{link}state").data
        if not self.link:
            self.link, self.path = link, self.folder / state["replay"]
        assert self.path is not None
        assert self.path == self.folder / state["replay"]
        final = Replay.load(self.path).final()
        assert sorted(choice["action"] for choice in state["choices"]) == final.legal

    def answer(self) -> None:
        """Play random actions until the game is over or the server cannot be reached."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            state = get(f"{self.link}state").data
            while not state["over"]:
                if not state["to_play"]:
                    state = get(f"{self.link}state?after={state['stamp']}").data
                    continue
                self.sent = self.rng.choice(state["choices"])["action"]
                answer = post(f"{self.link}action", {"version": state["version"], "action": self.sent})
                assert answer.status == 200
                self.told.append(self.sent)
                self.count["confirmed"] += 1
                self.sent, state = None, answer.data

    def look(self) -> None:
        """Check that the replay has all confirmed actions, and at most the unconfirmed one in addition."""
        if self.path is None:
            return
        replay = Replay.load(self.path)
        kept = answers_of_people(replay)
        if self.sent is not None:
            assert kept in (self.told, [*self.told, self.sent])
            self.count["kept unconfirmed" if len(kept) > len(self.told) else "lost unconfirmed"] += 1
        else:
            assert kept == self.told
        self.told, self.sent = kept, None
        if replay.final().over:
            self.finished.append(self.path)
            self.begin()


def later(seconds: float, process: "subprocess.Popen[str]", kind: signal.Signals) -> None:
    threading.Timer(seconds, process.send_signal, [kind]).start()


def answers_of_people(replay: Replay) -> list[int]:
    seats = [game.to_play for game in replay.games()]
    return [
        action
        for action, seat in zip(replay.actions, seats, strict=False)
        if seat is not None and replay.names[seat] == HUMAN
    ]


def played_at_once(replay: Replay) -> Session:
    """Play the replay's actions in a new session without interruption, and return the session."""
    seats = [f"player_{seat}" for seat in range(replay.config.players)]
    bots = {seat: make_agent(name) for seat, name in zip(seats, replay.names, strict=False) if name != HUMAN}
    people = tuple(seat for seat in seats if seat not in bots)
    session = Session(Seating(replay.config, bots, people), replay.origin["seed"])
    for action in answers_of_people(replay):
        session.act(session.to_play or "", action)
    return session


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills by signals")
@pytest.mark.parametrize("bots", [[], ["greedy", "random"]], ids=["solo", "table"])
def test_a_game_goes_on_after_every_kill(bots: list[str], tmp_path: Path) -> None:
    player = Player(tmp_path, bots, seed=KILLS)
    for _ in range(KILLS // 2):
        player.survive()
    print(f"{KILLS // 2} kills: {dict(player.count)}, {len(player.finished)} games finished")
    assert len(set(player.finished)) == len(player.finished)
    replays = sorted(tmp_path.glob("*.json"))
    unfinished = [path for path in replays if path not in player.finished]
    assert len(unfinished) <= 1
    assert set(player.finished) <= set(replays)
    for path in replays:
        replay = Replay.load(path)
        actions = played_at_once(replay).game.actions
        assert actions[: len(replay.actions)] == replay.actions
    with_links = [path for path in replays if links_of(path).exists()]
    assert set(with_links) <= {*unfinished, *player.finished[-1:]}
    assert all(links_of(path).stat().st_mode & 0o777 == 0o600 for path in with_links)
