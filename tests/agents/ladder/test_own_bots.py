"""The games of the package's bots: every cell once, resumable."""

from pathlib import Path

import pytest

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.ladder import own_bots
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import FOLDER, Cell, all_divisions, read_rows
from pocketmars_agents.registry import canonical_name


def test_every_pair_plays_once_even_after_an_interruption(
    division: Division, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(own_bots, "all_divisions", lambda: {"test": division})
    monkeypatch.setattr(own_bots, "GAMES_OF_SLOW_BOTS", 2)
    monkeypatch.setattr(own_bots, "GAMES", 4)

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as changes:
        changes.setattr(own_bots, "add_row", interrupted)
        with pytest.raises(KeyboardInterrupt):
            own_bots.main(tmp_path)
    (games,) = (tmp_path / "games").iterdir()
    before = games.read_bytes()
    own_bots.main(tmp_path)
    assert games.read_bytes() == before
    rows = read_rows(tmp_path, division)
    pairs = {(row.name, cell.opponent) for row in rows for cell in row.cells}
    assert pairs == {("greedy", "random"), ("planner", "random"), ("planner", "greedy")}
    assert all(cell.games == 4 and cell.seconds[0] > 0 for row in rows for cell in row.cells)


def test_slow_bots_play_fewer_games(
    division: Division, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(own_bots, "all_divisions", lambda: {"test": division})
    monkeypatch.setattr(own_bots, "GAMES_OF_SLOW_BOTS", 2)
    monkeypatch.setattr(own_bots, "SLOW", 0.0)
    own_bots.main(tmp_path)
    assert {cell.games for row in read_rows(tmp_path, division) for cell in row.cells} == {2}


def test_fast_bots_play_the_games_of_the_ladder_again() -> None:
    for division in all_divisions().values():
        rows = [row for row in read_rows(FOLDER, division) if row.name in ("greedy", "planner")]
        assert rows
        for row in rows:
            for cell in row.cells:
                config = division.opponents_of(row.name)[cell.opponent]
                matches = [row.match(division, cell.opponent, config, number) for number in range(5)]
                assert Cell.of(cell.opponent, play_matches(matches)).packed == cell.packed[:5]


def test_the_divisions_have_baselines_and_three_budgets_for_each_search() -> None:
    assert len(all_divisions()) == 4
    for division in all_divisions().values():
        assert {"random", "greedy", "planner"} <= {*division.bots}
        assert [canonical_name(bot) for bot in division.bots] == list(division.bots)
        for search in ("ismcts:", "puct:", "mmd:"):
            assert sum(bot.startswith(search) for bot in division.bots) == 3
