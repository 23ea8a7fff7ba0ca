"""Communication with a bot's process in lines of text, with limits on time and line length."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from pocketmars_agents.line_protocol.messages import MAX_LINE, ProtocolError
from pocketmars_env.core.errors import MAX_QUOTED, error_text, one_line, quoted

CHUNK = 65_536
SECONDS_TO_QUIT = 1.0
STDERR_KEPT = 300
"""Maximum number of characters that an error message quotes from the end of the bot's stderr output."""
NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""On Windows, the flag that does what ``start_new_session`` does on other systems."""


class BotProcess:
    """A bot's process, started in its own session and without a shell.

    A thread for each pipe reads or writes it, because only sockets can be waited for on Windows. After a
    method has raised a `ProtocolError`, the process must not be used again; end it with `kill`.
    """

    def __init__(self, words: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # protects the bot from Ctrl-C and lets `kill` end its children
                creationflags=NEW_GROUP,
            )
        except (OSError, ValueError) as error:
            raise ProtocolError(
                f"cannot start {one_line(words[0], MAX_QUOTED)}: {error_text(error)}"
            ) from error
        self._changed = threading.Condition()  # is held while the following attributes are used
        self._unsent = bytearray()
        self._received = bytearray()
        self._errors = bytearray()
        self._is_closed = False
        self._is_quitting = False
        work = (self._send, self._receive, self._receive_errors)
        self._threads = [threading.Thread(target=target, daemon=True) for target in work]
        for thread in self._threads:
            thread.start()

    # --- lines ----------------------------------------------------------------------------------------

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Send one or more lines and return the bot's next line without the newline."""
        with self._changed:
            if self._received:
                text = quoted(self._received.decode(errors="replace").strip())
                raise ProtocolError(self._with_errors(f"wrote without being asked: {text}"))
            self._unsent += request
            self._changed.notify_all()
            self._changed.wait_for(self._has_answered, seconds)
            line, newline, rest = self._received.partition(b"\n")
            if len(line) >= MAX_LINE:
                raise ProtocolError(self._with_errors(f"wrote a line of more than {MAX_LINE:,} bytes"))
            if newline:
                self._received = rest
                return bytes(line)
            if not self._is_closed:
                raise ProtocolError(self._with_errors(f"no answer within {seconds:g} s"))
        raise self._ended()

    def _has_answered(self) -> bool:
        return self._is_closed or len(self._received) >= MAX_LINE or b"\n" in self._received

    # --- pipes ----------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Write the requests until the process quits."""
        with self._pipe(self._process.stdin) as pipe:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._unsent or self._is_quitting)
                    content = bytes(self._unsent)
                if not content:
                    return
                sent = pipe.write(content)
                with self._changed:
                    del self._unsent[:sent]

    def _receive(self) -> None:
        """Read the bot's output; stop while there is a whole line that is too long."""
        with self._pipe(self._process.stdout) as pipe:
            while content := pipe.read(CHUNK):
                with self._changed:
                    self._received += b"" if self._is_quitting else content
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: len(self._received) < MAX_LINE or self._is_quitting)

    def _receive_errors(self) -> None:
        """Read the bot's stderr, and keep the end of it."""
        with self._process.stderr as pipe:  # type: ignore[union-attr]  # Popen makes all pipes
            while content := pipe.read(CHUNK):
                with self._changed:
                    self._errors = (self._errors + content)[-4 * STDERR_KEPT :]

    @contextmanager
    def _pipe(self, pipe: Any) -> Iterator[Any]:
        """Context manager that yields a pipe, closes it, and reports that it is closed."""
        try:
            with pipe, suppress(OSError):
                yield pipe
        finally:
            with self._changed:
                self._is_closed = True
                self._changed.notify_all()

    # --- exit -----------------------------------------------------------------------------------------

    def quit(self, request: bytes) -> None:
        """Send a last line, wait up to `SECONDS_TO_QUIT` for the bot to exit, then kill its process group."""
        self._stop(request)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_QUIT)
        self.kill()

    def kill(self) -> None:
        """Kill the process and its process group, and wait for the process to exit."""
        self._stop(b"")
        kill_group(self._process)
        self._process.wait()
        for thread in self._threads:
            thread.join(SECONDS_TO_QUIT)  # longer if a program with a group of its own has a pipe

    def _stop(self, request: bytes) -> None:
        """Send a last request, and close the bot's stdin."""
        with self._changed:
            self._unsent += request
            self._is_quitting = True
            self._changed.notify_all()

    def _ended(self) -> ProtocolError:
        """Return the error to raise if the bot has exited or closed a pipe."""
        try:
            status = self._process.wait(SECONDS_TO_QUIT)
        except subprocess.TimeoutExpired:
            how = "closed its input or output"
        else:
            how = f"exited with status {status}" if status >= 0 else f"was killed by {signal_name(-status)}"
            self._threads[-1].join(SECONDS_TO_QUIT)  # reads the end of stderr
        return ProtocolError(self._with_errors(how))

    def _with_errors(self, words: str) -> str:
        """Return `words`, followed by the end of the bot's stderr output if there is any, as one line."""
        text = " / ".join(self._errors.decode("utf-8", "replace").splitlines()).strip(" /")
        return f"{words}; stderr: {text[-STDERR_KEPT:]}" if text else words


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that began a group, with all processes in the group."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
