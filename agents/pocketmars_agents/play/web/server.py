"""The pages of a sitting: one for each person, behind a secret link, for browsers on this machine."""

import asyncio
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pocketmars_agents.play.autosave import Autosave
from pocketmars_agents.play.session import SessionError
from pocketmars_agents.play.web.connections import Server
from pocketmars_agents.play.web.guard import Guard
from pocketmars_agents.play.web.state import state_of
from pocketmars_env.core.compiled.compile_notice import compiling_now
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.replays.page import css_variables

LOOPBACK = "127.0.0.1"
PAGE = Path(__file__).parent / "page"
LOOKS_PER_SECOND = 10
LONGEST_WAIT = 20.0
"""Seconds that a page waits for news in one request."""


class Pages:
    """The links and their answers.

    Args:
        keeper: the game, which it keeps as a replay, and its links.

    Attributes:
        keeper: as above.
        tokens: the secret of each person's seat, by the seat's name.
        is_ending: whether the server ends, so that no page shall wait for news.

    """

    def __init__(self, autosave: Autosave) -> None:
        self.session = autosave.session
        self.autosave = autosave
        self.tokens = autosave.links.tokens_for(self.session.humans)
        self.is_ending: Callable[[], bool] = lambda: False

    def app(self, port: int) -> Starlette:
        """The web application, which answers under ``127.0.0.1:port`` and ``localhost:port``."""
        hosts = frozenset({f"{LOOPBACK}:{port}", f"localhost:{port}"})
        return Starlette(
            routes=[
                Route("/page.css", self.style),
                Route("/page.js", self.script),
                Route("/{token}/", self.page),
                Route("/{token}/cards", self.cards),
                Route("/{token}/state", self.state),
                Route("/{token}/hint", self.hint),
                Route("/{token}/answer", self.answer, methods=["POST"]),
                Route("/{token}/undo", self.undo, methods=["POST"]),
            ],
            middleware=[Middleware(Guard, hosts=hosts)],
            exception_handlers={404: nothing_here, 405: nothing_here},
        )

    def seat_of(self, request: Request) -> str:
        """The seat whose link was asked; every other link leads nowhere.

        Raises:
            HTTPException: 404, if it is nobody's.

        """
        token = str(request.path_params["token"]).encode()
        # All are compared, each in constant time: how long it takes tells nothing.
        found = [seat for seat, own in self.tokens.items() if secrets.compare_digest(token, own.encode())]
        if not found:
            raise HTTPException(404)
        return found[0]

    # --- what is the same for everybody ---------------------------------------------------------------

    async def style(self, request: Request) -> Response:
        return Response(style_sheet(), media_type="text/css")

    async def script(self, request: Request) -> Response:
        return Response((PAGE / "page.js").read_bytes(), media_type="text/javascript")

    # --- a seat's own ---------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        self.seat_of(request)
        text = (PAGE / "page.html").read_text(encoding="utf-8")
        return Response(text.replace("{{title}}", escape(self.session.spec.title)), media_type="text/html")

    async def cards(self, request: Request) -> Response:
        self.seat_of(request)
        return JSONResponse(self.session.presentation.card_texts())

    async def state(self, request: Request) -> Response:
        """The position, as soon as there is something newer than what the page has."""
        seat = self.seat_of(request)
        known = request.query_params.get("after")
        for _ in range(int(LONGEST_WAIT * LOOKS_PER_SECOND)):
            if known != self.stamp() or self.is_ending() or await request.is_disconnected():
                break
            await asyncio.sleep(1 / LOOKS_PER_SECOND)
        return JSONResponse(await self.state_of(seat))

    async def state_of(self, seat: str) -> dict[str, Any]:
        """What the page shows, and a stamp that tells it from what it shows at other times."""
        stamp, is_kept, notice = self.stamp(), self.autosave.is_kept, compile_text()
        data = await run_in_threadpool(state_of, self.session, seat)
        replay, trouble = str(self.autosave.path) if is_kept else None, self.autosave.trouble
        return {**data, "stamp": stamp, "replay": replay, "trouble": trouble, "notice": notice}

    def stamp(self) -> str:
        """A value that changes with the game, with its saved state, and when compilation starts or ends."""
        flags = (self.autosave.is_kept, self.autosave.trouble is not None, compiling_now() != "")
        return "-".join(str(int(number)) for number in (self.session.version, *flags))

    async def hint(self, request: Request) -> Response:
        seat = self.seat_of(request)
        try:
            hint = await run_in_threadpool(self.session.hint, seat)
        except SessionError as error:
            return refused(str(error))
        return JSONResponse({"action": hint.action, "words": hint.words, "value": hint.value, "by": hint.by})

    async def answer(self, request: Request) -> Response:
        """Give an answer; the bots go on after the page has been told."""
        seat = self.seat_of(request)
        data = await integers_in(request, "version", "action")
        return await self._change(
            seat, lambda: self.session.give(seat, data["action"], data["version"]), self.session.go_on
        )

    async def undo(self, request: Request) -> Response:
        seat = self.seat_of(request)
        data = await integers_in(request, "version")
        return await self._change(seat, lambda: self.session.undo(seat, data["version"]), None)

    async def _change(
        self, seat: str, change: Callable[[], None], then: Callable[[], None] | None
    ) -> Response:
        try:
            await run_in_threadpool(change)
        except SessionError as error:
            return refused(str(error))
        background = None if then is None else BackgroundTask(then)
        return JSONResponse(await self.state_of(seat), background=background)


