"""Tests of the commands `pocketmars replay` and `pocketmars watch`."""

import itertools
import re
import time
import webbrowser
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from pocketmars_agents.arena.match_table import MatchTable, play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.cli.command_line import app_of
from pocketmars_agents.cli.replay import result_text
from pocketmars_env import Game, GameConfig
from pocketmars_env.core.game_spec import default_game
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.replays import Replay
from pocketmars_env.replays.file_format import to_bytes
from pocketmars_env.replays.moves import moves_of
from pocketmars_env.replays.page import replay_page
from tests.agents.playing import output_of, pocketmars, refusal_of
from tests.drawing.positions import picture_of
from tests.fixed_play import play_on

app = app_of(default_game())

REPLAY = Replay.of(play_on(Game(mode="solo", seed=1), 1, 9))


@pytest.fixture
def file(tmp_path: Path) -> str:
    REPLAY.save(tmp_path / "game.json")
    return str(tmp_path / "game.json")


# --- replay ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, 0])
@pytest.mark.parametrize("place", [None, 0, 4, 9])
def test_the_moves_and_the_table_after_them_are_printed(
    file: str, seat: int | None, place: int | None
) -> None:
    options = {"--seat": seat, "--move": place}
    given = [str(text) for pair in options.items() if pair[1] is not None for text in pair]
    shown = output_of("replay", file, *given)
    count = 9 if place is None else place
    above, table = shown.split("\n\n", 1) if count else ("", shown.lstrip("\n"))
    lines = above.splitlines()
    moves = "\n".join(str(move) for move in list(moves_of(REPLAY, seat))[:count]).splitlines()
    assert lines[: len(moves)] == moves
    assert len(lines) == len(moves) + (count == 9), "the result stands below the last move only"
    game = list(REPLAY.games())[count]
    assert table == presentation_of(REPLAY.spec).text(seat_view_of(game, seat), is_coloured=False)


def test_the_result_has_the_points_and_the_winner() -> None:
    game = play_on(Game(mode="solo", seed=1), 1)
    mine, other = game.scores
    assert f"Ada {mine}, da_0 {other} wins" in result_text(game, ["Ada", "da_0"])


