"""Policies as ONNX files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import NUM_ACTIONS, Game, Games
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common import export as exporting
from pocketmars_training.common.export import MaskedNetwork, export
from pocketmars_training.common.network import Network
from pocketmars_training.common.network_agent import NetworkAgent

CARD = {"name": "solo", "decisions": 5, "settings": {"teacher": "greedy:1"}}


def positions(count: int) -> tuple[Any, Any]:
    games = Games(count, players=4, seed=9)
    for _ in range(30):
        games.step(games.random_actions(), ~games.over)
    return games.observe()


@pytest.mark.parametrize("count", [1, 2, 33])
def test_the_file_answers_as_the_network(network: Network, tmp_path: Path, count: int) -> None:
    path = tmp_path / "policy.onnx"
    export(network, path, CARD)
    observations, masks = positions(count)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    logits, value = session.run(["logits", "value"], {"observation": observations, "action_mask": masks})
    with torch.no_grad():
        expected, values = network(torch.from_numpy(observations))
    assert logits.shape == (count, NUM_ACTIONS)
    assert value.shape == (count,)
    assert np.allclose(logits[masks != 0], expected.numpy()[masks != 0], atol=1e-5)
    assert (logits[masks == 0] == np.float32(-1e8)).all()
    assert np.allclose(value, values.numpy(), atol=1e-5)


def test_the_card_travels_with_the_file(network: Network, tmp_path: Path) -> None:
    export(network, tmp_path / "policy.onnx", CARD)
    (kept,) = onnx.load(str(tmp_path / "policy.onnx")).metadata_props
    assert (kept.key, json.loads(kept.value)) == ("pocketmars", CARD)
    assert PolicyAgent(tmp_path / "policy.onnx").card == CARD


def test_the_agent_of_the_file_plays_as_the_model(network: Network, tmp_path: Path) -> None:
    export(network, tmp_path / "policy.onnx", CARD)
    for play in ("best", "sample"):
        agent = PolicyAgent(tmp_path / "policy.onnx", play)
        model = NetworkAgent("model", network, is_sampling=play == "sample")
        game, rng = Game(mode="solo", seed=4), np.random.default_rng(4)
        while not game.over:
            state = rng.bit_generator.state
            action = agent.act(game.view(), rng)
            rng.bit_generator.state = state
            assert model.act(game.view(), rng) == action
            game.step(action)


def test_a_file_that_disagrees_is_not_kept(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.onnx"
    path.write_bytes(b"the one before")
    check = exporting.check_equal

    def check_after_learning(module: MaskedNetwork, content: bytes, spec: GameSpec) -> None:
        with torch.no_grad():
            module.get_parameter("network.value_net.bias").add_(0.5)
        check(module, content, spec)

    monkeypatch.setattr(exporting, "check_equal", check_after_learning)
    with pytest.raises(RuntimeError, match=r"the exported value differ by 0\.5"):
        export(network, path, CARD)
    assert path.read_bytes() == b"the one before"
    assert [found.name for found in tmp_path.iterdir() if found.is_file()] == ["policy.onnx"]


def test_a_network_that_has_lost_its_mind_is_not_exported(network: Network, tmp_path: Path) -> None:
    with torch.no_grad():
        network.action_net.bias.fill_(float("nan"))
    with pytest.raises(RuntimeError, match="the exported logits differ by nan"):
        export(network, tmp_path / "policy.onnx", CARD)
    assert not list(tmp_path.glob("policy*"))
