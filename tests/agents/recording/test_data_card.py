"""Every recording has a data card and checksums."""

import hashlib
from pathlib import Path

import pytest

from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.recording import Plan, play_and_record, record
from pocketmars_agents.recording.data_card import DataCard
from pocketmars_env import GameConfig

PLAN = Plan(("greedy", "random", "random"), GameConfig(players=3), games=4)


def test_a_recording_has_a_card_and_checksums(tmp_path: Path) -> None:
    pytest.importorskip("minari")
    pytest.importorskip("pyarrow")
    games = list(record(PLAN, tmp_path, hire_processes(1, play_and_record), "both"))
    folder = tmp_path / PLAN.dataset_id
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert f"{sum(len(game.actions) for game in games):,} decisions" in text
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert {"README.md", "decisions.parquet", "data/main_data.hdf5"} <= set(files)
    sums = files.pop("SHA256SUMS").read_text(encoding="utf-8").splitlines()
    digests = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}" for name, path in files.items()]
    assert sorted(sums) == sorted(digests)


def test_a_card_counts_wins_of_each_bot() -> None:
    card = DataCard(PLAN)
    for game in play_and_record(list(PLAN.matches())):
        card.count(game)
    assert card.games == 4
    assert card.seats == {"greedy": 4, "random": 8}
    assert sum(card.wins.values()) == pytest.approx(4)
