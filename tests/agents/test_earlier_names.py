"""Files with the earlier name of the policy `multi`, `table`, are continued, and its games stay the same."""

import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pocketmars_agents.arena.arena import Deals
from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.rating import rating_table, round_robin
from pocketmars_agents.arena.results_file import read_results
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import this_process
from pocketmars_agents.cli.seating import new_games, seating_of
from pocketmars_agents.play.saved_games import game_in_folder
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.replays import Replay
from tests.agents.human.sessions import play
from tests.agents.playing import without_time

EARLIER_SEED = 12707057947123250610
"""The seed of the bot's stream in the match below, from a version with the earlier name."""


def with_earlier_name(path: Path) -> bytes:
    """Write the earlier name of the policy into a file, and return the new content."""
    content = path.read_bytes().replace(b'"multi', b'"table')
    path.write_bytes(re.sub(rb'("mode": ?)"table"', rb'\1"multi"', content))
    return path.read_bytes()


def rename_player(path: Path) -> None:
    """Write the earlier name of the policy into the replay of a person's game."""
    replace(Replay.load(path), names=("human", "table")).save(path)


def test_random_streams_depend_on_the_earlier_name() -> None:
    for bot in ("multi", "table", "exec:pocketmars engine multi", "exec:pocketmars engine table"):
        assert Match((bot, "random"), GameConfig(), 5, 1).bot_seed(1) == EARLIER_SEED


def test_both_names_play_the_same_games() -> None:
    games = [
        play_matches([Match((f"{name}:sample", name), GameConfig(), seed) for seed in range(4)])
        for name in ("multi", "table")
    ]
    assert [game.actions for game in games[0]] == [game.actions for game in games[1]]


def test_a_results_file_with_the_earlier_name_is_continued(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    matches = round_robin(["table", "random", "greedy:1"], Deals(count=3))
    results = run(matches, this_process, out)
    assert b'"table"' not in out.read_bytes()
    lines = with_earlier_name(out).splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:8]))
    resumed = run(matches, this_process, out)
    assert out.read_bytes().startswith(b"".join(lines[:8]))
    assert out.read_bytes().count(b"\n") == len(lines)
    assert b'"multi"' in out.read_bytes()
    assert without_time(resumed) == without_time(read_results(out)[1]) == without_time(results)
    names = ["multi", "random", "greedy:1"]
    assert sorted(row[0] for row in rating_table(resumed).rows) == sorted(names)


def test_a_saved_game_with_the_earlier_name_is_continued(tmp_path: Path) -> None:
    seating = seating_of(SPEC, {}, ["multi"])
    with closing(game_in_folder(seating, 3, tmp_path, True, print)) as autosave:
        play(autosave.session, 1, most=3)
        path = autosave.path
    rename_player(path)
    for bot in ("multi", "table"):
        seating = seating_of(SPEC, {}, [bot])
        with closing(game_in_folder(seating, 3, tmp_path, False, print)) as autosave:
            assert autosave.path == path
            assert autosave.is_continued
            assert autosave.session.names == ("human", "multi")


def test_a_game_from_the_page_with_the_earlier_name_is_continued(tmp_path: Path) -> None:
    games, own = new_games(SPEC, {}), seating_of(SPEC, {})
    settings = {field.name: field.value for field in games.fields} | {"rivals": 1, "bot": "multi"}
    with closing(game_in_folder(own, 3, tmp_path, True, print, games)) as autosave:
        autosave.begin(games.seating(settings), settings, 4, autosave.session.version)
        links, path = autosave.links.path, autosave.path
    assert b'"table"' in with_earlier_name(links)
    rename_player(path)
    with closing(game_in_folder(own, 3, tmp_path, False, print, games)) as autosave:
        assert (autosave.path, autosave.is_continued) == (path, True)
        assert autosave.session.names == ("human", "multi")
        assert games.as_data(autosave.links.settings) == games.as_data(settings)
