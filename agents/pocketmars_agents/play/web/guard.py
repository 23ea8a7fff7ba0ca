"""What keeps a page on this machine among the browsers that it was made for."""

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
"""Of the body of a request."""


class Guard:
    """Refuses what no page of ours asks for, and forbids browsers all that ours does not need.

    - A request must name this machine and port as its host. A foreign site whose name has been pointed at
      this machine (DNS rebinding) names itself.
    - A request that changes something must come from a page of ours, and be a short JSON document.

    Args:
        app: what answers the other requests.
        hosts: the hosts that are this one, with their port.

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
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        answer = refusal(scope["method"], Headers(scope=scope), self.hosts)
        try:
            await (answer or self.app)(scope, receive, send_with_headers)
        except asyncio.CancelledError:  # the server ends, and waits no longer, such as for a hint
            await PlainTextResponse("The game's program ends.", 503)(scope, receive, send_with_headers)


def refusal(method: str, headers: Headers, hosts: frozenset[str]) -> PlainTextResponse | None:
    """The answer to a request that is refused, or None."""
    if headers.get("host") not in hosts:
        return PlainTextResponse("This page has another host.", 403)
    if method in ("GET", "HEAD"):
        return None
    if headers.get("origin") not in {f"http://{host}" for host in hosts}:
        return PlainTextResponse("Requests from other pages are not accepted.", 403)
    if headers.get("content-type") != "application/json":
        return PlainTextResponse("Accepted is application/json.", 415)
    length = headers.get("content-length", "")
    if "transfer-encoding" in headers:  # which overrides the length
        return PlainTextResponse("Accepted are requests with their length.", 411)
    if not length.isascii() or not length.isdigit() or int(length) > MOST_BYTES:
        return PlainTextResponse(f"Accepted are at most {MOST_BYTES} bytes.", 413)
    return None
