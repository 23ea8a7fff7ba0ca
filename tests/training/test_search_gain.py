"""Tests of the gain of searches per decision."""

import json
from pathlib import Path

import pytest
import typer

from pocketmars_training.search_gain import collect, measure


@pytest.mark.parametrize(("game", "policy"), [("pocket_mars", "multi"), ("project_mars", "duel")])
def test_a_search_that_plays_the_policy_gains_nothing_and_the_best_actions_gain_most(
    game: str, policy: str, tmp_path: Path
) -> None:
    file, out = tmp_path / "positions.json", tmp_path / "gains.json"
    collect(file, game=game, positions=10, games=200, seed=1)
    measure(file, ["mmd:8:step=0", f"mmd:300:depth=1000:policy={policy}:temperature=0.01"], out)
    as_before, searched = json.loads(out.read_bytes())["bots"].values()
    assert as_before["gain"] == 0
    assert searched["gain"] > 0


def test_only_searches_are_measured(tmp_path: Path) -> None:
    file = tmp_path / "positions.json"
    collect(file, positions=1, games=2)
    with pytest.raises(typer.BadParameter, match="greedy is not a search"):
        measure(file, ["greedy"], None)
