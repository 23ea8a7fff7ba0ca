"""Tests of saved unfinished games: which one a command continues, and how it handles damaged files."""

import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from pocketmars_agents.play.links_file import LinksError, LinksFile, links_of
from pocketmars_agents.play.saved_games import Autosave, game_in_file, game_in_folder
from pocketmars_agents.play.seats import Seating
from pocketmars_env import View
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.replays import Replay
from tests.agents.human.bots import ChanceBot, FirstBot
from tests.agents.human.sessions import play

SOLO = Seating(GameConfig(mode="solo"), {}, ("player_0",))
TABLE = Seating(GameConfig(players=3), {"player_2": ChanceBot()}, ("player_0", "player_1"))


def no_warning(words: str) -> None:
    raise AssertionError(words)


def opened(
    seating: Seating, folder: Path, seed: int | None = None, tell: Callable[[str], None] = no_warning
) -> Autosave:
    return game_in_folder(seating, seed, folder, False, tell)


def left(seating: Seating, folder: Path, answers: int, seed: int | None = None) -> Autosave:
    """Play some actions of a game, close it, and return its autosave."""
    autosave = opened(seating, folder, seed)
    play(autosave.session, 1, answers)
    autosave.close()
    return autosave


# --- continuing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seating", [SOLO, TABLE], ids=["solo", "table"])
def test_the_same_options_go_on_with_the_same_game(seating: Seating, tmp_path: Path) -> None:
    before = left(seating, tmp_path, 5)
    with closing(opened(seating, tmp_path)) as after:
        assert after.is_continued
        assert after.path == before.path
        assert after.links.tokens == before.links.tokens
        assert after.session.game.to_bytes() == before.session.game.to_bytes()
        assert after.session.to_play == before.session.to_play
        assert after.session.version > before.session.version  # otherwise pages would ignore it as outdated
        for seat in seating.humans:
            assert after.session.log(seat) == before.session.log(seat)
        play(before.session, 2)
        play(after.session, 2)
        assert after.session.game.actions == before.session.game.actions


def test_only_a_lone_person_sees_the_seed_in_the_path(tmp_path: Path) -> None:
    with closing(opened(SOLO, tmp_path, 70051)) as alone, closing(opened(TABLE, tmp_path, 70051)) as several:
        assert "70051" in alone.path.name
        assert "70051" not in several.path.name


def test_every_change_is_on_the_disk_at_once(tmp_path: Path) -> None:
    practice = Seating(SOLO.config, {}, SOLO.humans, practice=True)
    with closing(opened(practice, tmp_path)) as autosave:
        session = autosave.session
        for _ in range(4):
            play(session, 1, 1)
            assert Replay.load(autosave.path).actions == session.game.actions
        session.undo("player_0")
        assert Replay.load(autosave.path).actions == session.game.actions


def test_an_answer_of_a_bot_is_kept_before_the_next_bot_thinks(tmp_path: Path) -> None:
    kept: list[int] = []

    class Looking(FirstBot):
        """Records how many actions are saved whenever it has to act."""

        def act(self, view: View, rng: np.random.Generator) -> int:
            for path in tmp_path.glob("*.json"):
                kept.append(len(Replay.load(path).actions))
            return super().act(view, rng)

    seating = Seating(TABLE.config, {"player_1": Looking(), "player_2": Looking()}, ("player_0",))
    with closing(opened(seating, tmp_path, 3)) as autosave:
        play(autosave.session, 1, 6)
        to_play = [game.to_play for game in Replay.load(autosave.path).games()]
    of_bots = [given for given, seat in enumerate(to_play) if seat in (1, 2)]
    assert len(kept) > 3
    assert kept == of_bots[-len(kept) :]


