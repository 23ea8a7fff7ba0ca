"""What trainings have in common that begin with a policy."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("onnx")

from agents.policy_agent import PolicyAgent
from pocketmars_env import Games
from tests.agents.onnx_policies import write_policy
from tests.training.tiny import tiny_all_seats, tiny_expert, write_start

KINDS = [tiny_all_seats, tiny_expert]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of a network that knows nothing."""
    return write_start(tmp_path_factory.mktemp("start") / "begin.onnx")


@pytest.mark.parametrize("settings", KINDS)
@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"players": (5,)}, "players must be some of 2, 3 and 4, each once"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"bot_share": 1.5}, "bot_share must be in 0..1"),
        ({"bots": ("nobody",)}, "unknown agent 'nobody'"),
        ({"start": Path("nowhere.onnx")}, "there is no policy file 'nowhere.onnx'"),
    ],
)
def test_wrong_settings_are_named(
    tmp_path: Path, start: Path, settings: Callable[..., Any], changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        settings(tmp_path, **({"start": start} | changes))


@pytest.mark.parametrize("settings", KINDS)
def test_a_policy_of_another_form_is_no_start(tmp_path: Path, settings: Callable[..., Any]) -> None:
    path = write_policy(tmp_path / "linear.onnx")
    with pytest.raises(ValueError, match=r"start must be a policy of training.self_play, got .*linear.onnx"):
        settings(tmp_path / "run", path)
    assert PolicyAgent(path).evaluate(*Games(1, seed=0).observe())
