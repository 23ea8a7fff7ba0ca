"""Replays reproduce the recorded game exactly, and damaged files are reported."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pocketmars_env import Game, GameConfig
from pocketmars_env.replays import Replay, ReplayError
from pocketmars_env.replays.file_format import checksum, to_bytes
from tests.fixed_play import play_fixed, play_on
from tests.modes import MODES

pytestmark = pytest.mark.smoke

HANDS = [[0, 1, 2, 3], [4, 5, 6, 7]]
DEAL = {"hands": HANDS, "deck": list(range(8, 35)), "starting_seat": 1}


def a_replay() -> Replay:
    return Replay.of(play_on(Game(seed=1), seed=2, most=60), ["Ada", "greedy"], "a test")


REPLAY = a_replay()
CONTENT = to_bytes(REPLAY.as_dict())


def changed(*path: str | int, to: Any) -> bytes:
    """Return the replay's content with another value at a path, and with a matching checksum."""
    data = copy.deepcopy(REPLAY.as_dict())
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return to_bytes(data)


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_game_of_every_mode_comes_back_position_by_position(mode: str, tmp_path: Path) -> None:
    game = Game(**MODES[mode], seed=7)
    positions = [game.to_bytes(), *(after.to_bytes() for after in play_fixed(game, seed=3))]
    Replay.of(game, title=mode).save(tmp_path / "game.json")
    replay = Replay.load(tmp_path / "game.json")
    assert game.over
    assert [shown.to_bytes() for shown in replay.games()] == positions
    assert replay.final().snapshot() == game.snapshot()
    assert (replay.config, replay.actions, replay.title) == (game.config, game.actions, mode)
    assert replay == Replay.of(game, title=mode)


def games_with_a_past() -> Iterator[Game]:
    """Yield games that start from a deal, from a deal with given shuffles, and from the middle of a game."""
    yield Game.from_deal(DEAL, seed=3)
    yield Game.from_deal(DEAL, seed=3, shuffles=[[33, 34]])
    yield Game.from_state(play_on(Game(players=3, seed=5), 2, 40).view().states)
    solo = play_on(Game(mode="solo", seed=5, round_limit=9), 2, 11)
    yield Game.from_snapshot(solo.snapshot(), solo.resume_state())


@pytest.mark.parametrize("start", list(games_with_a_past()), ids=lambda game: "-".join(game.origin))
def test_a_game_that_did_not_begin_with_a_seed_comes_back(start: Game, tmp_path: Path) -> None:
    first = start.to_bytes()
    game = play_on(start, 4, 12)
    Replay.of(game).save(tmp_path / "game.json")
    shown = [position.to_bytes() for position in Replay.load(tmp_path / "game.json").games()]
    assert (shown[0], shown[-1], len(shown)) == (first, game.to_bytes(), 13)


def test_an_unfinished_game_goes_on_where_it_was_left() -> None:
    game = Game(seed=1)
    replay = Replay.of(play_on(game, 2, 20))
    assert play_on(replay.final(), 9).to_bytes() == play_on(game, 9).to_bytes()
    assert not replay.final().over


def test_the_seats_have_names() -> None:
    assert Replay.of(Game(players=3, seed=1)).names == ("player_0", "player_1", "player_2")
    assert Replay.of(Game(mode="solo", seed=1)).names == ("player_0", "da_0")
    assert Replay.from_bytes(CONTENT).names == ("Ada", "greedy")
    for names in (["Ada"], ["Ada", "a\nline"], ["Ada", "\x1b[2J"], ["Ada", 1]):
        with pytest.raises(ReplayError, match="names must be 2 printable strings, one for each seat, got"):
            Replay.of(Game(seed=1), names)  # type: ignore[arg-type]
    with pytest.raises(ReplayError, match="the title must be a printable string, got"):
        Replay.of(Game(seed=1), title="two\nlines")


def test_a_replay_that_does_not_fit_the_rules_is_not_made() -> None:
    with pytest.raises(ReplayError, match=r"action 2 of 2: action 76 is illegal in PREP of seat"):
        Replay(GameConfig(), {"seed": 1}, (REPLAY.actions[0], 76), ("a", "b"))


