"""The arena and the recorder work with a third-party game."""

import json
from pathlib import Path

import numpy as np
import pytest

from pocketmars_agents.arena.arena import Deals, arena_table, line_up_of
from pocketmars_agents.arena.compare import compare, compare_table, pairs
from pocketmars_agents.arena.rating import rating_table, round_robin
from pocketmars_agents.arena.results_file import ResultsError, read_results
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.sequential import SequentialTest
from pocketmars_agents.arena.workers import hire_processes, this_process
from pocketmars_agents.recording.columns import COLUMNS
from pocketmars_agents.recording.plan import Plan, seated
from pocketmars_agents.recording.recorder import play_and_record, record
from pocketmars_agents.recording.replay import Replays
from pocketmars_env.games.pocket_mars.config import GameConfig
from tests.third_game.pairs import SPEC, PairsConfig, PairsGame

MATCHING = "tests.third_game.test_pairs:Matching"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_arena(players: int, tmp_path: Path) -> None:
    bots, out = (MATCHING, "random"), tmp_path / "games.jsonl"
    config = PairsConfig(players)
    matches = Deals(config, count=20).matches(line_up_of(bots, config))
    results = run(matches, this_process, out)
    table = arena_table(bots, results)
    assert [row[:3] for row in table.rows] == [
        (MATCHING, "1", str(20 * players)),
        ("random", str(players - 1), str(20 * players)),
    ]
    for result in results:
        game = PairsGame(players=players, seed=result.match.seed)
        for action in result.actions:
            game.step(action)
        assert (tuple(game.scores), tuple(game.winners)) == (result.scores, result.winners)


def test_a_results_file_names_the_game_and_is_continued(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    matches = Deals(PairsConfig(3), count=4).matches(("random", MATCHING, "random"))
    run(matches[:5], this_process, out)
    kept = out.read_bytes()
    results = run(matches, this_process, out)
    assert out.read_bytes().startswith(kept)
    header, found = read_results(out)
    assert header.game == "pairs"
    assert {result.match for result in found} == set(matches)
    assert results[:5] == found[:5]
    with pytest.raises(ResultsError, match=r"game: 'pairs'"):
        run(Deals(GameConfig(), count=1).matches(("random", "random")), this_process, out)


def test_ratings_and_comparisons() -> None:
    table = rating_table(run(round_robin([MATCHING, "random"], Deals(PairsConfig(), 30)), this_process))
    assert {row[0] for row in table.rows} == {MATCHING, "random"}
    *_, judge = compare(pairs((MATCHING, "random"), Deals(PairsConfig(), 10)), SequentialTest(), this_process)
    assert compare_table(judge).rows[0][:2] == (MATCHING, "random")


def test_a_recording_and_its_replay(tmp_path: Path) -> None:
    pytest.importorskip("minari")
    parquet = pytest.importorskip("pyarrow.parquet")
    config = PairsConfig(players=3)
    plan = Plan(seated(["random", MATCHING], config), config, games=6, seed=3, dataset_id="tests/pairs-v0")
    games = list(record(plan, tmp_path, hire_processes(1, play_and_record), "both", has_observations=True))
    folder = tmp_path / plan.dataset_id
    table = parquet.read_table(folder / "decisions.parquet")
    assert table.column_names == [
        *(column.name for column in COLUMNS), "observation", "action_mask"
    ]  # fmt: skip
    assert table["action"].to_pylist() == [action for game in games for action in game.actions]
    assert set(table["decision"].to_pylist()) == {"PLAY", "MATCH"}
    assert json.loads(table.schema.metadata[b"pocketmars_env"])["game"] == "pairs"
    replays = Replays(games)
    assert np.array_equal(replays.seats, table["seat"].to_numpy())
    for episode in replays.episodes():
        assert episode.observations.shape == (len(episode.actions) + 1, SPEC.observation_size)
        assert episode.masks[np.arange(len(episode.actions)), episode.actions].all()
        assert not episode.masks[-1].any()


def test_a_data_set_opens_in_minari(tmp_path: Path) -> None:
    minari = pytest.importorskip("minari")
    plan = Plan(("random",) * 2, PairsConfig(), games=3)
    assert plan.dataset_id == "pairs/2-players-random-v0"
    list(record(plan, tmp_path, hire_processes(1, play_and_record)))
    dataset = minari.MinariDataset(tmp_path / plan.dataset_id / "data")
    assert dataset.total_episodes == 6
    env = dataset.recover_environment()
    assert env.observation_space.shape == (SPEC.observation_size,)