def compile_text() -> str:
    """A sentence on what is being compiled; empty if nothing is."""
    kernels = compiling_now()
    return (
        f"Compiling the {kernels}, once for this machine. It takes seconds, longer on a busy machine."
        if kernels
        else ""
    )


def refused(words: str) -> Response:
    return JSONResponse({"error": words}, 409)


async def nothing_here(request: Request, error: Exception) -> Response:
    return PlainTextResponse("There is nothing here.", 404)


async def integers_in(request: Request, *names: str) -> dict[str, int]:
    """The integers of a JSON object that has exactly these.

    Raises:
        HTTPException: 400, if the body is anything else.

    """
    try:
        data = await request.json()
    except (JSONDecodeError, UnicodeDecodeError, RecursionError, ClientDisconnect) as error:
        raise HTTPException(400, "the request is not JSON") from error
    if (
        not isinstance(data, dict)
        or set(data) != set(names)
        or any(type(number) is not int for number in data.values())
    ):
        raise HTTPException(400, f"the request must have the integers {', '.join(names)}")
    return data


def style_sheet() -> str:
    """The page's style, with the colours of the pictures."""
    text = (PAGE / "page.css").read_text(encoding="utf-8")
    for name, theme in THEMES.items():
        text = text.replace(f"/* {name} */", css_variables(theme))
    return text


# --- running ----------------------------------------------------------------------------------------


def listening(port: int) -> socket.socket:
    """A socket that only this machine can reach.

    Args:
        port: 0 takes a free one.

    Raises:
        ValueError: if the port is taken, or is none.

    """
    place = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind((LOOPBACK, port))
        place.listen()  # a browser that comes before the server is ready waits for it
    except (OSError, OverflowError) as error:
        place.close()
        raise ValueError(f"cannot listen on port {port}: {error}; --port 0 takes a free one") from error
    return place


def listening_again(port: int) -> socket.socket:
    """A socket at a game's last port, or at a free one if that is taken; see `listening`."""
    try:
        return listening(port)
    except ValueError:
        return listening(0)


@contextmanager
def serving(pages: Pages, port: int = 0) -> Iterator[tuple[Server, socket.socket, dict[str, str]]]:
    """A server that is ready to run, its socket, and the link of every seat.

    Args:
        pages: what it serves.
        port: 0 takes the one where the game was last, or a free one.

    Raises:
        ValueError: if the port is taken, or is none.
        OSError: if the links cannot be kept.

    """
    kept = pages.autosave.links
    place = listening(port) if port else listening_again(kept.port)
    try:
        number = place.getsockname()[1]
        if number != kept.port:
            kept.write(number)
        config = uvicorn.Config(
            pages.app(number), log_level="error", access_log=False, server_header=False,
            lifespan="off", ws="none", timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = Server(config)
        pages.is_ending = lambda: server.should_exit
        links = {seat: f"http://{LOOPBACK}:{number}/{token}/" for seat, token in pages.tokens.items()}
        yield server, place, links
    finally:
        place.close()
