"""Training of a policy for the seat of Devious Automatics."""

import json
from pathlib import Path
from typing import Any

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT
from pocketmars_training.da_seat import DaSeatRun, DaSeatSettings
from tests.training.tiny import TINY_DA_SEAT

LEVELS = ("standard", "super_droid", "cyborg")


def settings_for(folder: Path, **changes: Any) -> DaSeatSettings:
    return DaSeatSettings(run=folder, **(TINY_DA_SEAT | changes))


def test_the_learner_has_the_automatons_seat_and_a_player_the_other(tmp_path: Path) -> None:
    run = DaSeatRun(settings_for(tmp_path, player=("solo", "greedy:1")))
    run.start_games()
    levels, handicaps, players = set(), set(), set()
    for games in run.collectors[0].games:
        config = games.games.config
        assert config.da_agent
        assert (games.line_up[:, DA_SEAT] == -1).all()
        levels.add(config.level)
        handicaps.add(config.handicap)
        players |= set(games.line_up[:, 0].tolist())
    assert (levels, handicaps, players) == (set(LEVELS), {0, 6}, {0, 1})
    run.close()


def test_a_run_is_resumed_and_evaluated_against_each_player_at_each_level(tmp_path: Path) -> None:
    for changes in ({}, {"resume": True, "total_timesteps": 260}):
        run = DaSeatRun(settings_for(tmp_path, **changes))
        run.baselines = []
        run.train()
        run.close()
    card = PolicyAgent(tmp_path / "da_seat.onnx").card
    assert card["decisions"] >= 260
    assert list(card["evaluation"]) == [
        f"{one}_{level}" for one in ("random", "greedy:1") for level in LEVELS
    ]
    kept = json.loads((tmp_path / "settings.json").read_text())
    assert (kept["player"], kept["handicaps"]) == (["greedy:1", "random"], [0, 6])
