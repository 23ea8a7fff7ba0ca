"""Training devices, and observations that are stored as counts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.observation_dtype import FLOAT32
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from pocketmars_training.common import device
from pocketmars_training.common.device import NetworkInputs, device_named
from pocketmars_training.expert_iteration import ExpertRun
from pocketmars_training.ppo import PpoRun
from tests.third_game.pairs import SPEC as PAIRS
from tests.training.tiny import newest, tiny_expert, tiny_self_play_ppo, with_one_matchup

CPU = torch.device("cpu")


def test_auto_takes_a_gpu_where_there_is_one() -> None:
    assert device_named("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")
    assert device_named("cpu") == CPU


@pytest.mark.parametrize("name", ["gpu", "", "cpu:x", "meta", "cpu:1", "cuda:99", "xpu"])
def test_other_devices_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="device"):
        tiny_self_play_ppo(tmp_path, None, device=name)


@pytest.mark.parametrize("spec", [SPEC, PROJECT_MARS])
def test_the_network_gets_the_observations(spec: GameSpec) -> None:
    inputs = NetworkInputs(spec, [spec.config()], CPU)
    games = Games(40, spec, seed=3)
    for _ in range(40):
        views = games.views(np.flatnonzero(~games.over), games.to_play[~games.over])
        stored, masks = inputs.observe(views)
        assert stored.dtype == np.uint8
        assert np.array_equal(inputs.of(torch.from_numpy(stored)).numpy(), views.observations)
        assert np.array_equal(masks, views.masks)
        games.step(games.random_actions(), ~games.over)


def test_a_game_without_counts_keeps_its_observations() -> None:
    inputs = NetworkInputs(PAIRS, [PAIRS.config()], CPU)
    games = Games(3, PAIRS, seed=1)
    views = games.views(np.arange(3), games.to_play)
    stored, _ = inputs.observe(views)
    assert stored.dtype == np.float32
    assert np.array_equal(inputs.of(torch.from_numpy(stored)).numpy(), views.observations)


@pytest.mark.parametrize(("kind", "settings"), [(PpoRun, tiny_self_play_ppo), (ExpertRun, tiny_expert)])
def test_counts_train_the_same_network_as_floats(
    tmp_path: Path, start: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, settings: Any
) -> None:
    def weights(folder: Path) -> dict[str, Any]:
        with with_one_matchup(kind(settings(folder, start, device="cpu"))) as run:
            run.train()
        content: dict[str, Any] = newest(folder)["policy"]
        return content

    counts = weights(tmp_path / "counts")

    def refuse(*_: Any) -> None:
        raise ValueError("no counts")

    monkeypatch.setattr(device, "observation_dtype_of", refuse)
    assert NetworkInputs(SPEC, [SPEC.config()], CPU).dtype == FLOAT32
    floats = weights(tmp_path / "floats")
    assert counts.keys() == floats.keys()
    assert all(torch.equal(counts[name], floats[name]) for name in counts)