def test_other_options_begin_another_game(tmp_path: Path) -> None:
    first = left(SOLO, tmp_path, 2, seed=1)
    for seating, seed in (
        (TABLE, None),
        (Seating(GameConfig(mode="solo", level="cyborg"), {}, ("player_0",)), None),
        (Seating(TABLE.config, {"player_2": FirstBot()}, TABLE.humans), None),
        (SOLO, 2),
    ):
        with closing(opened(seating, tmp_path, seed)) as autosave:
            assert not autosave.is_continued
            assert autosave.path != first.path
    with closing(game_in_folder(SOLO, 1, tmp_path, True, no_warning)) as autosave:
        assert not autosave.is_continued
        assert autosave.path != first.path
    assert Replay.load(first.path).actions == first.session.game.actions


def test_two_processes_never_play_the_same_game(tmp_path: Path) -> None:
    with closing(opened(SOLO, tmp_path, 1)) as one, closing(opened(SOLO, tmp_path, 1)) as two:
        assert one.path != two.path
        assert set(one.links.tokens.values()).isdisjoint(two.links.tokens.values())
        with pytest.raises(LinksError, match=one.path.name):
            game_in_file(SOLO, 1, one.path, False)


def test_a_finished_game_is_kept_once_and_not_gone_on_with(tmp_path: Path) -> None:
    autosave = opened(SOLO, tmp_path, 1)
    play(autosave.session, 1)
    autosave.links.close()  # as when the process is killed
    assert links_of(autosave.path).exists()
    content = autosave.path.read_bytes()
    with closing(opened(SOLO, tmp_path, 2)) as following:
        assert not following.is_continued
        assert not links_of(autosave.path).exists()
        assert autosave.path.read_bytes() == content
        assert sorted(tmp_path.glob("*.json")) == sorted([autosave.path, following.path])


def test_a_game_in_a_named_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "game.json"
    with pytest.raises(ValueError, match="seed"):
        game_in_file(SOLO, -1, path, False)
    assert list(tmp_path.iterdir()) == []
    with closing(game_in_file(SOLO, 4, path, False)) as autosave:
        play(autosave.session, 1, 3)
    with pytest.raises(ValueError, match=r"game\.json"):
        game_in_file(SOLO, None, path, True)
    with pytest.raises(ValueError, match=r"game\.json"):
        game_in_file(TABLE, None, path, False)
    with closing(game_in_file(SOLO, None, path, False)) as again:
        assert again.session.game.actions == autosave.session.game.actions
        play(again.session, 1)
    assert not links_of(path).exists()
    content = path.read_bytes()
    with pytest.raises(ValueError, match=r"game\.json"):
        game_in_file(SOLO, None, path, False)
    assert path.read_bytes() == content


# --- damaged and foreign files --------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The path of an unfinished game's replay."""
    return left(SOLO, tmp_path, 3, seed=1).path


def line(**changes: object) -> bytes:
    """Return the line of a links file, with some fields changed."""
    sound = {"format": "pocketmars-links", "version": 1, "tokens": {"player_0": "A" * 22}, "port": 1}
    return json.dumps({**sound, **changes}).encode() + b"\n"


DAMAGED_LINKS = [
    b"{\n",
    b"x" * (2**20 + 1),
    line(tokens={}),
    line(tokens={"player_0": "x/../../state"}),
    line(names={"player_0": "<b>"}),
]


def warning_about(game: Path) -> str:
    """Check that the options of a damaged game begin another one, and return the only warning."""
    told: list[str] = []
    with closing(opened(SOLO, game.parent, tell=told.append)) as autosave:
        assert not autosave.is_continued
    (words,) = told
    return words


@pytest.mark.parametrize("content", DAMAGED_LINKS, ids=range(len(DAMAGED_LINKS)))
def test_damaged_links_are_left_and_told_of_and_another_game_begins(content: bytes, game: Path) -> None:
    links_of(game).write_bytes(content)
    assert game.name in warning_about(game)
    assert links_of(game).read_bytes() == content
    with pytest.raises(LinksError, match=game.name):
        game_in_file(SOLO, None, game, False)


