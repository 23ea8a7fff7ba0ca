"""Tests of line-protocol bots: they play whole games, and a bot that misbehaves loses its game."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.text_table import failure_notes
from pocketmars_agents.line_protocol import connection, exec_agent, messages
from pocketmars_agents.line_protocol.connection import close_all, connection_to
from pocketmars_agents.line_protocol.exec_agent import seed_of, stream_name
from pocketmars_agents.play.seats import Seating
from pocketmars_agents.play.session import Session
from pocketmars_agents.registry import canonical_name, make_agent, needs_trust
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.playing import output_of

BOT = Path(__file__).parent / "line_protocol_bot.py"
TWO = GameConfig(players=2)
CONFIGS = [TWO, GameConfig(mode="solo"), GAMES["project_mars"].config()]


def bot(kind: str = "") -> str:
    return f"exec:{shlex.join([sys.executable, '-S', str(BOT), kind])}"


@pytest.fixture(autouse=True)
def ended_bots() -> Iterator[None]:
    yield
    close_all()


def played(name: str, seconds: float | None = None, games: int = 1) -> list[GameResult]:
    return play_matches([Match((name, "random"), TWO, seed, 0, seconds) for seed in range(games)])


# --- bots that behave -----------------------------------------------------------------------------


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: type(config).__name__)
def test_a_bot_plays_every_game_by_its_own_rules(config: object) -> None:
    seats = config.seats_to_play  # type: ignore[attr-defined]
    results = play_matches([Match((bot(), "random")[:seats], config, seed) for seed in range(3)])
    assert [result.failure for result in results] == [None] * 3


def test_a_bot_gives_hints_with_its_chance_to_win() -> None:
    seating = Seating(TWO, {"player_1": make_agent(bot())}, ("player_0",), hint=make_agent(bot()))
    session = Session(seating, seed=1)
    legal = session.view("player_0").legal
    assert session.hint("player_0").action == legal[0]
    assert "50 %" in session.hint("player_0").value
    session.act("player_0", legal[0])
    assert session.failure is None


def test_the_bot_of_a_name_is_started_without_a_shell(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    with pytest.raises(ValueError, match="exec:"):
        make_agent(f"exec:'; touch {touched}'")
    (result,) = played(f"{bot('exits')} ; touch {touched}")
    assert result.failure is not None
    assert not touched.exists()


@pytest.mark.parametrize("name", ["exec:", "exec: ", "exec:'open", "exec:./no-such-bot", "exec:a\nb"])
def test_commands_that_cannot_be_started_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="exec:"):
        make_agent(name)


def test_names_from_files_need_trust() -> None:
    assert needs_trust("exec:./my_bot")
    assert canonical_name("exec:  ./my_bot --fast ") == "exec:./my_bot --fast"


# --- bots that misbehave --------------------------------------------------------------------------

KINDS = {
    "exits": "exited with status 3",
    "exits at the start": "at the start: exited with status 1; stderr: no settings",
    "crashes": "killed by SIGSEGV",
    "complains": "exited with status 4; stderr: .*segment 7 is missing",
    "closes its output": "closed its input or output",
    "wrong protocol": "at the start: .*protocol",
    "no JSON": "not JSON.*I play the rover!",
    "long line": "a line of more than 65,536 bytes",
    "endless line": "a line of more than 65,536 bytes",
    "two answers": "wrote without being asked|id must be",
    "answers early": "wrote without being asked|id must be",
    "error": "reports an error: 'out of fuel'",
    'answer=type:"ready"': "type: .*ready",
    "answer=id:1000000": "id must be",
    'answer=action:"PASS"': "action: .*PASS",
    "answer=action:-1": "action -1 is illegal; accepted: ",
    "answer=value:2": "value: .*2",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_that_misbehaves_loses_and_the_result_says_why(kind: str) -> None:
    results = played(bot(kind), games=2)
    for result in results:
        assert result.failure is not None
        assert (result.failure.seat, result.winners) == (0, (1,))
    (note,) = failure_notes(results)
    assert note.startswith(f"{bot(kind)} failed in 2 games")
    assert re.search(f"seed 0, seat 0: .*({KINDS[kind]})", note), note


def test_a_bot_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    (result,) = played(bot(f"hangs with child={pids}"), seconds=1.0)
    assert result.failure is not None
    for pid in pids.read_text().split():
        assert has_ended(int(pid))


def has_ended(pid: int) -> bool:
    """Return whether a process ends within about 5 seconds; a zombie process counts as ended."""
    for _ in range(100):
        status = Path(f"/proc/{pid}/stat")
        try:
            os.kill(pid, 0)
            if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_threads_that_begin_together_share_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            for number in range(100):
                words = [f"bot {number}"]  # never started
                found = list(threads.map(connection_to, [words] * 8, [SPEC] * 8))
                assert len(set(map(id, found))) == 1
    finally:
        sys.setswitchinterval(interval)
        close_all()


def test_a_bot_that_died_is_started_again_and_loses_one_game(tmp_path: Path) -> None:
    results = played(bot(f"exits once={tmp_path / 'once'}"), games=4)
    assert [result.failure is not None for result in results].count(True) == 1


def test_a_bot_that_never_gets_ready_is_tried_three_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SECONDS_TO_START", 0.5)
    tries = tmp_path / "tries"
    results = played(bot(f"silent at the start={tries}"), games=5)
    reasons = [result.failure.reason for result in results if result.failure]
    assert len(reasons) == 5
    assert all("0.5 s" in reason for reason in reasons)
    assert tries.read_text() == "+++"


def test_an_interrupted_decision_ends_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    pids = tmp_path / "pids"
    with monkeypatch.context() as changes:
        changes.setattr(messages, "answer_of", interrupted)
        with pytest.raises(KeyboardInterrupt):
            played(bot(f"writes pid={pids}"))
    assert has_ended(int(pids.read_text()))


@pytest.mark.slow  # starts commands
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals as on POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_no_bot_outlives_a_command_that_is_stopped(tmp_path: Path, jobs: str, name: str) -> None:
    number = signal.Signals[name]
    pids = tmp_path / "pids"
    names = [bot(f"writes pid={pids}"), "random"]
    options = ("--deals", "100000", "--jobs", jobs)
    command = [sys.executable, "-m", "pocketmars_agents", "arena", *names, *options]
    with subprocess.Popen(command, start_new_session=True) as process:
        while not pids.exists() or len(pids.read_text().split()) < int(jobs):
            time.sleep(0.1)
            assert process.poll() is None
        time.sleep(1)
        process.send_signal(number)
        assert process.wait(30) == (130 if number == signal.SIGINT else -signal.SIGKILL)
    assert all(has_ended(int(pid)) for pid in pids.read_text().split())


def test_the_table_of_a_command_names_the_failure() -> None:
    name = bot("no JSON")
    table = output_of("bench", name, "--games", "2", "--handicap", "0", "--jobs", "1", "--markdown")
    assert re.search(rf"{re.escape(name)} .*\b6\b.*I play the rover!", table)


@pytest.mark.slow  # starts many bots
def test_a_tournament_with_all_of_them_ends_and_names_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exec_agent, "SECONDS_PER_DECISION", 10.0)  # also limits a bot's warm-up decision
    names = [bot(kind) for kind in [*KINDS, "hangs"]]
    options = ("--deals", "1", "--level", "cyborg", "--handicap", "0", "--seconds-per-decision", "10")
    table = output_of("bench", *names, bot(), "random", *options, "--jobs", "2", "--markdown")
    failed = re.findall(r"^(.+) failed in 1 game", table, flags=re.MULTILINE)
    assert sorted(failed) == sorted(names)
    assert f"| {bot()} |" in table
    assert "| random |" in table


# --- seeds ----------------------------------------------------------------------------------------


def test_an_engine_has_the_random_stream_of_its_bot() -> None:
    assert stream_name("exec:pocketmars engine planner:3") == "planner:3"
    assert stream_name("exec:./my_bot") == "exec:./my_bot"
    assert stream_name("exec:'") == "exec:'"
    match, inside = (Match((name, "random"), TWO, 1) for name in ("exec:x engine solo", "solo"))
    assert match.bot_seed(0) == inside.bot_seed(0)


def test_used_random_streams_give_new_seeds() -> None:
    rng = np.random.Generator(np.random.PCG64(12345))
    assert seed_of(rng) == 12345
    rng.integers(10)
    assert len({seed_of(rng) for _ in range(10)}) == 10
