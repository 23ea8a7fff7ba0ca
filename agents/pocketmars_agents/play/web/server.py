"""Local web server for a session; each person has their own page with a secret link."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.client import HTTP_PORT
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pocketmars_agents.play.new_games import GUIDED, NewGames, Settings
from pocketmars_agents.play.saved_games import Autosave
from pocketmars_agents.play.seats import Seating, SessionError
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web.assets import page_of, script_of, style_of
from pocketmars_agents.play.web.documents import REPLAY_POLICY, replay_of, rules_html
from pocketmars_agents.play.web.guard import Guard
from pocketmars_agents.play.web.state import state_of
from pocketmars_agents.play.web.tables import effects_of, tables_of
from pocketmars_env.core import gate
from pocketmars_env.core.compiled.compile_notice import compiling_now

LOOPBACK = "127.0.0.1"
HEAD = '<link rel="stylesheet" href="/page.css"><script src="/page.js" defer></script>'
LOOKS_PER_SECOND = 10
LONGEST_WAIT = 20.0
"""Maximum time in seconds that a request waits for a new state."""

T = TypeVar("T")


class Change(gate.Record, kw_only=True):
    """A request that changes the session; it is refused unless the session still has this version."""

    version: int
    have: int = 0  # the number of moves that the page has
    epoch: str = ""  # in which the page received them


class ForNewGame(Change):
    """A request for a new game with the values of the form."""

    settings: dict[str, Any]


class ForAction(Change):
    """A request to play an action."""

    action: int


class ForUndo(Change):
    """A request to undo the person's move with the given index, by default the last one."""

    move: int | None = None


class ForName(Change):
    """A request to change the name that other people see."""

    name: str


