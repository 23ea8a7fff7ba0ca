"""Tests of the gain of searches per decision."""

import json
from pathlib import Path

import pytest
import typer

from pocketmars_training.search_gain import collect, measure


@pytest.mark.parametrize("game", ["pocket_mars", "project_mars"])
def test_a_search_that_plays_the_policy_gains_nothing_and_the_best_actions_gain_most(
    game: str, tmp_path: Path
) -> None:
    file, out = tmp_path / "positions.json", tmp_path / "gains.json"
    collect(file, game=game, positions=12, games=60, seed=1)
    measure(file, ["mmd:8:step=0", "mmd:1000:depth=1000"], out)
    policy, search = json.loads(out.read_bytes())["bots"].values()
    assert policy["gain"] == 0
    assert search["gain"] > 0


def test_only_searches_are_measured(tmp_path: Path) -> None:
    file = tmp_path / "positions.json"
    collect(file, positions=1, games=2)
    with pytest.raises(typer.BadParameter, match="greedy is not a search"):
        measure(file, ["greedy"], None)