def test_a_damaged_replay_is_left_and_told_of_and_another_game_goes_on(game: Path) -> None:
    other = game_in_folder(SOLO, 2, game.parent, True, no_warning)
    other.close()
    data = json.loads(game.read_bytes())
    content = json.dumps({**data, "actions": [*data["actions"], 0]}).encode()
    game.write_bytes(content)
    links_of(game).touch()  # so that the damaged game is the latest
    told: list[str] = []
    with closing(opened(SOLO, game.parent, tell=told.append)) as autosave:
        assert autosave.is_continued
        assert autosave.path == other.path
    assert len(told) == 1
    assert game.name in told[0]
    assert game.read_bytes() == content


def test_links_that_are_no_file_are_told_of(game: Path) -> None:
    links_of(game).unlink()
    os.mkfifo(links_of(game))
    with pytest.raises(LinksError, match=game.name):
        LinksFile(game)
    links_of(game).unlink()
    links_of(game).mkdir()
    assert game.name in warning_about(game)


def test_a_line_that_a_kill_has_torn_is_dropped(game: Path) -> None:
    with closing(LinksFile(game)) as links:
        tokens, starts = links.tokens, links.starts
        links.write(port=4711)
    content = links_of(game).read_bytes()
    links_of(game).write_bytes(content + content[:40])
    with closing(LinksFile(game)) as links:
        assert (links.tokens, links.port, links.starts) == (tokens, 4711, starts + 1)
        links.write(port=4712)
    assert links_of(game).read_bytes().startswith(content)
    with closing(LinksFile(game)) as links:
        assert (links.tokens, links.port, links.starts) == (tokens, 4712, starts + 2)


def test_secrets_that_others_could_read_are_replaced(game: Path) -> None:
    assert links_of(game).stat().st_mode & 0o777 == 0o600
    with closing(LinksFile(game)) as links:
        tokens = links.tokens
    links_of(game).chmod(0o644)
    with closing(opened(SOLO, game.parent)) as autosave:
        assert autosave.is_continued
        assert set(autosave.links.tokens.values()).isdisjoint(tokens.values())
        assert links_of(game).stat().st_mode & 0o777 == 0o600


def test_no_saved_name_makes_a_bot(tmp_path: Path) -> None:
    """Only the bots on the command line play; a name in a file never creates a bot."""
    named = Seating(GameConfig(players=2), {"player_1": FirstBot()}, ("player_0",))
    path = left(named, tmp_path, 2, seed=1).path
    replay = Replay.load(path)
    names = ("human", "tests.agents.human.forbidden:Bot")
    Replay(replay.config, replay.origin, replay.actions, names).save(path)
    with closing(opened(named, tmp_path)) as autosave:
        assert not autosave.is_continued
    with pytest.raises(ValueError, match="forbidden"):
        game_in_file(named, None, path, False)


def test_a_saved_name_of_no_seat_is_ignored(game: Path) -> None:
    with closing(LinksFile(game)) as links:
        links.write(names={"player_7": "Ada"})
    with closing(opened(SOLO, game.parent)) as autosave:
        autosave.begin(SOLO, None, 5, autosave.session.version)
        assert (autosave.is_continued, autosave.links.names) == (True, {})


def test_people_can_choose_names_at_the_same_time(tmp_path: Path) -> None:
    for number in range(5):
        folder = tmp_path / str(number)
        start = threading.Barrier(2)

        def choose(autosave: Autosave, seat: str, start: threading.Barrier = start) -> None:
            start.wait()
            autosave.choose_name(seat, f"Name of {seat}")

        with closing(opened(TABLE, folder)) as autosave:
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(choose, [autosave] * 2, autosave.session.humans))
            names = {seat: f"Name of {seat}" for seat in autosave.session.humans}
            assert autosave.session.chosen_names == names
        with closing(opened(TABLE, folder)) as again:
            assert again.links.names == names
