"""A web server of a session in a thread, and HTTP requests to it."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pocketmars_agents.play.links_file import LinksFile
from pocketmars_agents.play.saved_games import Autosave
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web.server import Pages, serving


class Answer(NamedTuple):
    """The server's response to a request."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def data(self) -> Any:
        return json.loads(self.text)


def served(session: Session, path: Path) -> AbstractContextManager[dict[str, str]]:
    """Serve a session in a thread; the context yields the links by seat."""
    return served_pages(Pages(Autosave(session, LinksFile(path))))


@contextmanager
def served_pages(pages: Pages, port: int = 0) -> Iterator[dict[str, str]]:
    """Serve pages in a thread; yields the links by seat."""
    with ExitStack() as last, serving(pages, port) as (server, place, links):
        last.callback(pages.autosave.close)
        thread = threading.Thread(target=server.run, args=([place],), daemon=True)
        thread.start()
        try:
            yield links
        finally:
            server.should_exit = True
            thread.join(10)


def get(link: str, **headers: str) -> Answer:
    return request("GET", link, None, headers)


def post(link: str, data: object, **headers: str) -> Answer:
    """Send a POST request with the page's headers, changed by `headers`; an empty header is omitted."""
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
