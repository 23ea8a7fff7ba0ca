"""Networks are read only from policy files that contain a supported network."""

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.games.pocket_mars.bots import FOLDER, POLICIES
from pocketmars_agents.network.mlp_file import Graph, UnsupportedError, read_mlp
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Games
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.mlps import outputs_of
from tests.agents.onnx_policies import write_policy

HELPER, TO_ARRAY, FROM_ARRAY = onnx.helper, onnx.numpy_helper.to_array, onnx.numpy_helper.from_array


def changed(tmp_path: Path, change: Any, name: str = "multi") -> PolicyAgent:
    """Return a shipped policy with a changed graph; `da_seat` has no output for the opponents' win split."""
    model = onnx.load(str(FOLDER / f"{name}.onnx"))
    change(model.graph)
    onnx.save(model, str(tmp_path / "changed.onnx"))
    return PolicyAgent(tmp_path / "changed.onnx")


def node_of(graph: Any, kind: str, number: int = 0) -> Any:
    return [node for node in graph.node if node.op_type == kind][number]


@pytest.mark.parametrize("name", POLICIES)
def test_the_networks_of_the_shipped_policies_answer_as_their_files(name: str) -> None:
    agent, games = PolicyAgent(FOLDER / f"{name}.onnx"), Games(64, players=4, seed=3)
    assert agent.mlp is not None
    for _ in range(30):
        games.step(games.random_actions(), ~games.over)
    observations, masks = games.observe()
    logits, values = outputs_of(agent.mlp, observations, masks)
    expected_logits, expected_values = agent.evaluate(observations, masks)
    assert np.allclose(logits[masks != 0], expected_logits[masks != 0], atol=5e-3)
    assert np.allclose(values, expected_values, atol=1e-3)


def add_damaged_tensor(graph: Any) -> None:
    """Add a tensor that nothing uses, with too few bytes for its shape."""
    unused = graph.initializer.add()
    unused.name, unused.data_type, unused.raw_data = "unused", onnx.TensorProto.FLOAT, b"0000"
    unused.dims.append(10)


def turn(graph: Any) -> None:
    gemm = node_of(graph, "Gemm")
    weights = next(one for one in graph.initializer if one.name == gemm.input[1])
    weights.CopyFrom(FROM_ARRAY(np.ascontiguousarray(TO_ARRAY(weights).T), weights.name))
    next(one for one in gemm.attribute if one.name == "transB").i = 0


def replace_activation(graph: Any) -> None:
    node_of(graph, "Relu", 1).op_type = "Tanh"


def scale(graph: Any) -> None:
    next(one for one in node_of(graph, "Gemm", 1).attribute if one.name == "alpha").f = 0.5


def without_bias(number: int) -> Any:
    return lambda graph: node_of(graph, "Gemm", number).input.pop()


def halve_value(graph: Any) -> None:
    node_of(graph, "Squeeze").output[0] = "whole"
    graph.initializer.append(FROM_ARRAY(np.array([0.5], np.float32), "half"))
    graph.node.append(HELPER.make_node("Mul", ["whole", "half"], ["value"]))


def unmask(graph: Any) -> None:
    """Remove the masking of illegal actions, which has no effect on the policy."""
    where = node_of(graph, "Where")
    where.input[2] = where.input[1]


def widen(graph: Any) -> None:
    """Give the first two layers different widths."""
    for gemm, axes in ((node_of(graph, "Gemm"), (0,)), (node_of(graph, "Gemm", 1), (1,))):
        for given in gemm.input[1:]:
            weights = next(one for one in graph.initializer if one.name == given)
            array = TO_ARRAY(weights)
            if max(axes) < array.ndim:
                array = np.concatenate([array, array], axis=axes[0])
                weights.CopyFrom(FROM_ARRAY(np.ascontiguousarray(array), given))


@pytest.mark.parametrize(
    ("change", "is_taken"),
    [
        (add_damaged_tensor, True),
        (turn, True),
        (unmask, True),
        (replace_activation, False),
        (scale, False),
        (halve_value, False),
        (widen, False),
        *((without_bias(number), False) for number in (0, 2, 3)),
    ],
)
def test_only_a_graph_that_is_such_a_network_is_taken(tmp_path: Path, change: Any, is_taken: bool) -> None:
    agent = changed(tmp_path, change)
    assert (agent.mlp is not None) == is_taken
    assert agent.evaluate(*Games(2, seed=0).observe())[0].shape == (2, NUM_ACTIONS)


