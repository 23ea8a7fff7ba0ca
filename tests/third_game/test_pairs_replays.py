"""Replays of a third-party game can be saved, loaded, listed and shown as a page."""

import json
from pathlib import Path

import pytest

from pocketmars_agents.cli.replay import pictures, printed
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.core.testing import play_random_game
from pocketmars_env.replays import Replay, ReplayError
from pocketmars_env.replays.moves import moves_of
from pocketmars_env.replays.page import page_data, replay_page
from tests.third_game.pairs import SPEC, PairsGame


@pytest.fixture
def replay() -> Replay:
    return Replay.of(play_random_game(PairsGame, seed=4, players=3), ["Ada", "random", "player_2"], "a test")


def test_it_comes_back_from_its_file(replay: Replay, tmp_path: Path) -> None:
    replay.save(tmp_path / "game.json")
    assert json.loads((tmp_path / "game.json").read_text())["game"] == "pairs"
    again = Replay.load(tmp_path / "game.json")
    assert again == replay
    assert again.spec is SPEC
    assert again.final().to_bytes() == replay.final().to_bytes()


def test_a_file_of_a_game_that_is_not_registered_says_so(
    replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay.save(tmp_path / "game.json")
    monkeypatch.delitem(GAMES, "pairs")
    with pytest.raises(ReplayError, match=r"game must be one of 'pocket_mars'"):
        Replay.load(tmp_path / "game.json")


def test_it_is_listed_and_drawn(replay: Replay) -> None:
    *moves, result = printed(replay, 1).split("\n\n")[0].splitlines()
    assert moves == "\n".join(map(str, moves_of(replay, 1))).splitlines()
    assert all(str(score) in result for score in replay.final().scores)
    assert len(list(pictures(replay, None, "light"))) == len(replay.actions) + 1


def test_it_is_a_page(replay: Replay) -> None:
    assert "<title>Pairs: a test</title>" in replay_page(replay)
    data = page_data(replay, [None, 0])
    assert [view["name"] for view in data["views"]] == ["all cards", "as player_0 sees it"]
    assert all(len(view["frames"]) == len(replay.actions) + 1 for view in data["views"])
