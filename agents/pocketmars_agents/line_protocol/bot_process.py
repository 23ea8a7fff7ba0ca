"""Communication with a bot's process in lines of text, with limits on time and line length."""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from pocketmars_agents.line_protocol.messages import MAX_LINE, ProtocolError
from pocketmars_env.core.errors import MAX_QUOTED, error_text, one_line, quoted

CHUNK = 65_536
SECONDS_TO_QUIT = 1.0
STDERR_KEPT = 300
"""Maximum number of characters that an error message quotes from the end of the bot's stderr output."""


class BotProcess:
    """A bot's process, started in its own session and without a shell.

    After a method has raised a `ProtocolError`, the process must not be used again; end it with `kill`.

    Args:
        words: the program and its arguments.

    Raises:
        ProtocolError: if the program cannot be started, or on Windows.

    """

    def __init__(self, words: Sequence[str]) -> None:
        if sys.platform == "win32":
            raise ProtocolError("exec: bots require Linux or macOS")
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # protects the bot from Ctrl-C and lets `kill` end its children
            )
        except (OSError, ValueError) as error:
            raise ProtocolError(
                f"cannot start {one_line(words[0], MAX_QUOTED)}: {error_text(error)}"
            ) from error
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe is not None)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._received = bytearray()
        self._errors = bytearray()

    # --- lines ----------------------------------------------------------------------------------------

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Send one or more lines and return the bot's next line without the newline."""
        self._read_errors()
        if not self._received:
            self._read()
        self._check_silence()
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            selector.register(self._stdin, selectors.EVENT_WRITE)
            while request or b"\n" not in self._received:
                left = deadline - time.monotonic()
                ready = {key.fd for key, _ in selector.select(left)} if left > 0 else set()
                if not ready:
                    raise ProtocolError(self._with_errors(f"no answer within {seconds:g} s"))
                if self._stderr in ready and not self._read_errors():
                    selector.unregister(self._stderr)
                if self._stdout in ready:
                    self._read()
                    if request:  # the bot must not reply before the whole request has been sent
                        self._check_silence()
                if self._stdin in ready:
                    request = self._write(request)
                    if not request:
                        selector.unregister(self._stdin)
        line, _, rest = self._received.partition(b"\n")
        self._received = rest
        return bytes(line)

    def _check_silence(self) -> None:
        if self._received:
            words = f"wrote without being asked: {quoted(self._received.decode(errors='replace').strip())}"
            raise ProtocolError(self._with_errors(words))

    def _write(self, request: bytes) -> bytes:
        """Write as much of the request as the pipe accepts, and return the rest."""
        try:
            return request[os.write(self._stdin, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError as error:
            raise self._ended() from error

    def _read(self) -> None:
        """Read up to `CHUNK` bytes from the bot's stdout, without waiting for output."""
        try:
            content = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return
        if not content:
            raise self._ended()
        self._received += content
        end = self._received.find(b"\n")
        if end >= MAX_LINE or (end < 0 and len(self._received) >= MAX_LINE):
            raise ProtocolError(self._with_errors(f"wrote a line of more than {MAX_LINE:,} bytes"))

    # --- exit -----------------------------------------------------------------------------------------

    def quit(self, request: bytes) -> None:
        """Send a last line, wait up to `SECONDS_TO_QUIT` for the bot to exit, then kill its process group."""
        with suppress(OSError):
            os.write(self._stdin, request)
        self._close(self._process.stdin)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_QUIT)
        self.kill()

    def kill(self) -> None:
        """Kill the process and its process group, and wait for the process to exit."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            self._close(pipe)

    def _close(self, pipe: object) -> None:
        with suppress(OSError):
            pipe.close()  # type: ignore[attr-defined]

    def _ended(self) -> ProtocolError:
        """Return the error to raise if the bot has exited or closed a pipe."""
        try:
            status = self._process.wait(SECONDS_TO_QUIT)
        except subprocess.TimeoutExpired:
            return ProtocolError(self._with_errors("closed its input or output"))
        how = f"exited with status {status}" if status >= 0 else f"was killed by {signal_name(-status)}"
        return ProtocolError(self._with_errors(how))

    # --- stderr ---------------------------------------------------------------------------------------

    def _read_errors(self) -> bool:
        """Read the bot's stderr and keep the end of the output; return False if stderr is closed."""
        try:
            content = os.read(self._stderr, CHUNK)
        except BlockingIOError:
            return True
        self._errors = (self._errors + content)[-4 * STDERR_KEPT :]
        return bool(content)

    def _with_errors(self, words: str) -> str:
        """Return `words`, followed by the end of the bot's stderr output if there is any, as one line."""
        self._read_errors()
        text = " / ".join(self._errors.decode("utf-8", "replace").split("\n")).strip(" /")
        return f"{words}; stderr: {text[-STDERR_KEPT:]}" if text else words


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
