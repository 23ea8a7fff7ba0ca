"""Protection of the web server from cross-site requests."""

import asyncio

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
MOST_BYTES = 4096
"""Maximum size in bytes of the body of a POST request."""


class Guard:
    """ASGI middleware that rejects requests from other websites and adds security headers to responses.

    - The ``Host`` header of a request must be one of `hosts`. This prevents DNS rebinding attacks, in which
      the header contains the attacker's domain.
    - A request other than GET or HEAD must also have an ``Origin`` header with one of `hosts`, and a
      ``Content-Length`` of at most `MOST_BYTES`.

    Hosts have their ports, such as ``localhost:8000``.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = refusal(scope["method"], Headers(scope=scope), self.hosts)
        try:
            await (refused or self.app)(scope, receive, send_with_headers)
        except asyncio.CancelledError:  # the server is stopping
            await PlainTextResponse("The server has stopped.", 503)(scope, receive, send_with_headers)


def refusal(method: str, headers: Headers, hosts: frozenset[str]) -> PlainTextResponse | None:
    """Return the error response for a rejected request, or None if the request is accepted."""
    if headers.get("host") not in hosts:
        return PlainTextResponse("The host is not accepted.", 403)
    if method in ("GET", "HEAD"):
        return None
    if headers.get("origin") not in {f"http://{host}" for host in hosts}:
        return PlainTextResponse("Requests from other pages are not accepted.", 403)
    if int(headers.get("content-length", MOST_BYTES + 1)) > MOST_BYTES:
        return PlainTextResponse(f"The content length must be at most {MOST_BYTES} bytes.", 413)
    return None
