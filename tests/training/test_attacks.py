"""Attacks on policies of known exploitability: imitations, the command and the stored file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from baselines.results import read_lines
from baselines.small import attacks
from baselines.small.__main__ import ATTACKS, app
from baselines.small.small_game import SmallGame
from pocketmars_agents.exact.strategies import strategy_of
from pocketmars_agents.registry import make_agent
from pocketmars_training.common.export import export

ROOT = Path(__file__).parents[2]
GAME = "skirmish"


@pytest.fixture(scope="module")
def game() -> SmallGame:
    return SmallGame(GAME)


def test_bots_can_play_an_imitation_of_a_strategy(
    game: SmallGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attacks, "IMITATION", attacks.IMITATION | {"steps": 500})
    tree, path = game.tree, tmp_path / "imitation.onnx"
    original = strategy_of(tree, make_agent("duel"))
    export(attacks.imitation_of(tree, original), path, {}, tree.spec)
    imitation = strategy_of(tree, make_agent(f"{path}:sample"))
    assert tree.nash_conv(imitation) == pytest.approx(tree.nash_conv(original), abs=0.2)


def test_finished_attacks_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def targets(*_: Any) -> Iterator[attacks.Target]:
        yield attacks.Target("random", "random")

    monkeypatch.setattr(attacks, "targets", targets)
    monkeypatch.setattr(attacks, "BUDGETS", {"population": {"population": ("random", "greedy:1")}})
    monkeypatch.setattr(attacks, "GAMES_PER_RESPONSE", 128)
    command = ["attack", GAME, "--results", str(tmp_path / "results"), "--folder", str(tmp_path / "runs")]
    for _ in range(2):
        assert CliRunner().invoke(app, command, catch_exceptions=False).exit_code == 0
    (done,) = read_lines(tmp_path / "results", attacks.Attack)
    found = done.found["population"]
    assert found.responder == "greedy:1"
    assert found.interval[0] <= done.exact == pytest.approx(0.5 + sum(done.best_responses) / 4)


def test_wrong_games_are_explained() -> None:
    found = CliRunner().invoke(app, ["attack", "chess"])
    assert found.exit_code != 0
    assert "game must be one of" in found.output


def test_the_stored_attacks_are_consistent(game: SmallGame) -> None:
    stored = read_lines(ROOT / ATTACKS, attacks.Attack)
    names = [(attack.game, attack.policy) for attack in stored]
    assert len(names) == len(set(names)) >= 30
    assert {name for name, _ in names} == set(attacks.ATTACKED)
    settings = {"imitation": attacks.IMITATION, "budgets": attacks.BUDGETS, "seed": attacks.SEED}
    assert all(attack.settings == json.loads(json.dumps(settings)) for attack in stored)
    responders = [one.responder for attack in stored for one in attack.found.values()]
    assert not any("=/" in responder for responder in responders), "a path of one machine"
    (random,) = [attack for attack in stored if (attack.game, attack.policy) == (GAME, "random")]
    assert random.best_responses == pytest.approx(game.tree.best_response_values(game.tree.uniform()))


def test_no_responder_found_more_than_the_exact_best_response() -> None:
    """About one in forty 95 % intervals lies above the true value by chance."""
    found = [
        one.interval[0] <= attack.exact
        for attack in read_lines(ROOT / ATTACKS, attacks.Attack)
        for one in attack.found.values()
    ]
    assert np.mean(found) > 0.95
