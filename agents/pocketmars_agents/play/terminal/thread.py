"""Work that must not stop the screen."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Do some work in a thread of its own, and wait for it without stopping the event loop.

    Whoever stops waiting (by cancelling) stops nothing but the waiting: a bot that thinks is not
    interrupted. The thread does not keep the program from ending, so that it can be left at once.

    Raises:
        Exception: what the work raised.

    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: Exception | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # what the work returned, None included

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except Exception as caught:  # handed on to whoever waits
            error = caught
        with contextlib.suppress(RuntimeError):  # the loop has been closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await future