def test_the_page_is_opened(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    page = tmp_path / "page.html"
    output_of("replay", file, "--html", str(page), "--browser")
    assert opened == [page.as_uri()]


def test_pages_and_pictures_are_written(file: str, tmp_path: Path) -> None:
    page, folder, gif = tmp_path / "new" / "page.html", tmp_path / "pictures", tmp_path / "game.gif"
    places = ("--html", str(page), "--svg", str(folder), "--gif", str(gif))
    assert output_of("replay", file, "--seat", "0", "--theme", "dark", *places, "--seconds", "0.5") == ""
    assert page.read_text(encoding="utf-8") == replay_page(REPLAY, 0)
    games = list(REPLAY.games())
    assert sorted(path.name for path in folder.iterdir()) == [f"{number}.svg" for number in range(10)]
    for number, game in enumerate(games):
        picture = (folder / f"{number}.svg").read_text(encoding="utf-8")
        assert picture == picture_of(game, 0, "dark").svg()
    with Image.open(gif) as film:
        assert (film.n_frames, film.info["duration"]) == (10, 500)


def test_an_open_page_holds_both_views(file: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    output_of("replay", file, "--seat", "0", "--open", "--html", str(page))
    assert page.read_text(encoding="utf-8") == replay_page(REPLAY, 0, is_open=True)


def test_pictures_are_replaced_and_other_files_stay(file: str, tmp_path: Path) -> None:
    for name in ("0.svg", "10.svg"):
        (tmp_path / name).write_text("mine")
    output_of("replay", file, "--svg", str(tmp_path))
    assert "</svg>" in (tmp_path / "0.svg").read_text(encoding="utf-8")
    assert (tmp_path / "10.svg").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("option", ["--html", "--gif"])
def test_a_file_of_another_kind_is_not_replaced(file: str, option: str) -> None:
    before = Path(file).read_bytes()
    assert file in refusal_of("replay", file, option, file)
    assert Path(file).read_bytes() == before


@pytest.mark.parametrize(
    "options",
    [
        "--seat 2", "--theme grey", "--open", "--browser", "--move 10", "--move 1 --html page.html",
        "--seconds 0", "--html /dev/null/page.html",
    ],
)  # fmt: skip
def test_a_bad_option_gets_one_line(file: str, options: str) -> None:
    words = options.split()
    assert words[0].strip("-") in refusal_of("replay", file, *words)


def test_a_file_that_is_no_replay_gets_one_line(tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary\n")
    assert "diary.txt" in refusal_of("replay", str(diary))
    assert "cannot read" in refusal_of("replay", str(tmp_path / "none"))


def test_a_replay_that_cannot_start_gets_one_line(tmp_path: Path) -> None:
    game = Game(mode="solo", seed=1)
    data = Replay.of(Game.from_snapshot(game.snapshot(), game.resume_state())).as_dict()
    data["origin"]["snapshot"]["level"] = None
    path = tmp_path / "game.json"
    path.write_bytes(to_bytes(data))
    assert "level" in refusal_of("replay", str(path))


# --- the commands that play -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "jobs"),
    [
        (("bench", "random", "--level", "cyborg", "--deals", "4"), "1"),
        (("arena", "greedy:1", "random", "--deals", "3"), "1"),
        pytest.param(
            ("compare", "greedy:1", "random", "--max-games", "60"), "2", marks=pytest.mark.slow, id="two"
        ),
    ],
)
def test_the_same_command_keeps_the_same_replays(command: tuple[str, ...], jobs: str, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    runs = {
        "alone": ("--jobs", "1"),
        "together": ("--jobs", jobs, "--out", str(results)),
        "resumed": ("--jobs", "1", "--out", str(results)),
    }
    contents = {}
    for name, options in runs.items():
        folder = tmp_path / name
        output_of(*command, *options, "--replays", str(folder))
        contents[name] = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert contents["alone"] == contents["together"] == contents["resumed"]
    assert len(contents["alone"]) >= 4


def test_only_the_games_asked_for_are_kept(tmp_path: Path) -> None:
    command = ("arena", "greedy:1", "random", "--deals", "3", "--jobs", "1", "--replays", str(tmp_path))
    output_of(*command, "--replays-of", "won")
    names = [path.name for path in tmp_path.iterdir()]
    assert names
    assert all("_won_" in name for name in names)


@pytest.mark.parametrize(
    "options", [["--replays-of", "lost"], ["--replays", "x", "--replays-of", "tied"], ["--replays", __file__]]
)
def test_bad_replay_options_are_refused_before_a_game(options: list[str]) -> None:
    line = refusal_of("bench", *options)
    assert any(word in line for word in options)


# --- watch ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "options", "config"),
    [
        (("greedy:1",), ("--level", "cyborg"), GameConfig(mode="solo", level="cyborg")),
        (("greedy:1", "random"), ("--players", "3", "--draft"), GameConfig(players=3, draft=True)),
    ],
)
def test_bots_are_watched_to_the_end(
    bots: tuple[str, ...], options: tuple[str, ...], config: GameConfig, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    shown = output_of("watch", *bots, *options, "--seed", "4", "--save", str(path))
    line_up = bots if config.is_solo else (*bots, "random")
    (expected,) = play_matches([Match(line_up, config, 4)])
    replay = Replay.load(path)
    assert (replay.config, replay.actions) == (config, expected.actions)
    *moves, points, seed = shown.splitlines()
    assert moves == "\n".join(map(str, moves_of(replay))).splitlines()
    assert (re.sub(r"\D+", " ", points.split(": ", 1)[1]).split()[-1], seed) == (
        str(expected.scores[-1]),
        "seed 4",
    )


def test_steps_wait_for_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it does not wait by itself"))
    (expected,) = play_matches([Match(("random",), GameConfig(mode="solo"), 4)])
    lines = "\n" * 1_000
    result = CliRunner().invoke(app, ["watch", "random", "--seed", "4", "--step"], input=lines)
    assert result.exit_code == 0
    assert f"da_0 (automaton) {expected.scores[1]}" in result.stdout


def test_in_a_terminal_the_table_is_shown_and_its_end_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("LINES", "50")
    shown = output_of("watch", "random", "--seed", "4", "--speed", "4", "--seat", "0")
    (expected,) = play_matches([Match(("random",), GameConfig(mode="solo"), 4)])
    assert pauses == [0.25] * (1 + len(expected.actions))
    *_, end = shown.split("\x1b[?1049l")
    assert "player_0" in end
    assert f"da_0 (automaton) {expected.scores[1]}" in end


def test_ctrl_c_ends_a_game_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(seconds: float) -> None:
        if next(waits) == 3:
            raise KeyboardInterrupt

    waits, path = itertools.count(), tmp_path / "game.json"
    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setenv("FORCE_COLOR", "1")
    output_of("watch", "random", "--seed", "4", "--save", str(path))
    assert len(Replay.load(path).actions) == 3


def test_ctrl_c_while_a_bot_is_thinking_keeps_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(batch: MatchTable) -> bool:
        if next(steps) == 3:
            raise KeyboardInterrupt
        return real_step(batch)

    steps, real_step, path = itertools.count(), MatchTable.step, tmp_path / "game.json"
    monkeypatch.setattr(MatchTable, "step", step)
    result = pocketmars("watch", "random", "--seed", "4", "--save", str(path))
    assert (result.exit_code, result.stderr.count("\n")) == (130, 1)
    assert len(Replay.load(path).actions) == 3


def test_the_reason_for_a_failure_is_not_shown_to_a_seat() -> None:
    shown = output_of("watch", "random", "tests.agents.bots:Illegal", "--seed", "1", "--seat", "0")
    assert "tests.agents.bots:Illegal" in shown
    assert "accepted" not in shown


def test_a_bot_that_fails_is_named() -> None:
    shown = output_of("watch", "tests.agents.bots:Raising", "random", "--seed", "1")
    assert re.search(r"tests\.agents\.bots:Raising.*lost my notes", shown)


@pytest.mark.parametrize(
    "arguments",
    [
        "bob", "random --players 2", "random random --players 5", "random --level easy", "random --seat 2",
        "random --seed -1", "random --speed -1", f"random --save {__file__}",
    ],
)  # fmt: skip
def test_a_bad_option_of_watch_gets_one_line(arguments: str) -> None:
    assert arguments.split()[-1] in refusal_of("watch", *arguments.split())
