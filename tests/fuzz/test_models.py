"""Damaged policies, checkpoints and run settings are either read or refused."""

import functools
import hashlib
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Games
from pocketmars_training.common import checkpoints
from pocketmars_training.common.checkpoints import CheckpointError
from tests.agents.onnx_policies import write_policy
from tests.fuzz.amounts import inputs
from tests.fuzz.damage import Rng, damaged, try_all
from tests.training.tiny import write_start

# --- policies ---------------------------------------------------------------------------------------


@functools.cache
def positions() -> Any:
    """Return the observations and action masks of three games."""
    return Games(3, seed=0).observe()


def play(path: Path) -> None:
    """Load a policy, evaluate it, and check its outputs, its network and its model card."""
    agent = PolicyAgent(path)
    observations, masks = positions()
    logits, values = agent.evaluate(observations, masks)
    assert np.isfinite(values).all()
    assert np.isfinite(np.where(masks != 0, logits, -np.inf).max(axis=1)).all()
    assert agent.mlp is None or agent.compact_mlp is not None
    assert isinstance(agent.card, dict)


def test_policies(tmp_path: Path) -> None:
    """Two thirds of the damage is at the start or end of the file, since damaged weights are not detected."""
    path = tmp_path / "policy.onnx"
    contents = [write_start(path).read_bytes(), write_policy(path).read_bytes()]
    play(path)
    play(write_start(path))  # compiles the kernels that evaluate its network

    def make(rng: Rng) -> bytes:
        content = contents[int(rng.integers(2))]
        kind = int(rng.integers(3))
        if kind == 0:
            return damaged(content, rng)
        head = damaged(content[:400], rng), content[400:-600], content[-600:]
        tail = content[:400], content[400:-600], damaged(content[-600:], rng)
        return b"".join(head if kind == 1 else tail)

    def read(content: bytes) -> None:
        path.write_bytes(content)
        play(path)

    try_all(inputs(60), 11, make, read)


def policy_of(path: Path, nodes: list[Any], logits: Any = TensorProto.FLOAT, **constants: Any) -> Path:
    """Write a policy whose outputs are computed by these nodes from the inputs and constants."""
    graph = helper.make_graph(
        nodes,
        "odd",
        [
            helper.make_tensor_value_info("observation", TensorProto.FLOAT, ("n", OBSERVATION_SIZE)),
            helper.make_tensor_value_info("action_mask", TensorProto.FLOAT, ("n", NUM_ACTIONS)),
        ],
        [
            helper.make_tensor_value_info("logits", logits, None),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, None),
        ],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


