"""The stored measurements of small games."""

import json

import pytest

from pocketmars_agents.exact.game_tree import tree_of
from pocketmars_agents.exact.strategies import small_config, small_configs
from pocketmars_training.small_games import FILE

ROWS = json.loads(FILE.read_text(encoding="utf-8"))
QUICK = sorted(ROWS, key=lambda name: ROWS[name]["states"])[:3]


def test_every_small_game_is_measured() -> None:
    assert list(ROWS) == list(small_configs())


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in ROWS]
)
def test_the_stored_counts_are_those_of_the_tree(name: str) -> None:
    game, row = tree_of(small_config(name)), ROWS[name]
    assert game.spec.name == row["game"]
    counts = game.num_deals, game.num_nodes, game.num_histories, game.num_infosets
    assert counts == tuple(row[key] for key in ("deals", "states", "histories", "information_sets"))
    assert len(game.tree.levels) - 1 == row["depth"]
    responses = game.best_response_values(game.uniform())
    assert responses == pytest.approx(row["best_response_to_uniform"], abs=1e-9)
