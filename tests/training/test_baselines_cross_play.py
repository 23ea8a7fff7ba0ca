"""Cross-play of the baselines: the round robin, its result file and the generated part of the page."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from baselines import cross_play
from baselines.__main__ import PAGE, RESULTS, app
from baselines.algorithms import ALGORITHMS, TASKS
from baselines.cross_play import FILE, PLOT, CrossPlay, read_cross_plays, sections, title_of
from baselines.page import CROSS_PLAY_BEGIN, CROSS_PLAY_END, write_page
from baselines.policies import policy_path
from pocketmars_training.common.export import export
from pocketmars_training.common.network import Network

ROOT = Path(__file__).parents[2]


def result(**changes: object) -> CrossPlay:
    """Create an invented result: a cycle of three, in which each wins 3/4 of its games."""
    fields: dict[str, object] = {
        "task": "duel",
        "deals": 4,
        "bots": ("mmd", "mmd:sample", "greedy"),
        "wins": ("3333", "1111", "3333"),
        "command": "python -m training.baselines cross-play duel",
        "revision": "abc",
        "versions": {"python": "3.11.7"},
    }
    return CrossPlay(**(fields | changes))  # type: ignore[arg-type]


def test_policies_and_bots_play_every_pair_and_finished_games_are_reused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cross_play, "BOTS", ("random", "greedy:1"))
    task = TASKS["duel"]
    path = policy_path(tmp_path / "policies", "mmd", "duel", ALGORITHMS["mmd"].steps, 1)
    words = ["cross-play", "duel", "--deals", "3", "--policies", str(tmp_path / "policies")]
    words += ["--games", str(tmp_path / "games.jsonl"), "--results", str(tmp_path)]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 1
    assert "there are no policies for duel with seed 1" in refused.stderr

    path.parent.mkdir(parents=True)
    export(Network.untrained(task.game, (16, 16)), path, {"name": "mmd"}, task.game)
    assert CliRunner().invoke(app, words).exit_code == 0
    (found,) = read_cross_plays(tmp_path)
    assert found.bots == ("mmd", "mmd:sample", "random", "greedy:1", "duel")
    assert len(found.wins) == 10
    (tmp_path / "duel" / FILE).unlink()
    played = (tmp_path / "games.jsonl").read_bytes()
    assert played.count(b"\n") == 1 + 10 * 3 * 2
    assert CliRunner().invoke(app, words).exit_code == 0
    assert (tmp_path / "games.jsonl").read_bytes() == played
    assert read_cross_plays(tmp_path) == [found]


def test_half_wins_become_win_rates() -> None:
    pairs, wins = result(wins=("0123", "4444", "2222")).standings()
    assert pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    np.testing.assert_array_equal(wins[:, 0], [[0, 2], [0.5, 1.5], [1, 1], [1.5, 0.5]])
    np.testing.assert_array_equal(wins[:, 1:].mean(axis=0), [[2, 0], [1, 1]])


def test_a_cycle_shares_the_equilibrium() -> None:
    lines = result().table().split("\n")[2:]
    assert {line.split(" | ")[0].strip("| ") for line in lines} == {"MMD", "MMD, sampled", "`greedy`"}
    assert all(line.count("33.3 % [33.3, 33.3]") == 2 and "50.0 %" in line for line in lines)


@pytest.mark.parametrize(
    ("bot", "title"), [("mmd", "MMD"), ("mmd:sample", "MMD, sampled"), ("mmd:100", "mmd:100")]
)
def test_the_title_tells_how_a_policy_plays(bot: str, title: str) -> None:
    assert title_of(bot) == title


def test_the_page_has_a_table_and_a_plot_of_each_task(tmp_path: Path) -> None:
    (tmp_path / "duel").mkdir()
    page = tmp_path / "page.md"
    committed = (ROOT / PAGE).read_text(encoding="utf-8")
    page.write_text(committed, encoding="utf-8")
    write_page([], TASKS, page, tmp_path, [result()])
    text = page.read_text(encoding="utf-8")
    assert text.split(CROSS_PLAY_BEGIN)[1].split(CROSS_PLAY_END)[0] == f"\n\n{sections([result()])}\n\n"
    assert "MMD, sampled" in (tmp_path / "duel" / PLOT).read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_shows_the_committed_results() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    results = read_cross_plays(ROOT / RESULTS)
    assert text.split(CROSS_PLAY_BEGIN)[1].split(CROSS_PLAY_END)[0] == f"\n\n{sections(results)}\n\n"
    for one in results:
        assert all(title in (ROOT / RESULTS / one.task / PLOT).read_text() for title in one.titles)
