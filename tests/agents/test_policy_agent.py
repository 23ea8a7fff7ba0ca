"""Tests of policies in ONNX files as agents."""

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from pocketmars_agents.bots.policy_agent import PolicyAgent, gumbel_noise
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, Views
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.onnx_policies import weights, write_policy
from tests.agents.playing import check_alone, views_of

pytestmark = pytest.mark.smoke

TYPES = onnx.TensorProto


def seeds_of(count: int) -> Any:
    return np.random.default_rng(2).integers(0, 2**64, size=count, dtype=np.uint64)


@pytest.mark.parametrize("mask_type", [TYPES.INT8, TYPES.BOOL, TYPES.FLOAT])
def test_a_policy_of_another_framework_plays(tmp_path: Path, mask_type: int) -> None:
    agent = PolicyAgent(write_policy(tmp_path / "linear.onnx", mask_type))
    views = views_of(100)
    of_logits, of_value = weights()
    expected = np.where(views.masks != 0, views.observations @ of_logits, -np.inf).argmax(axis=1)
    assert np.array_equal(agent.act_batch(views, seeds_of(len(views))), expected)
    logits, values = agent.evaluate(views.observations, views.masks)
    assert logits.shape == (len(views), NUM_ACTIONS)
    assert np.allclose(values, (views.observations @ of_value)[:, 0], atol=1e-4)
    for mode in ({"players": 4}, {"mode": "solo", "level": "cyborg"}):
        game, rng = Game(**mode, seed=1), np.random.default_rng(1)
        while not game.over:
            game.step(agent.act(game.view(), rng))  # raises if the action is illegal


@pytest.mark.parametrize("play", ["best", "sample"])
def test_answers_do_not_depend_on_the_views_beside(tmp_path: Path, play: str) -> None:
    agent = PolicyAgent(write_policy(tmp_path / "linear.onnx"), play)
    views = views_of(200)
    check_alone(agent, views, every=7)
    rng = np.random.default_rng(3)
    drawn = np.random.default_rng(3).integers(0, 2**64, size=1, dtype=np.uint64)
    first = Views(SPEC, views.states, np.array([0]), views.seats[:1])
    assert agent.act(views[0], rng) == agent.act_batch(first, drawn)[0]


def test_the_best_is_always_the_same_and_samples_are_not(tmp_path: Path) -> None:
    path, views = write_policy(tmp_path / "linear.onnx"), views_of(300)
    one, other = seeds_of(2 * len(views)).reshape(2, -1)
    best, sample = PolicyAgent(path), PolicyAgent(path, "sample")
    assert np.array_equal(best.act_batch(views, one), best.act_batch(views, other))
    assert np.array_equal(sample.act_batch(views, one), sample.act_batch(views, one))
    assert not np.array_equal(sample.act_batch(views, one), sample.act_batch(views, other))
    logits, _ = best.evaluate(views.observations, views.masks)
    noisy = np.where(views.masks != 0, logits + gumbel_noise(one, NUM_ACTIONS), -np.inf)
    assert np.array_equal(sample.act_batch(views, one), noisy.argmax(axis=1))


def test_names(tmp_path: Path) -> None:
    path = write_policy(tmp_path / "linear.onnx")
    assert PolicyAgent(path).name == str(path)
    assert PolicyAgent(str(path), "sample").name == f"{path}:sample"
    assert PolicyAgent(path, name="mine").name == "mine"


@pytest.mark.parametrize(
    ("card", "found"),
    [
        ('{"name": "mine"}', {"name": "mine"}),
        *((card, {}) for card in (None, "[1]", "{broken", "[" * 100_000, '{"a":' * 500 + "1" + "}" * 500)),
        ('{"a": 1' + "0" * 5_000 + "}", {}),
        (
            '{"settings": {"layers": 2}, "start": {"settings": {"net_arch": {"pi": [64]}}}}',
            {"settings": {"net_arch": None}, "start": {"settings": {"net_arch": {"pi": [64]}}}},
        ),
        (
            '{"settings": {"layers": 2, "width": 8}, "start": {"settings": {"net_arch": 5}}}',
            {"settings": {"net_arch": [8, 8]}, "start": {"settings": {"net_arch": 5}}},
        ),
    ],
)
def test_the_card_is_what_the_file_says(tmp_path: Path, card: str | None, found: dict[str, Any]) -> None:
    assert PolicyAgent(write_policy(tmp_path / "linear.onnx", card=card)).card == found


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"names": ("obs", "action_mask", "logits", "value")}, "'obs'"),
        ({"names": ("observation", "action_mask", "policy", "value")}, "'policy'"),
        ({"observation_shape": ("n", 7, OBSERVATION_SIZE)}, "'observation': ['n', 7, "),
        ({"mask_shape": ()}, "'action_mask': []"),
        ({"actions": 5}, f"(n, {NUM_ACTIONS})"),
        ({"mask_shape": (1, NUM_ACTIONS)}, "['action_mask']"),
        ({"mask_type": TYPES.INT64}, "tensor(int64)"),
        ({"observation_type": TYPES.DOUBLE}, "tensor(double)"),
    ],
)
def test_other_inputs_and_outputs_are_named(tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    path = write_policy(tmp_path / "other.onnx", **changes)
    with pytest.raises(ValueError, match=re.escape(named)) as caught:
        PolicyAgent(path)
    assert str(path) in str(caught.value)


def test_what_is_no_policy_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"missing\.onnx"):
        PolicyAgent(tmp_path / "missing.onnx")
    with pytest.raises(ValueError, match=tmp_path.name):
        PolicyAgent(tmp_path)
    garbage = tmp_path / "garbage.onnx"
    garbage.write_bytes(b"no policy " * 100)
    with pytest.raises(ValueError, match=r"garbage\.onnx"):
        PolicyAgent(garbage)
    with pytest.raises(ValueError, match="worst"):
        PolicyAgent(write_policy(tmp_path / "linear.onnx"), "worst")


def test_a_missing_onnxruntime_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_policy(tmp_path / "linear.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ValueError, match=r"\.\[policies\]"):
        PolicyAgent(path)
