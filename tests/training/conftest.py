"""Fixtures of the training tests."""

from pathlib import Path

import pytest

from tests.training.tiny import write_start


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained initial policy."""
    return write_start(tmp_path_factory.mktemp("start") / "begin.onnx")