class Pages:
    """The web pages of the current game; if only one person plays, they may start one of `new_games`.

    Otherwise, only a rematch can be started.
    """

    def __init__(self, autosave: Autosave, new_games: NewGames | None = None) -> None:
        self.autosave = autosave
        self._new_games = new_games if len(autosave.session.humans) == 1 else None
        self.is_ending: Callable[[], bool] = lambda: False  # whether the server is stopping

    @property
    def session(self) -> Session:
        return self.autosave.session

    @property
    def tokens(self) -> dict[str, str]:
        """The secret token of each person, keyed by the name of their seat."""
        return self.autosave.links.tokens_for(self.session.humans)

    def app(self, port: int) -> Starlette:
        """Return the web application for ``127.0.0.1:port`` and ``localhost:port``."""
        hosts = frozenset({f"{LOOPBACK}:{port}", f"localhost:{port}"})
        if port == HTTP_PORT:  # browsers omit it
            hosts |= {LOOPBACK, "localhost"}
        return Starlette(
            routes=[
                Route("/page.css", self.style),
                Route("/page.js", self.script),
                Route("/{token}/", self.page),
                Route("/{token}/tables", self.tables),
                Route("/{token}/effects", self.effects),
                Route("/{token}/rules", self.rules),
                Route("/{token}/new", self.new_games, methods=["GET"]),
                Route("/{token}/new", self.new_game, methods=["POST"]),
                Route("/{token}/replay", self.replay),
                Route("/{token}/guided", self.guided, methods=["POST"]),
                Route("/{token}/rematch", self.rematch, methods=["POST"]),
                Route("/{token}/state", self.state),
                Route("/{token}/hint", self.hint),
                Route("/{token}/judgement", self.judgement),
                Route("/{token}/action", self.action, methods=["POST"]),
                Route("/{token}/undo", self.undo, methods=["POST"]),
                Route("/{token}/name", self.name, methods=["POST"]),
            ],
            middleware=[Middleware(Guard, hosts=hosts)],
            exception_handlers={404: nothing_here, 405: nothing_here},
        )

    def seat_of(self, request: Request) -> str:
        """Return the seat whose token is in the request path; raise a 404 error if no token matches."""
        for seat, token in self.tokens.items():
            if token == request.path_params["token"]:
                return seat
        raise HTTPException(404)

    # --- shared by all seats --------------------------------------------------------------------------

    async def style(self, request: Request) -> Response:
        return Response(style_of([self.session.spec]), media_type="text/css")

    async def script(self, request: Request) -> Response:
        return Response(script_of([self.session.spec], "served"), media_type="text/javascript")

    # --- per seat -------------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        self.seat_of(request)
        return Response(page_of(self.session.spec.title, HEAD), media_type="text/html")

    async def tables(self, request: Request) -> Response:
        """Return the data from which the page makes texts and pictures; see `tables_of`."""
        self.seat_of(request)
        return JSONResponse(tables_of(self.session.spec))

    async def effects(self, request: Request) -> Response:
        """Return what the person would see after each legal action; see `effects_of`."""
        seat = self.seat_of(request)
        view = self.session.view(seat)
        return JSONResponse(await run_in_threadpool(effects_of, view))

    async def rules(self, request: Request) -> Response:
        """Return the rules of the game as HTML; see `rules_html`."""
        self.seat_of(request)
        return Response(rules_html(self.session.presentation))

    async def new_games(self, request: Request) -> Response:
        """Return the fields of the form for new games, and whether there is a guided game.

        The list of fields is empty if only a rematch is possible.
        """
        self.seat_of(request)
        games = self._new_games
        has_guided = games is not None and games.guided is not None
        fields = [] if games is None else games.as_data(self.autosave.links.settings)
        return JSONResponse({"fields": fields, "guided": has_guided})

    async def new_game(self, request: Request) -> Response:
        """Start a new game with the settings in the request."""
        self.seat_of(request)
        data = await json_in(request, ForNewGame)
        return await self._begin(request, data, lambda: self._chosen(data.settings))

    async def replay(self, request: Request) -> Response:
        """Return the replay page, or status 409 if the game is not over."""
        seat, session = self.seat_of(request), self.session
        if not session.game.over:  # the replay page reveals hidden cards
            return PlainTextResponse("The game is not over.", 409)
        page = await run_in_threadpool(replay_of, session, seat)
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": REPLAY_POLICY})

    async def rematch(self, request: Request) -> Response:
        """Start a rematch with the same settings and players but a new seed, if the session is over."""
        self.seat_of(request)
        data = await json_in(request, Change)

        def again() -> tuple[Seating, Settings]:
            if not self.session.over:
                raise SessionError("the game is not over")
            return self.session.seating, self.autosave.links.settings

        return await self._begin(request, data, again)

    async def guided(self, request: Request) -> Response:
        """Start the guided game, whose lessons explain the first decisions."""
        self.seat_of(request)
        data = await json_in(request, Change)

        seed = self.session.presentation.guide().seed
        return await self._begin(request, data, lambda: self._chosen(GUIDED), seed)

    def _chosen(self, settings: Settings) -> tuple[Seating, Settings]:
        if self._new_games is None:
            raise SessionError("only a rematch is possible")
        return self._new_games.seating(settings), settings

    async def _begin(
        self,
        request: Request,
        data: Change,
        choose: Callable[[], tuple[Seating, Settings]],
        seed: int | None = None,
    ) -> Response:
        return await self._change(
            self.seat_of(request),
            data,
            lambda: self.autosave.begin(*choose(), seed=seed, version=data.version),
        )

    async def state(self, request: Request) -> Response:
        """Return the state of the person's page.

        If the query parameter ``after`` equals the current `stamp`, the request waits up to `LONGEST_WAIT`
        seconds for a new stamp.
        """
        seat = self.seat_of(request)
        known = request.query_params.get("after")
        for _ in range(int(LONGEST_WAIT * LOOKS_PER_SECOND)):
            if known != self.stamp() or self.is_ending() or await request.is_disconnected():
                break
            await asyncio.sleep(1 / LOOKS_PER_SECOND)
        have, epoch = request.query_params.get("have", "0"), request.query_params.get("epoch", "")
        return JSONResponse(await self.state_of(seat, int(have) if have.isdecimal() else 0, epoch))

    async def state_of(self, seat: str, have: int, epoch: str) -> dict[str, Any]:
        """Return the state of a seat's page, with the `stamp` and the status of saving and compiling.

        The page has already received the first `have` moves if `epoch` is still the current epoch.
        """
        humans = self.session.humans
        seat = seat if seat in humans else humans[0]  # in a new game, a single person may have another seat
        stamp, is_kept, notice = self.stamp(), self.autosave.is_kept, compile_text()
        now = self.epoch()
        first = min(have, len(self.session.game.actions)) if epoch == now else 0
        data = {"epoch": now, **await run_in_threadpool(state_of, self.session, seat, first)}
        replay, trouble = str(self.autosave.path) if is_kept else None, self.autosave.trouble
        return {**data, "stamp": stamp, "replay": replay, "trouble": trouble, "notice": notice}

    def epoch(self) -> str:
        """Return a string that changes with a new game and with an undo, so that moves are replaced."""
        session = self.session
        return f"{self.autosave.links.starts}-{session.version - len(session.game.actions)}"

    def stamp(self) -> str:
        """Return a string that changes with the game, the chosen names, and the save and compile status."""
        flags = (
            self.autosave.links.starts,
            self.autosave.is_kept,
            self.autosave.trouble is not None,
            compiling_now() != "",
        )
        return "-".join(str(int(number)) for number in (self.session.version, *flags))

    async def hint(self, request: Request) -> Response:
        seat = self.seat_of(request)
        try:
            hint = await run_in_threadpool(self.session.hint, seat)
        except SessionError as error:
            return refused(str(error))
        return JSONResponse(hint._asdict())

    async def judgement(self, request: Request) -> Response:
        """Return what a strong bot thinks of the move with the index ``move``; see `Session.judge`."""
        seat, move = self.seat_of(request), request.query_params.get("move", "")
        try:
            judgement = await run_in_threadpool(
                self.session.judge, seat, int(move) if move.isdecimal() else 0
            )
        except SessionError as error:
            return refused(str(error))
        return JSONResponse(judgement and asdict(judgement))

    async def action(self, request: Request) -> Response:
        """Play the action in the request; the bots act after the response has been sent."""
        seat = self.seat_of(request)
        data = await json_in(request, ForAction)
        return await self._change(
            seat, data, lambda: self.session.give(seat, data.action, data.version), self.session.go_on
        )

    async def undo(self, request: Request) -> Response:
        seat = self.seat_of(request)
        data = await json_in(request, ForUndo)
        return await self._change(seat, data, lambda: self.session.undo(seat, data.version, data.move))

    async def name(self, request: Request) -> Response:
        """Set the name that other people see for this person."""
        seat = self.seat_of(request)
        data = await json_in(request, ForName)
        return await self._change(seat, data, lambda: self.autosave.choose_name(seat, data.name))

    async def _change(
        self, seat: str, data: Change, change: Callable[[], None], then: Callable[[], None] | None = None
    ) -> Response:
        try:
            await run_in_threadpool(change)
        except SessionError as error:
            return refused(str(error))
        state = await self.state_of(seat, data.have, data.epoch)
        return JSONResponse(state, background=None if then is None else BackgroundTask(then))


