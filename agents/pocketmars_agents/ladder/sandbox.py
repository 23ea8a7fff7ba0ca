"""A sandbox for the programs of strangers, made of Linux namespaces and resource limits; see `sandbox.sh`.

The program sees its own folder as ``/program``, the system's programs and libraries, and the Python
environment of this process, all of them read-only, and a small ``/tmp``. It has no network, an environment
without this process's variables, and no capabilities, and it sees no other processes. As root, it runs as a
user without files; otherwise it runs as the current user.
"""

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from pocketmars_env.core.compiled.kernel_cache import cache_root
from pocketmars_env.core.errors import one_line

LIMITS = (
    f"--as={4 * 2**30}",  # bytes of address space of each process
    "--nproc=64",  # processes and threads
    f"--cpu={24 * 60 * 60}",  # seconds of processor time of each process
    f"--fsize={16 * 2**20}",
    "--nofile=256",
    "--core=0",
)
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives")
PACKAGES = ("pocketmars_env", "pocketmars_agents", "pocketmars_training")
"""The packages of the environment, which need not be in it if they were installed in editable mode."""
FIRST_USER = 1_900_000_000
"""The first of the user IDs for sandboxes of root; no other process has them."""
SECONDS_TO_TRY = 30


class SandboxError(ValueError):
    """Raised if this system cannot run programs in a sandbox."""


def sandboxed(command: Sequence[str], program: Path, root: Path) -> list[str]:
    """Return a command that runs `command` in a sandbox, with the working directory ``/program``.

    The folder `program` appears there; other users must be able to read its files. On the empty folder
    `root`, the sandbox mounts its file system, which other processes do not see.
    """
    is_root = sys.platform == "linux" and os.geteuid() == 0
    specs = [spec for name in PACKAGES if (spec := find_spec(name)) and spec.origin]
    packages = [Path(str(spec.origin)).parent for spec in specs]
    python = [Path(sys.prefix), Path(sys.base_prefix), *packages, cache_root()]
    folders = [*SYSTEM, *sorted({str(folder.absolute()) for folder in python}, key=len)]
    namespaces = ["--net", "--pid", "--ipc", "--uts", "--mount", "--fork", "--kill-child"]
    variables = {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": "/tmp",
        "PYTHONPATH": ":".join(str(package.parent) for package in packages),
        "NUMBA_CACHE_DIR": str(cache_root().parent),
        "OPENBLAS_NUM_THREADS": "1",
    }
    return [
        *("env", "-i", *(f"{name}={value}" for name, value in variables.items())),
        *("setpriv", "--pdeathsig", "KILL", "--"),  # ends with the thread that started it
        *("unshare", *([] if is_root else ["--user", "--map-root-user"]), *namespaces, "--"),
        *("/bin/sh", str(Path(__file__).with_name("sandbox.sh")), str(root)),
        str(FIRST_USER + os.getpid()) if is_root else "-",
        str(program),
        *(folder for folder in folders if os.path.exists(folder)),
        *("--", *LIMITS, "--", *command),
    ]


@functools.cache
def check_sandbox() -> None:
    """Raise a SandboxError unless this system can run a program in a sandbox."""
    advice = "verifying bundles needs Linux with namespaces for users (unshare, setpriv and prlimit)"
    if sys.platform != "linux":
        raise SandboxError(f"{advice}, got {sys.platform}")
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as program:
        os.chmod(program, 0o755)
        try:
            done = subprocess.run(
                sandboxed(["true"], Path(program), Path(root)),
                capture_output=True,
                timeout=SECONDS_TO_TRY,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SandboxError(f"{advice}: {one_line(str(error))}") from error
    if done.returncode:
        raise SandboxError(f"{advice}: {one_line(done.stderr.decode(errors='replace'))}")
