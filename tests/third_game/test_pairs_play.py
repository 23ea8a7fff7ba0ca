"""People play a third-party game against a bot, in the browser and in the terminal."""

import base64
import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from pocketmars_agents import make_agent
from pocketmars_agents.play.saved_games import game_in_folder
from pocketmars_agents.play.seats import HUMAN, Seating
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.terminal.words import log_lines, points_lines, table_lines
from pocketmars_agents.play.web.state import state_of
from pocketmars_env.replays import Replay
from tests.agents.human.driving import LARGE, drive, press, sees
from tests.agents.human.serving import get, served
from tests.agents.human.sessions import play
from tests.third_game.pairs import SPEC, PairsConfig

CONFIG = PairsConfig(players=2)


def against_random() -> Session:
    bots, hint = {"player_1": make_agent("random")}, make_agent("greedy")
    return Session(Seating(CONFIG, bots, ("player_0",), hint=hint), seed=3)


def test_a_person_plays_a_game_to_its_end() -> None:
    session = against_random()
    assert session.hint("player_0").action in session.view("player_0").legal
    assert play(session, 1) > 3
    assert session.game.over
    assert session.failure is None
    assert "player_" in session.prompt("player_0")
    assert [seat.total for seat in session.scores] == session.game.scores
    assert session.replay().names == (HUMAN, "random")


def test_the_pages_of_both_seats_show_what_the_seat_sees() -> None:
    session = Session(Seating(CONFIG, {}, ("player_0", "player_1")), 5)
    play(session, 2, 5)
    for seat in session.humans:
        state, view = json.loads(json.dumps(state_of(session, seat, 0))), session.view(seat)
        assert len(state["moves"]) == 1 + 5
        record, extra = state["moves"][-1]["position"]
        assert base64.b64decode(record) == view.states.tobytes()
        assert extra.get("legal", []) == view.legal


def test_the_terminal_shows_it() -> None:
    session = against_random()
    play(session, 1)
    shown = table_lines(
        session.presentation, session.seat_view("player_0"), session.player_names("player_0"), 60
    ).plain
    assert shown.splitlines()[1] == "You"
    assert "the game is over" in log_lines(session.log("player_0")).plain
    assert "points, wins" in points_lines(session.scores).plain


def test_the_terminal_program_plays_it() -> None:
    session = against_random()

    async def how(pilot: Pilot[None]) -> None:
        assert pilot.app.title == "Pairs"
        await press(pilot, "question_mark")
        await sees(pilot, "own cards of each rank")
        await press(pilot, "escape", "h")
        await sees(pilot, "Hint from greedy: play(")
        while not session.over:
            await press(pilot, "1")
        await sees(pilot, "The end", "points, wins")

    drive(session, how, size=LARGE)


def test_the_page_names_the_game(tmp_path: Path) -> None:
    with served(against_random(), tmp_path / "game.json") as links:
        assert "<h1>Pairs</h1>" in get(links["player_0"]).text
        assert get(f"{links['player_0']}tables").data["title"] == "Pairs"


def test_an_unfinished_game_is_kept_and_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seating = Seating(CONFIG, {"player_1": make_agent("random")}, ("player_0",))
    autosave = game_in_folder(seating, 7, tmp_path, False, print)
    assert autosave.path.name == "pairs_2-players_seed-7.json"
    play(autosave.session, 1, 2)
    autosave.keep()
    autosave.close()
    again = game_in_folder(seating, None, tmp_path, False, print)
    assert again.is_continued
    assert again.session.game.to_bytes() == autosave.session.game.to_bytes()
    assert Replay.load(again.path).spec is SPEC
    again.close()
    assert not capsys.readouterr().out
