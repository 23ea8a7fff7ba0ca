"""The settings of the training scripts."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from pocketmars_env.core.settings import metadata_of
from pocketmars_training.common.settings import ACCEPTED, LAYERS, MAX_WIDTH, split
from pocketmars_training.da_seat import DaSeatSettings
from pocketmars_training.device_ppo import DevicePpoSettings
from pocketmars_training.expert_iteration import MAX_BUFFER_SIZE, ExpertSettings
from pocketmars_training.exploit import ExploitSettings
from pocketmars_training.ppo import MAX_IMITATION, PpoSettings
from pocketmars_training.rllib.settings import ScaleOutSettings
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.solo import SoloSettings
from tests.agents.onnx_policies import write_policy

NETWORK_RUNS: tuple[type[Any], ...] = (PpoSettings, DevicePpoSettings, ExpertSettings)
KINDS = (SoloSettings, SelfPlaySettings, DaSeatSettings, *NETWORK_RUNS, ScaleOutSettings)
NAN, INFINITY = float("nan"), float("inf")
OUTSIDE: dict[str, list[Any]] = {
    "in 1..2^53": [0, -1, 2**53 + 1],
    "in 0..1": [-0.1, 1.01, NAN],
    "above 0": [0.0, INFINITY, NAN],
    "0 or more": [-1, NAN],
    "in 0..2^32 - 1": [-1, 2**32],
    LAYERS: [(), (0,), (16, 8), (MAX_WIDTH + 1,)],
    "an agent": [""],
    "at least one agent": [()],
    "agents": [],
}
"""Values that are invalid for each constraint in the type annotation of a setting."""


def make(kind: type[Any], start: Path, **changes: Any) -> Any:
    given = {"start": start} if kind in NETWORK_RUNS else {}
    return kind(run=Path("run"), **(given | changes))


@pytest.mark.parametrize("kind", KINDS)
def test_values_outside_their_range_are_named(start: Path, kind: type[Any]) -> None:
    for field in filter(lambda field: field.init, dataclasses.fields(kind)):
        for accepted in ACCEPTED.keys() & getattr(field.type, "__metadata__", ()):
            for value in OUTSIDE[accepted]:
                with pytest.raises(
                    ValueError, match=rf"^{field.name} must be .*, got {re.escape(str(value))}$"
                ):
                    make(kind, start, **{field.name: value})


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_has_a_range(kind: type[Any]) -> None:
    plain = {field.name for field in dataclasses.fields(kind) if field.init and field.type in (int, float)}
    assert plain <= {"imitation_timesteps", "buffer_size"}  # these are checked below


PLAYERS = "one or more of 2, 3 and 4"


@pytest.mark.parametrize(
    ("kind", "name", "value", "accepted"),
    [
        (SoloSettings, "imitation_timesteps", -1, f"in 0..{MAX_IMITATION}"),
        (SoloSettings, "imitation_timesteps", MAX_IMITATION + 1, f"in 0..{MAX_IMITATION}"),
        (SoloSettings, "game", "project_mars", "a game with a single-player mode"),
        (SelfPlaySettings, "players", (), f"1 alone, or {PLAYERS}"),
        (SelfPlaySettings, "players", (2, 5), f"1 alone, or {PLAYERS}"),
        (PpoSettings, "players", (5,), f"1 alone, or {PLAYERS}"),
        (PpoSettings, "players", (1, 2), f"1 alone, or {PLAYERS}"),
        (
            PpoSettings,
            "handicaps",
            (3,),
            "0 alone; other handicaps require the solo game (--players 1)",
        ),
        (PpoSettings, "n_envs", 2, "at least 6, one game of each kind per thread"),
        (PpoSettings, "train_freq", 63, "at least the batch_size"),
        (PpoSettings, "net_arch", (12,), "at least 2 layers of 12 units, as in start"),
        (PpoSettings, "net_arch", (16, 16), "at least 2 layers of 12 units, as in start"),
        (DevicePpoSettings, "device", "cuda:1", "auto, cpu, cuda, cuda:0 or mps"),
        (DevicePpoSettings, "bot_share", 0.1, "0 without bots"),
        (DevicePpoSettings, "batch_size", 10**6, "at most 524288, which is n_envs × n_steps"),
        (DaSeatSettings, "game", "project_mars", "a game with a single-player mode"),
        (ExpertSettings, "n_envs", 2, "at least 3, one game of each kind"),
        (ExpertSettings, "buffer_size", 0, f"in 1..{MAX_BUFFER_SIZE}"),
        (ExpertSettings, "buffer_size", MAX_BUFFER_SIZE + 1, f"in 1..{MAX_BUFFER_SIZE}"),
        (ScaleOutSettings, "batch_size", 1, "in 2..2048, which is runners × games per runner × n_steps"),
        (ScaleOutSettings, "batch_size", 2049, "in 2..2048, which is runners × games per runner × n_steps"),
        (ScaleOutSettings, "players", (5,), PLAYERS),
        (ScaleOutSettings, "bots", ("greedy", "greedy"), "all different"),
        (ScaleOutSettings, "device", "cpu:0", "auto, cpu or cuda"),  # RLlib chooses the GPU
    ],
)
def test_values_that_do_not_fit_the_others_are_named(
    start: Path, kind: type[Any], name: str, value: Any, accepted: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{name} must be {accepted}, got {value}")):
        make(kind, start, **{name: value})


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (SoloSettings, "teacher", "nobody"),
        (SelfPlaySettings, "bots", ("greedy", "nobody")),
        (DaSeatSettings, "player", ("greedy", "nobody")),
        (DaSeatSettings, "eval_player", ("nobody",)),
        (DevicePpoSettings, "bots", ("nobody",)),
        (PpoSettings, "bots", ("nobody",)),
        (ScaleOutSettings, "bots", ("greedy", "nobody")),
    ],
)
def test_unknown_bots_are_named(start: Path, kind: type[Any], name: str, value: Any) -> None:
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        make(kind, start, **{name: value})


@pytest.mark.parametrize("handicaps", [(), (0, 21)])
@pytest.mark.parametrize(("kind", "more"), [(PpoSettings, {"players": (1,)}), (DaSeatSettings, {})])
def test_handicaps_are_those_of_the_solo_game(
    start: Path, kind: type[Any], more: dict[str, Any], handicaps: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=r"handicaps must be one or more in 0\.\.20"):
        make(kind, start, handicaps=handicaps, **more)


@pytest.mark.parametrize("kind", NETWORK_RUNS)
def test_the_start_is_a_policy_of_these_scripts(tmp_path: Path, kind: type[Any]) -> None:
    with pytest.raises(ValueError, match=r"nowhere\.onnx"):
        make(kind, Path("nowhere.onnx"))
    with pytest.raises(ValueError, match="start must be a policy exported by a training script"):
        make(kind, write_policy(tmp_path / "linear.onnx"))


@pytest.mark.parametrize("kind", [*KINDS, ExploitSettings])
def test_every_setting_has_a_help_text_and_a_group(kind: type[Any]) -> None:
    for field in filter(lambda field: field.init, dataclasses.fields(kind)):
        data = metadata_of(kind, field.name)
        assert data["help"]
        assert data["group"] or data["is_positional"]


def test_the_imitation_is_at_most_its_share() -> None:
    settings = SoloSettings(run=Path("run"), total_timesteps=10_001, imitation_share=0.5)
    assert settings.imitation_decisions == 5_000
    assert PpoSettings(run=Path("run")).imitation_decisions == 0
    assert SoloSettings(run=Path("run")).imitation_decisions == 1_000_000


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (PpoSettings, {"bots": ("greedy", "duel")}),
        (PpoSettings, {"game": "project_mars", "bots": ("multi",)}),
        (SoloSettings, {"teacher": "duel"}),
        (DaSeatSettings, {"player": ("duel",)}),
    ],
)
def test_policies_are_those_of_the_game(kind: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"(duel|multi) plays only P.* Mars, not P.* Mars"):
        kind(run=Path("run"), **settings)


@pytest.mark.parametrize("kind", [SoloSettings, SelfPlaySettings])
def test_each_kind_of_game_is_played(kind: Any) -> None:
    with pytest.raises(ValueError, match="n_envs must be at least 6"):
        kind(run=Path("run"), n_envs=2, batch_size=64)


@pytest.mark.parametrize(("parts", "expected"), [(1, [17]), (3, [6, 6, 5]), (4, [5, 4, 4, 4])])
def test_games_are_split_evenly(parts: int, expected: list[int]) -> None:
    assert split(17, parts) == expected


@pytest.mark.parametrize(("env_runners", "size"), [(0, 1024), (1, 1024), (3, 3072)])
def test_an_update_gets_the_decisions_of_all_runners(env_runners: int, size: int) -> None:
    assert ScaleOutSettings(run=Path("run"), env_runners=env_runners).update_size == size
