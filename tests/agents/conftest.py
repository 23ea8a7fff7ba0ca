"""Fixtures for the tests of bots and commands."""

import sys

import pytest


@pytest.fixture(autouse=True)
def unchanged_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command adds the current folder to the import path; not for the tests after it."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
