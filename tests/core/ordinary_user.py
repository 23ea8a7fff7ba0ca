"""Run programs without root's privilege to ignore the permissions of files."""

import os
import shutil
import subprocess

import pytest

WITHOUT_PRIVILEGE = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")


def as_ordinary_user() -> tuple[str, ...]:
    """Return the start of a command line whose program respects permissions; skip the test if impossible."""
    if not hasattr(os, "geteuid"):
        pytest.skip("permissions as on POSIX")
    if os.geteuid() != 0:
        return ()
    can_drop = shutil.which("setpriv") and not subprocess.call([*WITHOUT_PRIVILEGE, "true"])
    return WITHOUT_PRIVILEGE if can_drop else pytest.skip("root ignores permissions")
