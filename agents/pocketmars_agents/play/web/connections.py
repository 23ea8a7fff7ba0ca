"""Connections that cannot keep others waiting: each has a deadline, and there are only so many."""

import asyncio
import socket

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 64
"""Several times what the browsers of four people open."""
ACCEPTED_AT_ONCE = MOST_CONNECTIONS // 4
"""Before what they send is read: so none is dropped for newer ones before its request has been seen."""
BACKLOG = 256
"""Connections that the operating system holds until they are accepted."""
REQUEST_SECONDS = 10.0
"""From the connection, or from the last answer, until a whole request has come."""


class Connection(H11Protocol):
    """A connection that is dropped when it sends nothing, sends slowly, or does not read its answer.

    uvicorn waits for the first request of a connection, and for the rest of any, as long as it takes.
    Its own `limit_concurrency` refuses everybody beyond it, so that idle connections would shut out the
    players. Here a new connection takes the place of the one that has been idle for the longest time.
    """

    deadline: asyncio.TimerHandle
    unread = 0
    """Bytes of an answer that the other side had not read at the last deadline."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self._set_deadline()
        if len(self.connections) > MOST_CONNECTIONS:
            idle = [each for each in self.connections if isinstance(each, Connection) and each.is_idle]
            min(idle, key=lambda each: each.deadline.when()).drop()  # this one if there is no other

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.deadline.cancel()

    def on_response_complete(self) -> None:
        self._set_deadline()  # first: what follows may begin the next request
        super().on_response_complete()

    @property
    def is_idle(self) -> bool:
        """Whether the other side has to send something: a request, or the rest of one."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def drop(self) -> None:
        """Close at once, whatever has not been sent."""
        self.connections.discard(self)
        self.transport.abort()

    def _set_deadline(self) -> None:
        if hasattr(self, "deadline"):
            self.deadline.cancel()
        self.deadline = self.loop.call_later(REQUEST_SECONDS, self._look)

    def _look(self) -> None:
        """Drop the connection if the other side is late."""
        unread = self.transport.get_write_buffer_size()
        if self.is_idle or 0 < unread == self.unread:
            self.drop()
        else:
            self.unread = unread
            self._set_deadline()


class Server(uvicorn.Server):
    """A server of such connections.

    Args:
        config: its settings.

    """

    def __init__(self, config: uvicorn.Config) -> None:
        config.http = Connection
        config.backlog = ACCEPTED_AT_ONCE
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for place in sockets or []:
            place.listen(BACKLOG)  # asyncio has one number for both