@pytest.mark.parametrize(("column", "is_taken"), [(0, True), (-1, False), (OBSERVATION_SIZE, False)])
def test_flags_of_entries_that_do_not_exist_are_not_taken(column: int, is_taken: bool) -> None:
    constants = {"columns": np.array([column]), "cuts": np.array([0.5], np.float32)}
    nodes = [
        HELPER.make_node("Gather", ["observation", "columns"], ["taken"], axis=1),
        HELPER.make_node("GreaterOrEqual", ["taken", "cuts"], ["reached"]),
        HELPER.make_node("Cast", ["reached"], ["flags"], to=onnx.TensorProto.FLOAT),
        HELPER.make_node("Concat", ["observation", "flags"], ["inputs"], axis=1),
    ]
    graph = HELPER.make_graph(nodes, "flags", [], [], [FROM_ARRAY(a, name) for name, a in constants.items()])
    with nullcontext() if is_taken else pytest.raises(UnsupportedError):
        Graph(graph, TO_ARRAY, SPEC)._flags("inputs")


def test_a_network_is_taken_only_if_it_answers_as_its_file(tmp_path: Path) -> None:
    agent = PolicyAgent(FOLDER / "multi.onnx")

    def one_higher(observations: Any, masks: Any) -> Any:
        found = agent.outputs(observations, masks)
        return found | {"value": found["value"] + 1}

    assert read_mlp((FOLDER / "multi.onnx").read_bytes(), agent.outputs, SPEC) is not None
    assert read_mlp((FOLDER / "multi.onnx").read_bytes(), one_higher, SPEC) is None


def add_rivals(graph: Any, rows: int, is_output: bool = True) -> None:
    rng = np.random.default_rng(1)
    for name, array in {"w": rng.normal(size=(rows, 256)), "b": rng.normal(size=rows)}.items():
        graph.initializer.append(FROM_ARRAY(array.astype(np.float32), name))
    features = node_of(graph, "Relu", -1).output[0]
    graph.node.append(HELPER.make_node("Gemm", [features, "w", "b"], ["rivals"], transB=1))
    if is_output:
        graph.output.append(HELPER.make_tensor_value_info("rivals", onnx.TensorProto.FLOAT, ["n", rows]))


def test_rivals_are_read_if_they_are_of_the_right_number(tmp_path: Path) -> None:
    agent = changed(tmp_path, lambda graph: add_rivals(graph, 3), "da_seat")
    assert agent.mlp is not None
    assert agent.outputs(*Games(2, seed=0).observe())["opponent_win_split"].shape == (2, 3)
    with pytest.raises(ValueError, match=r"opponent_win_split .*\(1, 2\).*\(1, 3\)"):
        changed(tmp_path, lambda graph: add_rivals(graph, 2), "da_seat")


def slice_rivals(graph: Any) -> None:
    bounds = {"from": [0], "to": [3], "axis": [1]}
    graph.initializer.extend(FROM_ARRAY(np.array(a), name) for name, a in bounds.items())
    features = node_of(graph, "Relu", -1).output[0]
    graph.node.append(HELPER.make_node("Slice", [features, *bounds], ["rivals"]))
    graph.output.append(HELPER.make_tensor_value_info("rivals", onnx.TensorProto.FLOAT, ["n", 3]))


@pytest.mark.parametrize("change", [partial(add_rivals, rows=3, is_output=False), slice_rivals])
def test_rivals_are_not_taken_unless_they_are_an_output_of_a_linear_layer(
    tmp_path: Path, change: Any
) -> None:
    assert changed(tmp_path, change, "da_seat").mlp is None


def test_weights_in_a_file_of_their_own_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, path = onnx.load(str(FOLDER / "multi.onnx")), tmp_path / "policy.onnx"
    onnx.save(model, str(path), save_as_external_data=True, location="weights.bin", size_threshold=0)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"policy\.onnx"):
        PolicyAgent(path)
    assert read_mlp(path.read_bytes(), lambda observations, masks: pytest.fail("asked"), SPEC) is None


def test_constants_in_a_file_of_their_own_are_not_read(tmp_path: Path) -> None:
    """External constants are not read, even if onnxruntime would load them."""
    model = onnx.load(str(FOLDER / "multi.onnx"))
    constant = node_of(model.graph, "Constant").attribute[0].t
    onnx.external_data_helper.set_external_data(constant, location=str(tmp_path / "weights.bin"))
    constant.data_location = onnx.TensorProto.EXTERNAL
    content = model.SerializeToString()
    assert read_mlp(content, lambda observations, masks: pytest.fail("asked"), SPEC) is None


def test_a_linear_policy_is_not_taken(tmp_path: Path) -> None:
    assert PolicyAgent(write_policy(tmp_path / "linear.onnx")).mlp is None


def test_without_the_package_onnx_files_are_played_by_onnxruntime_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = PolicyAgent(FOLDER / "multi.onnx")
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert agent.mlp is None
    assert agent.evaluate(np.zeros((1, OBSERVATION_SIZE), np.float32), np.ones((1, NUM_ACTIONS), np.int8))
