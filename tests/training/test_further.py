"""What trainings have in common that begin with a policy."""

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("onnx")

import torch

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import Games
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_training.all_seats import AllSeatsRun
from pocketmars_training.expert_iteration import ExpertRun
from pocketmars_training.model.export import export
from pocketmars_training.model.network import Network
from pocketmars_training.run import checkpoints
from pocketmars_training.run.further import FurtherRun
from tests.agents.mlps import random_mlp
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
        ({"players": (5,)}, "players must be 1 alone, or some of 2, 3 and 4, got (5,)"),
        ({"players": (1, 2)}, "players must be 1 alone, or some of 2, 3 and 4, got (1, 2)"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"bot_share": 1.5}, "bot_share must be in 0..1"),
        ({"bots": ("nobody",)}, "unknown agent 'nobody'"),
        ({"players": (1,), "bots": ()}, "bots must be at least one agent"),
        ({"players": (1,), "handicaps": ()}, "handicaps must be one or more in 0..20, got ()"),
        ({"players": (1,), "handicaps": (0, 21)}, "handicaps must be one or more in 0..20, got (0, 21)"),
        ({"players": (2,), "handicaps": (3,)}, "handicaps must be 0 alone"),
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
    with pytest.raises(
        ValueError, match=r"start must be a policy of one of the training scripts, got .*linear.onnx"
    ):
        settings(tmp_path / "run", path)
    assert PolicyAgent(path).evaluate(*Games(1, seed=0).observe())


@pytest.mark.parametrize(("kind", "settings"), [(AllSeatsRun, tiny_all_seats), (ExpertRun, tiny_expert)])
def test_the_player_of_the_solo_game_gets_better_too(
    tmp_path: Path, start: Path, kind: Any, settings: Callable[..., Any]
) -> None:
    with contextlib.closing(kind(settings(tmp_path, start, players=(1,), decisions=200))) as run:
        assert [rung.name for rung in run.rungs] == list(LEVELS)
        run.opponent_win_split = []
        run.train()
    agent = PolicyAgent(tmp_path / "solo.onnx")
    assert set(agent.card["ladder"]) == set(LEVELS)
    assert agent.card["settings"]["players"] == [1]
    assert not (tmp_path / "table.onnx").exists()


RUNS: list[tuple[Any, Callable[..., Any]]] = [(AllSeatsRun, tiny_all_seats), (ExpertRun, tiny_expert)]


@contextlib.contextmanager
def run_of(kind: Any, settings: Any) -> Iterator[FurtherRun]:
    with contextlib.closing(kind(settings)) as run:
        run.rungs, run.opponent_win_split = run.rungs[:1], []
        yield run


def newest(folder: Path) -> dict[str, Any]:
    return checkpoints.read(checkpoints.kept(folder)[-1])


@pytest.mark.parametrize(("kind", "settings", "threads"), [(*RUNS[0], 1), (*RUNS[0], 2), (*RUNS[1], 1)])
def test_the_same_seed_gives_the_same_policy(
    tmp_path: Path, start: Path, kind: Any, settings: Callable[..., Any], threads: int
) -> None:
    found = []
    for folder, seed in (("one", 1), ("again", 1), ("other", 2)):
        tiny = settings(tmp_path / folder, start, seed=seed, threads=threads, decisions=120)
        with run_of(kind, tiny) as run:
            run.train()
        found.append(torch.cat([each.reshape(-1) for each in newest(tmp_path / folder)["policy"].values()]))
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])


@pytest.mark.parametrize(("kind", "settings"), RUNS)
def test_an_interrupted_run_is_resumed(
    tmp_path: Path, start: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, settings: Callable[..., Any]
) -> None:
    improve = kind.improve
    all_decisions = settings(tmp_path, start).decisions

    def interrupted(self: FurtherRun, *arguments: Any) -> None:
        if self.decisions > all_decisions / 4:
            raise KeyboardInterrupt
        improve(self, *arguments)

    with monkeypatch.context() as patch, run_of(kind, settings(tmp_path, start)) as run:
        patch.setattr(kind, "improve", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.train()
    kept = newest(tmp_path)
    assert all_decisions / 4 < kept["decisions"] < all_decisions
    other = tmp_path / "other" / start.name
    other.parent.mkdir()
    export(Network.of_mlp(random_mlp(2, 12)), other, {"name": "another"})
    with run_of(kind, settings(tmp_path, other, resume=True)) as run:
        assert run.decisions == kept["decisions"]
        assert all(
            torch.equal(weight, kept["policy"][name]) for name, weight in run.learner.state_dict().items()
        )
        run.train()
    assert newest(tmp_path)["decisions"] >= all_decisions
    assert PolicyAgent(tmp_path / "table.onnx").card["start"] == {"name": "begin", "decisions": 7}
