"""Every recording has a data card and checksums."""

import hashlib
from pathlib import Path

import pytest

from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.recording import Plan, play_and_record, record
from pocketmars_agents.recording.data_card import DataCard
from pocketmars_env import GameConfig


def test_a_recording_has_a_card_and_checksums(tmp_path: Path) -> None:
    pytest.importorskip("minari")
    pytest.importorskip("pyarrow")
    plan = Plan(("greedy", "random", "random"), GameConfig(players=3), games=4)
    games = list(record(plan, tmp_path, hire_processes(1, play_and_record), "both"))
    folder = tmp_path / plan.dataset_id
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert f"{sum(len(game.actions) for game in games):,} decisions" in text
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {line[66:]: line[:64] for line in lines}
    assert set(sums) == files - {"SHA256SUMS"} >= {"README.md", "decisions.parquet", "data/main_data.hdf5"}
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_a_card_counts_wins_of_each_bot(tmp_path: Path) -> None:
    plan = Plan(("greedy", "random", "random"), GameConfig(players=3), games=4)
    card = DataCard(plan)
    for game in play_and_record(list(plan.matches())):
        card.count(game)
    assert card.games == 4
    assert card.seats == {"greedy": 4, "random": 8}
    assert sum(card.wins.values()) == pytest.approx(4)
