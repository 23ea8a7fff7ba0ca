"""Tests of the command `pocketmars record`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import minari
import pyarrow.parquet as parquet
import pytest

from tests.agents.playing import output_of, pocketmars, refusal_of, wait_for


def test_games_are_recorded_in_both_formats(tmp_path: Path) -> None:
    options = ["--players", "3", "--games", "20", "--seed", "5", "--reward", "margin", "--draft"]
    name = ("--name", "mine/three-v2", "--jobs", "1")
    bots = ("greedy:1", "random")
    shown = output_of("record", *bots, *options, *name, "--format", "both", "--out", str(tmp_path))
    dataset = minari.MinariDataset(tmp_path / "mine" / "three-v2" / "data")
    table = parquet.read_table(tmp_path / "mine" / "three-v2" / "decisions.parquet")
    assert shown.startswith(f"20 games with {len(table):,} decisions, ")
    assert shown.endswith(f": {tmp_path / 'mine' / 'three-v2'}\n")
    assert (dataset.id, dataset.total_episodes, dataset.total_steps) == ("mine/three-v2", 60, len(table))
    metadata = dataset.storage.metadata
    assert metadata["pocketmars_bots"] == ["greedy:1", "random", "random"]
    assert metadata["pocketmars_config"]["draft"] is True
    assert (metadata["pocketmars_seed"], metadata["pocketmars_reward"]) == (5, "margin")


def test_a_second_bot_decides_for_devious_automatics(tmp_path: Path) -> None:
    options = ("--mode", "solo", "--level", "cyborg", "--games", "5", "--jobs", "1", "--format", "parquet")
    output_of("record", "random", "automaton", *options, "--out", str(tmp_path))
    file = tmp_path / "pocketmars" / "solo-cyborg-random-automaton-v0" / "decisions.parquet"
    rows = parquet.read_table(file, columns=["seat", "agent"]).to_pylist()
    assert {(row["seat"], row["agent"]) for row in rows} == {(0, "random"), (1, "automaton")}


@pytest.mark.parametrize(
    "arguments",
    [
        "bob", "random --players 5", "random --mode duel", "random --mode solo --level easy",
        "random random random", "random random random --mode solo", "random --games 0", "random --seed -1",
        "random --format csv", "random --reward money", "random --name games", "random --observations",
        "random --jobs 0",
    ],
)  # fmt: skip
def test_a_bad_option_gets_one_line(arguments: str, tmp_path: Path) -> None:
    refusal_of("record", *arguments.split(), "--out", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_bot_that_fails_ends_with_1(tmp_path: Path) -> None:
    bot = "tests.agents.bots:Illegal"
    result = pocketmars("record", bot, "--games", "2", "--jobs", "1", "--out", str(tmp_path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert bot in result.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C in another way")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_the_finished_games(jobs: str, tmp_path: Path) -> None:
    options = ["--games", "100000", "--format", "both", "--jobs", jobs, "--out", str(tmp_path)]
    command = [sys.executable, "-m", "pocketmars_agents", "record", "random", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        wait_for(lambda: any(path.stat().st_size > 10**6 for path in tmp_path.rglob("main_data.hdf5")))
        os.killpg(process.pid, signal.SIGINT)  # like a terminal, signal every process of the command
        printed, complaint = process.communicate(timeout=60)
    assert (process.returncode, printed) == (130, "")
    (left,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert str(left) in complaint.replace("\n", "")
    assert left.name.endswith(".unfinished.jsonl")
