"""People play a game that only registers itself, against a bot, in the browser and in the terminal."""

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from pocketmars_agents import make_agent
from pocketmars_agents.play.saved_games import Seating, game_in_folder
from pocketmars_agents.play.sitting import HUMAN, Sitting
from pocketmars_agents.play.terminal.words import log_lines, points_lines, table_lines
from pocketmars_agents.play.web.state import state_of
from pocketmars_env.replays import Replay
from tests.agents.human.driving import LARGE, drive, press, sees
from tests.agents.human.serving import get, served
from tests.agents.human.sittings import play
from tests.third_game.pairs import SPEC, PairsConfig

CONFIG = PairsConfig(players=2)


def against_random(seed: int = 3) -> Sitting:
    return Sitting(CONFIG, {"player_1": make_agent("random")}, ["player_0"], seed, hint=make_agent("greedy"))


def test_a_person_plays_a_game_to_its_end() -> None:
    sitting = against_random()
    assert sitting.hint("player_0").action in sitting.view("player_0").legal
    assert play(sitting, 1) > 3
    assert sitting.game.over
    assert sitting.failure is None
    assert sitting.question("player_0").startswith("Game over: player_")
    assert sitting.log("player_0")[-1].words.startswith("the game is over: ")
    assert [seat.total for seat in sitting.scores()] == sitting.game.scores()
    assert sitting.replay().names == (HUMAN, "random")


def test_the_pages_of_both_seats_have_everything() -> None:
    sitting = Sitting(CONFIG, {}, ["player_0", "player_1"], 5)
    play(sitting, 2, 5)
    asked = sitting.asked or ""
    for seat in sitting.humans:
        state = json.loads(json.dumps(state_of(sitting, seat)))
        assert state["table"].startswith("<svg")
        assert (len(state["choices"]) > 0) == (seat == asked)
        assert len(state["log"]) == 5
        assert (
            state["question"] == ("Play which card?" if seat == asked else f"Waiting for {asked} …")
            or sitting.game.decision == "MATCH"
        )


def test_the_terminal_shows_it() -> None:
    sitting = against_random()
    play(sitting, 1)
    shown = table_lines(sitting.presentation, sitting.table("player_0"), 60).plain
    assert shown.splitlines()[1] == "player_0"
    assert "the game is over" in log_lines(sitting.log("player_0")).plain
    assert "points, wins" in points_lines(sitting.scores()).plain


def test_the_terminal_program_plays_it() -> None:
    sitting = against_random()

    async def how(pilot: Pilot[None]) -> None:
        assert pilot.app.title == "Pairs"
        await press(pilot, "question_mark")
        await sees(pilot, "own cards of each rank")
        await press(pilot, "escape", "h")
        await sees(pilot, "Hint of greedy: play(")
        while not sitting.over:
            await press(pilot, "1")
        await sees(pilot, "The end", "points, wins")

    drive(sitting, how, size=LARGE)


def test_the_page_names_the_game(tmp_path: Path) -> None:
    with served(against_random(), tmp_path / "game.json") as links:
        assert "<h1>Pairs</h1>" in get(links["player_0"]).text
        assert get(f"{links['player_0']}cards").data == {}


def test_an_unfinished_game_is_kept_and_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seating = Seating(CONFIG, {"player_1": make_agent("random")}, ("player_0",))
    keeper = game_in_folder(seating, 7, tmp_path, False, print)
    assert keeper.path.name == "pairs_2-players_seed-7.json"
    play(keeper.sitting, 1, 2)
    keeper.keep()
    keeper.close()
    again = game_in_folder(seating, None, tmp_path, False, print)
    assert again.is_continued
    assert again.sitting.game.to_bytes() == keeper.sitting.game.to_bytes()
    assert Replay.load(again.path).spec is SPEC
    again.close()
    assert not capsys.readouterr().out
