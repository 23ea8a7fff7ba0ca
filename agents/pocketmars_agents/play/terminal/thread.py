"""Runs blocking work in a thread."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Runs work in a thread and awaits its result without blocking the event loop.

    Cancelling stops only the waiting, not the work. The thread is a daemon, so the program can exit at
    once.

    Raises:
        Exception: the exception of the work.

    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: Exception | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # the result may be None

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except Exception as caught:  # raised in the event loop
            error = caught
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await future
