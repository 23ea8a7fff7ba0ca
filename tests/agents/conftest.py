"""Fixtures for the tests of bots and commands."""

import sys

import pytest


@pytest.fixture(autouse=True)
def unchanged_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo the command's change to the import path, so that it does not affect later tests."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
