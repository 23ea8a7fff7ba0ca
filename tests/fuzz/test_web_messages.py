"""Damaged requests to the web server; each input is a valid request with random changes."""

import json
import re
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from pocketmars_agents.play.web import server
from tests.agents.human.bots import ChanceBot
from tests.agents.human.serving import get, logged_errors, served
from tests.agents.human.sessions import session_with
from tests.fuzz.amounts import SLOWEST, inputs
from tests.fuzz.damage import damaged
from tests.fuzz.mutations import mutated

INPUTS = inputs(100)
ACCEPTED = {200, 307, 400, 403, 404, 409, 413}
"""Accepted status codes. 307 adds the missing final slash of a link; 400 may mean that it is not HTTP."""


def request(link: str, method: str, path: str, body: bytes) -> bytes:
    """Return an HTTP request as the web page sends it."""
    parts = urlsplit(link)
    head = f"{method} {parts.path}{path} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
    if method == "POST":
        head += f"Origin: http://{parts.netloc}\r\nContent-Type: application/json\r\n"
        head += f"Content-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + body


def answers(link: str, sent: bytes) -> list[int]:
    """Send a request and return the status codes received before the connection is closed.

    Without a response for a while, the request is incomplete, and the client says that it sends no more.
    """
    parts = urlsplit(link)
    start, received = time.monotonic(), b""
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=0.5) as place:
        try:
            place.sendall(sent)
            while piece := received_by(place):
                received += piece
        except ConnectionError:
            pass
    assert time.monotonic() - start < SLOWEST, sent
    return [int(status) for status in re.findall(rb"^HTTP/1\.1 (\d+) ", received, re.MULTILINE)]


def received_by(client: socket.socket) -> bytes:
    try:
        return client.recv(65536)
    except TimeoutError:
        client.shutdown(socket.SHUT_WR)
        client.settimeout(SLOWEST)
        return client.recv(65536)


@pytest.mark.slow
def test_damaged_requests_are_answered_or_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LONGEST_WAIT", 0.2)
    rng = np.random.default_rng(1)
    session = session_with(2, players=3, practice=False, hint=ChanceBot())
    statuses = set[int]()
    with served(session, tmp_path / "game.json") as links, logged_errors() as errors:
        for number in range(INPUTS):
            link = links[session.humans[number % 2]]
            legal = session.game.legal
            data = {"version": session.version, "action": legal[0] if legal else 0}
            if number % 3:
                sent = request(link, "POST", "action", json.dumps(mutated(data, rng)).encode())
            else:
                method, path = [
                    ("POST", "action"),
                    ("GET", "state?after=0"),
                    ("GET", "hint"),
                    ("GET", "cards"),
                ][int(rng.integers(4))]
                sent = damaged(request(link, method, path, json.dumps(data).encode()), rng)
            found = answers(link, sent)
            assert set(found) <= ACCEPTED, (sent, found)
            statuses |= set(found)
        assert get(f"{links['player_0']}state").status == 200
        assert errors.getvalue() == ""
    assert len(statuses) > 3  # the requests fail for different reasons
    assert session.replay().actions == session.game.actions
