"""Function that runs blocking work in a thread."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Run `work` in a thread and return its result, without blocking the event loop.

    Cancelling this coroutine does not stop the thread. The thread is a daemon thread, so the program can exit
    before `work` returns.

    Raises:
        BaseException: any exception that `work` raises.

    """
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()  # so that a canceled await cannot cancel it

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # the await raises it again
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)
