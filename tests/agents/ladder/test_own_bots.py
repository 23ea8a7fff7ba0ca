"""The games of the package's bots: every cell once, cheap ones first, resumable."""

from pathlib import Path

import pytest

from pocketmars_agents.ladder import own_bots
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import all_divisions, read_rows
from pocketmars_agents.registry import canonical_name


@pytest.fixture
def _few_games(division: Division, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_bots, "all_divisions", lambda: {"test": division})
    monkeypatch.setattr(own_bots, "GAMES", 4)
    monkeypatch.setattr(own_bots, "SLOW", 60.0)


@pytest.mark.usefixtures("_few_games")
def test_every_pair_plays_once(division: Division, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.argv", ["own_bots", str(tmp_path)])
    own_bots.main()
    rows = read_rows(tmp_path, division)
    pairs = {(row.name, cell.opponent) for row in rows for cell in row.cells}
    assert pairs == {("greedy", "random"), ("planner", "random"), ("planner", "greedy")}
    assert all(len(cell.packed) == 4 for row in rows for cell in row.cells)


@pytest.mark.usefixtures("_few_games")
def test_an_interrupted_run_continues(
    division: Division, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.argv", ["own_bots", str(tmp_path)])
    play, played = own_bots.play, list[str]()

    def interrupted(task: own_bots.Task, folder: Path) -> None:
        if len(played) == 1:
            raise KeyboardInterrupt
        played.append(task.bot)
        play(task, folder)

    monkeypatch.setattr(own_bots, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        own_bots.main()
    (known,) = read_rows(tmp_path, division)
    monkeypatch.setattr(own_bots, "play", play)
    own_bots.main()
    rows = {row.name: row for row in read_rows(tmp_path, division)}
    assert known.cells[0] in rows[known.name].cells
    assert sum(len(row.cells) for row in rows.values()) == 3


def test_the_divisions_have_baselines_and_three_budgets_for_each_search() -> None:
    assert len(all_divisions()) == 4
    for division in all_divisions().values():
        assert {"random", "greedy", "planner"} <= {*division.bots}
        assert [canonical_name(bot) for bot in division.bots] == list(division.bots)
        for search in ("ismcts:", "puct:"):
            assert sum(bot.startswith(search) for bot in division.bots) == 3