def test_after_a_random_shuffle_a_given_order_begins_the_record_anew() -> None:
    game = Game(players=4, seed=1)
    for _ in play_fixed(game, 1):
        if game.resume_state()["shuffles"]:
            break
    position = game.to_bytes()
    game.stack_shuffles([[1, 2, 3]])
    assert (game.actions, game.to_bytes()) == ((), position)
    game.step(game.legal[0])
    again = Replay.of(game).final()
    assert (again.to_bytes(), again.origin) == (game.to_bytes(), game.origin)
    assert Game.from_text(game.to_text()).to_text() == game.to_text()
    assert game.events() is not None


def test_a_replay_with_the_old_name_of_the_resume_state_is_read() -> None:
    start = play_on(Game(seed=1), seed=2, most=20)
    game = Game.from_snapshot(start.snapshot(), start.resume_state())
    game.step(game.legal[0])
    data = Replay.of(game).as_dict()
    data["origin"]["bookmark"] = data["origin"].pop("resume_state")
    assert Replay.from_bytes(to_bytes(data)).final().to_bytes() == game.to_bytes()


# --- files ----------------------------------------------------------------------------------------


def test_the_file_is_small_json_with_the_result() -> None:
    data = json.loads(CONTENT)
    assert list(data)[:3] == ["format", "version", "pocketmars_env"]
    assert (data["format"], data["version"], data["origin"]) == ("pocketmars-replay", 2, {"seed": 1})
    assert data["scores"] == REPLAY.final().scores
    assert data["checksum"] == checksum({key: data[key] for key in data if key != "checksum"})
    assert len(CONTENT) < 1000


def test_the_same_game_gives_the_same_file() -> None:
    assert to_bytes(a_replay().as_dict()) == CONTENT


DAMAGES = [
    (b"", "the replay"),
    (CONTENT[:-2], "the replay"),
    (changed("version", to=3), "it has format version 3 and was written by .* reads only version 2"),
    (changed("version", to=1), "version: Expected 2, got 1"),
    (changed("config", "players", to=9), "players must be 2, 3 or 4"),
    (changed("config", "planets", to=1), "planets"),
    (changed("origin", to={}), "origin"),
    (changed("actions", 7, to=266), "action 8 of 60: action 266 is illegal in"),
    (changed("actions", 7, to=2**63), "action 8 of 60: action 9223372036854775808 is illegal"),
    (changed("scores", 0, to=99), r"the rules of this version end the game differently \(scores: "),
    (changed("final", to="0" * 16), r"the rules of this version end the game differently \(final: "),
    (CONTENT.replace(b"Ada", b"Bob"), "its checksum is wrong"),
]


@pytest.mark.parametrize(("content", "complaint"), DAMAGES, ids=range(len(DAMAGES)))
def test_a_damaged_file_is_named_with_what_is_wrong(content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(ReplayError, match=rf"cannot use .*game\.json: .*{complaint}"):
        Replay.load(path)


def test_a_file_cannot_send_control_characters_to_the_terminal() -> None:
    data, hostile = json.loads(CONTENT), "\x1b]0;owned\x07\nfake line"
    del data["checksum"]
    for changes in ({"version": 3}, {"final": hostile}):
        with pytest.raises(ReplayError) as caught:
            Replay.from_bytes(to_bytes({**data, "pocketmars_env": hostile, **changes}))
        assert str(caught.value).isprintable()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(ReplayError, match=f"cannot read {path}: "):
            Replay.load(path)


def test_a_changed_byte_is_noticed() -> None:
    chance = random.Random(1)
    for place in range(0, len(CONTENT), 2):
        content = bytearray(CONTENT)
        content[place] ^= 1 << chance.randrange(7)
        if parsed(bytes(content)) != json.loads(CONTENT):  # otherwise only whitespace has changed
            with pytest.raises(ReplayError):
                Replay.from_bytes(bytes(content))


def parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
