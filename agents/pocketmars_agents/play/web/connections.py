"""Loopback sockets, and a uvicorn server that limits the number of connections and drops idle ones."""

import asyncio
import socket

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 64
"""Maximum number of open connections; the browsers of four people open far fewer."""
ACCEPTED_AT_ONCE = MOST_CONNECTIONS // 4
"""Maximum number of connections that the event loop accepts before it reads requests.

This is less than `MOST_CONNECTIONS`, so that the server reads from each new connection before later ones
can replace it.
"""
BACKLOG = 256
"""Maximum number of connections that the operating system queues until the server accepts them."""
REQUEST_SECONDS = 10.0
"""Time limit in seconds for receiving a request after the connection was made or the last response ended.

`Connection` also checks at this interval whether the client reads the responses.
"""


class Connection(H11Protocol):
    """A connection that is dropped if its client is idle, sends too slowly, or does not read the responses.

    uvicorn does not limit the time for receiving a request, and its `limit_concurrency` rejects all requests
    while too many connections are open. Idle connections would therefore lock out the players. With this
    class, if `MOST_CONNECTIONS` connections are already open, a new connection replaces the one that has been
    idle longest; if no other connection is idle, the new one is dropped.
    """

    deadline: asyncio.TimerHandle
    unread = 0
    """Number of response bytes in the write buffer at the last deadline."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # like uvicorn
        super().connection_made(transport)
        self._set_deadline()
        if len(self.connections) > MOST_CONNECTIONS:
            idle = [peer for peer in self.connections if isinstance(peer, Connection) and peer.is_idle]
            min(idle, key=lambda peer: peer.deadline.when()).drop()  # drops the new one if no other is idle

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.deadline.cancel()

    def on_response_complete(self) -> None:
        self._set_deadline()  # first: the next line may begin a request
        super().on_response_complete()

    @property
    def is_idle(self) -> bool:
        """Whether the server is waiting for a request or for the rest of one."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def drop(self) -> None:
        """Close the connection immediately."""
        self.connections.discard(self)
        self.transport.abort()

    def _set_deadline(self) -> None:
        if hasattr(self, "deadline"):
            self.deadline.cancel()
        self.deadline = self.loop.call_later(REQUEST_SECONDS, self._look)

    def _look(self) -> None:
        """Drop the connection if it is idle or the client does not read; otherwise sets a new deadline."""
        unread = self.transport.get_write_buffer_size()
        if self.is_idle or 0 < unread == self.unread:
            self.drop()
        else:
            self.unread = unread
            self._set_deadline()


class Server(uvicorn.Server):
    """A uvicorn server that uses `Connection`, `ACCEPTED_AT_ONCE` and `BACKLOG`."""

    def __init__(self, config: uvicorn.Config) -> None:
        config.http = Connection
        config.backlog = ACCEPTED_AT_ONCE
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(BACKLOG)  # raises the limit that asyncio took from `config.backlog`


def listening(port: int) -> socket.socket:
    """Return a listening socket that only this machine can reach; port 0 selects a free port."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen()  # early connections wait until the server is ready
    except (OSError, OverflowError) as error:
        listener.close()
        raise ValueError(f"cannot listen on port {port}: {error}; use --port 0 for a free one") from error
    return listener


def listening_again(port: int) -> socket.socket:
    """Return a listening socket on the given port, or on a free port if that port cannot be used."""
    try:
        return listening(port)
    except ValueError:
        return listening(0)
