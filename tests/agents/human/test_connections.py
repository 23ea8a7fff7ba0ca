"""Idle and slow connections are dropped without affecting the players."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web import connections
from pocketmars_agents.play.web.connections import MOST_CONNECTIONS
from tests.agents.human.serving import get, logged_errors, post, served
from tests.agents.human.sessions import session_with

SECONDS = 0.5
"""The server's deadline for a request in these tests, in seconds."""
LATEST = 60.0
"""The time in seconds by which a connection must be dropped, even on a slow machine."""


@pytest.fixture
def session() -> Session:
    return session_with(mode="solo")


@pytest.fixture
def link(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The first player's link to a server with a short deadline."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SECONDS)
    with served(session, tmp_path / "game.json") as links:
        yield links["player_0"]


def connected(link: str) -> socket.socket:
    parts = urlsplit(link)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=LATEST)


def request_line(link: str, path: str, method: str = "GET") -> bytes:
    parts = urlsplit(link)
    return f"{method} {parts.path}{path} HTTP/1.1\r\nHost: {parts.netloc}\r\n".encode()


def is_dropped(place: socket.socket) -> bool:
    """Read what the server has sent, and return whether it has closed the connection."""
    try:
        while place.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def nothing(link: str) -> bytes:
    return b""


def half_a_header(link: str) -> bytes:
    return request_line(link, "state") + b"X-Slow:"


def half_a_body(link: str) -> bytes:
    origin = f"Origin: http://{urlsplit(link).netloc}\r\n"
    head = f"{origin}Content-Type: application/json\r\nContent-Length: 40\r\n\r\n"
    return request_line(link, "action", "POST") + head.encode() + b'{"version"'


@pytest.mark.parametrize("sent", [nothing, half_a_header, half_a_body])
def test_who_does_not_send_a_whole_request_is_dropped(sent: Callable[[str], bytes], link: str) -> None:
    with logged_errors() as errors:
        with connected(link) as place:
            place.sendall(sent(link))
            start = time.monotonic()
            assert is_dropped(place)
            assert SECONDS * 0.5 < time.monotonic() - start < LATEST
        assert get(f"{link}state").status == 200
    assert errors.getvalue() == ""


def test_who_sends_slowly_is_dropped(link: str) -> None:
    with connected(link) as place:
        start = time.monotonic()
        with pytest.raises(ConnectionError):  # noqa: PT012  # any of the sends may raise
            for byte in request_line(link, "state") * 20:
                place.sendall(bytes([byte]))
                time.sleep(0.05)
        assert time.monotonic() - start < LATEST


def test_who_does_not_read_is_dropped(link: str) -> None:
    with connected(link) as place:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        with pytest.raises(ConnectionError):  # noqa: PT012  # any of the sends may raise
            for _ in range(2_000):
                place.sendall(request_line(link, "state") + b"\r\n")
                time.sleep(0.005)


def test_a_page_that_waits_for_news_is_not_dropped(link: str) -> None:
    stamp = get(f"{link}state").data["stamp"]
    with connected(link) as place:
        place.sendall(request_line(link, f"state?after={stamp}") + b"\r\n")
        place.settimeout(SECONDS * 4)
        with pytest.raises(TimeoutError):
            place.recv(1)


def test_two_hundred_silent_connections_do_not_keep_the_players_out(session: Session, tmp_path: Path) -> None:
    with served(session, tmp_path / "game.json") as links, ExitStack() as silent:
        link = links["player_0"]
        places = [silent.enter_context(connected(link)) for _ in range(200)]
        for place in places[::2]:
            place.sendall(b"GET / HTTP/1.1\r\nHost: ")
        start = time.monotonic()
        state = get(f"{link}state").data
        answer = post(f"{link}action", {"version": 0, "action": state["choices"][0]["action"]})
        assert answer.status == 200
        assert time.monotonic() - start < 5
        for place in places:
            place.settimeout(0.01)
        assert sum(not is_dropped(place) for place in places) <= MOST_CONNECTIONS


def test_a_body_without_length_is_refused(session: Session, link: str) -> None:
    with connected(link) as place:
        head = (
            f"Origin: http://{urlsplit(link).netloc}\r\nContent-Type: application/json\r\n"
            "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        place.sendall(request_line(link, "action", "POST") + head.encode())
        assert place.recv(65536).startswith(b"HTTP/1.1 411 ")
    assert session.version == 0