def compile_text() -> str:
    """Return a message about kernels that are being compiled; an empty string if there are none."""
    kernels = compiling_now()
    words = f"Compiling the {kernels}, once for this machine. This can take half a minute or longer."
    return words if kernels else ""


def refused(words: str) -> Response:
    return JSONResponse({"error": words}, 409)


async def nothing_here(request: Request, error: Exception) -> Response:
    return PlainTextResponse("There is no such game: it has ended, or the link is not complete.", 404)


async def json_in(request: Request, schema: type[T]) -> T:
    """Decode the JSON object in a request; raise a 400 error unless it fits the schema."""
    try:
        return gate.decode(await request.body(), schema, "the request")
    except (ValueError, ClientDisconnect) as error:
        raise HTTPException(400, str(error)) from error


# --- running ----------------------------------------------------------------------------------------


def listening(port: int) -> socket.socket:
    """Return a listening socket that only this machine can reach; port 0 selects a free port."""
    try:
        if not 0 <= port < 2**16:
            raise OSError("the highest port is 65535")
        return socket.create_server((LOOPBACK, port))  # early connections wait until the server is ready
    except OSError as error:
        raise ValueError(f"cannot listen on port {port}: {error}; use --port 0 for a free one") from error


def listening_again(port: int) -> socket.socket:
    """Return a listening socket on the given port, or on a free port if that port cannot be used."""
    try:
        return listening(port)
    except ValueError:
        return listening(0)


@contextmanager
def serving(pages: Pages, port: int = 0) -> Iterator[tuple[uvicorn.Server, socket.socket, dict[str, str]]]:
    """Yield a server, its listening socket, and each person's link, keyed by seat name."""
    kept = pages.autosave.links
    listener = listening(port) if port else listening_again(kept.port)
    try:
        number = listener.getsockname()[1]
        if number != kept.port:
            kept.write(port=number)
        config = uvicorn.Config(
            pages.app(number), log_level="error", access_log=False, server_header=False,
            lifespan="off", ws="none", timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = uvicorn.Server(config)
        pages.is_ending = lambda: server.should_exit
        links = {seat: f"http://{LOOPBACK}:{number}/{token}/" for seat, token in pages.tokens.items()}
        yield server, listener, links
    finally:
        listener.close()
