"""A server of a sitting in a thread, and plain requests to it."""

import http.client
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pocketmars_agents.play.links_file import LinksFile
from pocketmars_agents.play.saved_games import Autosave
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web.server import Pages, serving


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def data(self) -> Any:
        return json.loads(self.text)


@contextmanager
def served(session: Session, path: Path) -> Iterator[dict[str, str]]:
    """The links of a sitting whose server runs."""
    with served_game(Autosave(session, path, LinksFile(path))) as links:
        yield links


@contextmanager
def logged_errors() -> Iterator[list[str]]:
    """What running servers log as errors while the block runs.

    Not what they print: a fixture that captures the output closes its files while a server's thread,
    if the machine is slow, still writes to them.
    """
    handler = Collecting(logging.ERROR)
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield handler.messages
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


class Collecting(logging.Handler):
    """Keeps what is logged.

    Attributes:
        messages: with their tracebacks.

    """

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.messages = list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(self.format(record))


@contextmanager
def served_game(autosave: Autosave) -> Iterator[dict[str, str]]:
    """The links of a kept game whose server runs."""
    with served_pages(Pages(autosave)) as links:
        yield links


@contextmanager
def served_pages(pages: Pages) -> Iterator[dict[str, str]]:
    """The links of pages whose server runs."""
    with closing_last(pages), serving(pages) as (server, place, links):
        thread = threading.Thread(target=server.run, args=([place],), daemon=True)
        thread.start()
        try:
            yield links
        finally:
            server.should_exit = True
            thread.join(10)


@contextmanager
def closing_last(pages: Pages) -> Iterator[None]:
    """Close the current game of the pages at the end."""
    try:
        yield
    finally:
        pages.autosave.close()


def get(link: str, **headers: str) -> Answer:
    return request("GET", link, None, headers)


def post(link: str, data: object, **headers: str) -> Answer:
    """A request as the page makes it, but for the headers that are given; an empty one is left out."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    own = {"Content-Type": "application/json", "Origin": f"http://{urlsplit(link).netloc}"}
    changed = {**own, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return request("POST", link, body, {name: value for name, value in changed.items() if value})


def request(method: str, link: str, body: bytes | None, headers: dict[str, str]) -> Answer:
    parts = urlsplit(link)
    connection = http.client.HTTPConnection(parts.netloc, timeout=120)
    try:
        connection.request(method, f"{parts.path}?{parts.query}", body, headers)
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, names, response.read().decode())
    finally:
        connection.close()
