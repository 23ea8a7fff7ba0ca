"""Tests of saved replays: which games are saved, and the contents, titles and file names of replays."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from pocketmars_agents.arena.match_replays import WHICH, ReplayFolder, file_name, replay_of
from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.replays import Replay, ReplayError
from tests.agents.playing import games_of
from tests.modes import MODES

BOTS = "tests.agents.bots"
TWO, SOLO = GameConfig(players=2), GameConfig(mode="solo", level="cyborg")


def played(bots: tuple[str, ...], config: GameConfig = TWO, deals: int = 3) -> list[GameResult]:
    return play_matches(games_of(bots, config, deals, first=9000))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("mode", MODES)
def test_a_replay_is_the_game_that_was_played(mode: str) -> None:
    config = GameConfig(**MODES[mode])
    to_play = config.seats_to_play
    for result in played(("random", "greedy:1", "random", "random")[:to_play], config, deals=2):
        replay = replay_of(result)
        final = replay.final()
        assert (tuple(final.scores), tuple(final.winners)) == (result.scores, result.winners)
        assert (replay.config, len(replay.actions)) == (config, sum(result.decisions))
        assert replay.names[:to_play] == tuple(result.match.bot_at(seat) for seat in range(to_play))
        assert str(result.match.seed) not in replay.title  # the seed would reveal hidden cards


def test_seats_and_titles_name_the_bots() -> None:
    (solo,) = play_matches([Match(("greedy:1",), SOLO, 1)])
    assert replay_of(solo).names == ("greedy:1", "automaton")
    assert "greedy:1" in replay_of(solo).title
    (table,) = play_matches([Match(("greedy:1", "random"), TWO, 1, rotation=1)])
    assert (replay_of(table).names, replay_of(table).title) == (("random", "greedy:1"), "random, greedy:1")


def test_the_game_of_a_failing_bot_ends_where_it_failed() -> None:
    for result in played((f"{BOTS}:Illegal", "random")):
        replay = replay_of(result)
        assert len(replay.actions) == sum(result.decisions)
        assert not replay.final().over
        assert replay.title.endswith(f"({BOTS}:Illegal failed)")  # a reason could name hidden cards


def test_the_wanted_games_are_kept(tmp_path: Path) -> None:
    results = played(("greedy:1", "random"), deals=8) + played(("random", "greedy:1"), deals=3)
    for which in WHICH:
        folder = ReplayFolder(tmp_path / which, which)
        for result in results:
            folder.keep(result)
    names = {which: set(files(tmp_path / which)) for which in WHICH}
    assert names["all"] == names["won"] | names["lost"] == {file_name(result) for result in results}
    assert len(names["all"]) == len(results)
    assert names["won"].isdisjoint(names["lost"])
    for result in results:
        is_won = result.match.seat_of(0) in result.winners
        assert file_name(result) in names["won" if is_won else "lost"]
        assert ("_won_" in file_name(result)) == is_won
    assert all(Replay.load(path).final().over for path in (tmp_path / "all").iterdir())


def test_games_of_a_results_file_have_the_same_replays(tmp_path: Path) -> None:
    for result in played(("greedy:1", "random")):
        again = GameResult.from_line(result.to_line(), SPEC)
        ReplayFolder(tmp_path / "fresh").keep(result)
        ReplayFolder(tmp_path / "again").keep(again)
    assert files(tmp_path / "fresh") == files(tmp_path / "again")


def test_names_of_files_are_telling_and_plain() -> None:
    match = Match(("path/to/a policy.onnx:sample", f"{BOTS}:Raising"), TWO, 7, seconds_per_decision=1.0)
    name = file_name(GameResult(match, (0,), (1, 0), False, (1, 0), (0.0, 0.0)))
    assert name.startswith(
        "path.to.a.policy.onnx.sample-tests.agents.bots.Raising_2-players_seed-7_rotation-0_won"
    )
    longest = replace(match, bots=("x" * 300, "y" * 300))
    assert len(file_name(GameResult(longest, (0,), (1, 0), False, (1, 0), (0.0, 0.0)))) < 200
    assert file_name(
        GameResult(Match(("random",), SOLO, 5), (1,), (0, 9), False, (1, 0), (0.0, 0.0))
    ).startswith("random_cyborg_seed-5_lost_")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (result,) = play_matches([Match(("random", "random"), TWO, 1)])
    folder = ReplayFolder(tmp_path / "taken")
    (tmp_path / "taken").write_text("now a file")
    with pytest.raises(ReplayError, match="taken"):
        folder.keep(result)


def test_a_handicap_is_in_the_replay_its_title_and_its_name() -> None:
    (result,) = play_matches([Match(("random",), GameConfig(mode="solo", handicap=6), 1)])
    replay = replay_of(result)
    assert replay.config.handicap == 6
    assert "handicap 6" in replay.title
    assert "handicap-6" in file_name(result)