NODE = helper.make_node
VALUE = NODE("ReduceMean", ["observation"], ["value"], axes=[1])
ONE_VALUE = NODE("ReduceMean", ["observation"], ["value"])
INF = np.float32(np.inf)
ODD: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "twice as many rows": ([NODE("Concat", ["action_mask", "action_mask"], ["logits"], axis=0), VALUE], {}),
    "one row": ([NODE("ReduceSum", ["action_mask", "first"], ["logits"]), VALUE], {"first": [0]}),
    "one value": ([NODE("Identity", ["action_mask"], ["logits"]), ONE_VALUE], {}),
    "all minus infinity": ([NODE("Add", ["action_mask", "much"], ["logits"]), VALUE], {"much": -INF}),
    "infinity": ([NODE("Add", ["action_mask", "much"], ["logits"]), VALUE], {"much": INF}),
    "NaN": ([NODE("Add", ["action_mask", "much"], ["logits"]), VALUE], {"much": np.float32(np.nan)}),
    "NaN as a value": (
        [NODE("Identity", ["action_mask"], ["logits"]), NODE("Add", ["mean", "much"], ["value"]),
         NODE("ReduceMean", ["observation"], ["mean"], axes=[1])][::-1],
        {"much": np.float32(np.nan)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_outputs_are_refused_when_the_policy_is_loaded(tmp_path: Path, name: str) -> None:
    nodes, constants = ODD[name]
    path = policy_of(tmp_path / "odd.onnx", nodes, **constants)
    with pytest.raises(ValueError, match=re.escape(str(path))):
        PolicyAgent(path)


@pytest.mark.parametrize("kind", [TensorProto.STRING, TensorProto.DOUBLE, TensorProto.INT64])
def test_logits_of_another_type_are_refused_when_the_policy_is_loaded(tmp_path: Path, kind: int) -> None:
    nodes = [NODE("Cast", ["action_mask"], ["logits"], to=kind), VALUE]
    path = policy_of(tmp_path / "odd.onnx", nodes, kind)
    with pytest.raises(ValueError, match=re.escape(str(path))):
        PolicyAgent(path)


def test_a_position_without_a_finite_logit_is_an_error(tmp_path: Path) -> None:
    """The policy passes the check at load time, but all logits of an all-zero observation are -inf."""
    nodes = [
        NODE("ReduceSum", ["observation", "columns"], ["sums"]),
        NODE("Log", ["sums"], ["logs"]),
        NODE("Add", ["action_mask", "logs"], ["logits"]),
        VALUE,
    ]
    agent = PolicyAgent(policy_of(tmp_path / "odd.onnx", nodes, columns=[1]))
    observations, masks = positions()
    agent.evaluate(observations, masks)
    with pytest.raises(ValueError, match=r"odd\.onnx"):
        agent.evaluate(np.zeros_like(observations), masks)
    agent.evaluate(np.zeros_like(observations), np.zeros_like(masks))  # no legal action, no logits


@pytest.mark.parametrize("place", ["weights.bin", "../weights.bin", "{folder}/weights.bin", "/dev/zero"])
def test_weights_in_further_files_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    for folder in (tmp_path, tmp_path / "here"):
        folder.mkdir(exist_ok=True)
        np.zeros((OBSERVATION_SIZE, NUM_ACTIONS), np.float32).tofile(folder / "weights.bin")
    path = tmp_path / "here" / "policy.onnx"
    monkeypatch.chdir(path.parent)
    model = onnx.load(str(write_policy(path)))
    (weights,) = (one for one in model.graph.initializer if one.name == "of_logits")
    onnx.external_data_helper.set_external_data(weights, location=place.format(folder=tmp_path))
    weights.ClearField("raw_data")
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ValueError, match=re.escape(str(path))):
        PolicyAgent(path)


def test_a_policy_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_policy(tmp_path / "policy.onnx")
    size = path.stat().st_size
    monkeypatch.setattr("pocketmars_agents.bots.policy_agent.MAX_BYTES", size - 1)
    with pytest.raises(ValueError, match=f"{size:,}"):
        PolicyAgent(path)


# --- checkpoints ------------------------------------------------------------------------------------


def body() -> bytes:
    """Return the bytes of a small checkpoint as PyTorch saves it."""
    network = torch.nn.Linear(20, 5)
    optimizer = torch.optim.Adam(network.parameters())
    network(torch.ones(1, 20)).sum().backward()
    optimizer.step()
    content = {
        "decisions": 5,
        "policy": network.state_dict(),
        "optimizer": optimizer.state_dict(),
        "past": [],
    }
    file = io.BytesIO()
    torch.save(content, file)
    return file.getvalue()


def restore(content: dict[str, Any]) -> None:
    network = torch.nn.Linear(20, 5)
    network.load_state_dict(content["policy"])
    torch.optim.Adam(network.parameters()).load_state_dict(content["optimizer"])
    assert type(content["decisions"]) is int


def test_damaged_checkpoints(tmp_path: Path) -> None:
    """Every damaged checkpoint is refused."""
    whole = checkpoints.head_of(body()) + body()
    path = tmp_path / "checkpoint-000000000005.pt"

    def make(rng: Rng) -> bytes:
        while (content := damaged(whole, rng)) == whole:
            pass
        return content

    def read(content: bytes) -> None:
        path.write_bytes(content)
        checkpoints.restore_newest(tmp_path, restore)

    assert try_all(inputs(500), 13, make, read, CheckpointError) == 0


def test_forged_checkpoints(tmp_path: Path) -> None:
    """Damaged checkpoints with a matching checksum are either loaded or refused with a CheckpointError."""
    content = body()
    path = tmp_path / "checkpoint-000000000005.pt"

    def make(rng: Rng) -> bytes:
        changed = damaged(content, rng)
        return checkpoints.head_of(changed) + changed

    def read(content: bytes) -> None:
        path.write_bytes(content)
        checkpoints.restore_newest(tmp_path, restore)

    try_all(inputs(200), 14, make, read, CheckpointError)


def test_the_checksum_is_that_of_sha256() -> None:
    assert checkpoints.head_of(b"abc").split() == [
        b"pocketmars-checkpoint-1",
        hashlib.sha256(b"abc").hexdigest().encode(),
    ]
