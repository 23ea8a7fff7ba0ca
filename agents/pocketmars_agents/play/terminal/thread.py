"""Runs blocking work in a thread."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Runs `work` in a thread and awaits its result without blocking the event loop.

    Cancellation stops the waiting but not the work. The thread is a daemon thread, so the program can exit
    before the work ends.

    Raises:
        Exception: any exception from `work`.

    """
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()  # from here on the future cannot be cancelled

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:  # raised again by the await
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)
