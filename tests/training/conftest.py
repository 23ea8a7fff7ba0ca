"""Fixtures of the training tests."""

from pathlib import Path
from typing import Any

import pytest

from pocketmars_training.common.network import Network
from tests.agents.mlps import random_mlp
from tests.training.tiny import write_start


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an untrained initial policy."""
    return write_start(tmp_path_factory.mktemp("start") / "begin.onnx")


@pytest.fixture
def network() -> Any:
    """A network with random weights."""
    return Network.of_mlp(random_mlp(2, 16))
