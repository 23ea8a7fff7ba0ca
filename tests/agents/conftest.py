"""Fixtures for the tests of bots and commands."""

import sys

import pytest


@pytest.fixture(autouse=True)
def unchanged_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo a command's change to the import path after the test, so that later tests are unaffected."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
