"""What differs on Windows and macOS: paths, ends of lines, encodings and missing functions."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pocketmars_agents.arena.results_file import read_results
from pocketmars_agents.bots.puct_agent import PuctOptions
from pocketmars_agents.line_protocol import exec_agent
from pocketmars_agents.line_protocol.bot_process import BotProcess
from pocketmars_agents.line_protocol.messages import Ready, reply_of
from pocketmars_agents.registry import canonical_name, make_agent, needs_trust
from pocketmars_env import Game
from pocketmars_env.core.files import writing
from pocketmars_env.replays import Replay
from tests.agents.playing import output_of

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "docs", "examples", "notebooks", "pocketmars_env", "tests", "training")
RESERVED = re.compile(r"(aux|con|nul|prn|com\d|lpt\d)(\.|$)|.*([<>:\"|?*\\]|[ .]$)", flags=re.IGNORECASE)
"""Names that Windows reserves or cannot hold."""

# --- files ------------------------------------------------------------------------------------------


def test_every_system_can_hold_our_files() -> None:
    paths = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    names = {str(path).lower() for path in paths}
    assert len(paths) == len(names) > 900
    assert [path for path in paths if RESERVED.match(path.name)] == []


def test_a_file_that_another_process_has_open_is_replaced_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, tries = os.replace, [PermissionError(), PermissionError()]

    def refused(part: Path, path: Path) -> None:
        if tries:
            raise tries.pop()
        replace(part, path)

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(PermissionError):
        writing.write_whole(tmp_path / "file", b"first")
    monkeypatch.setattr(sys, "platform", "win32")
    writing.write_whole(tmp_path / "file", b"second")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"second"]


def test_names_of_bots_may_contain_windows_paths() -> None:
    policy = r"C:\bots\my policy.onnx"
    for name in (policy, f"{policy}:sample", "d:/solo.onnx"):
        assert canonical_name(name) == name
        assert needs_trust(name)
    with pytest.raises(ValueError, match="my policy"):
        make_agent(policy)
    settings = PuctOptions.from_name(f"puct:9:policy={policy}:temperature=2")
    assert settings == PuctOptions(simulations=9, policy=policy, temperature=2.0)


def test_commands_may_contain_windows_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exec_agent, "ESCAPE", "")
    name = r'exec:"C:\Program Files\python.exe" bots\my_bot.py --name "a b"'
    words = [r"C:\Program Files\python.exe", r"bots\my_bot.py", "--name", "a b"]
    assert exec_agent.words_of(name) == words


# --- text -------------------------------------------------------------------------------------------


def with_crlf(path: Path) -> Path:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return path


def test_files_may_have_windows_line_ends(tmp_path: Path) -> None:
    results, replay = tmp_path / "results.jsonl", tmp_path / "game.json"
    output_of("bench", "random", "--deals", "2", "--handicap", "0", "--jobs", "1", "--out", str(results))
    assert len(read_results(with_crlf(results))[1]) == 6
    output_of("watch", "random", "random", "--seed", "1", "--save", str(replay))
    actions = Replay.load(replay).actions
    assert Replay.load(with_crlf(replay)).actions == actions
    text = Game(seed=1).to_text()
    assert Game.from_text(text.replace("\n", "\r\n")).to_text() == text


def test_the_line_protocol_accepts_windows_line_ends() -> None:
    ready = json.dumps({"type": "ready", "protocol": 1, "name": "bot", "fields": []})
    program = f"import sys; sys.stdin.readline(); sys.stdout.write({ready!r} + '\\r\\n'); sys.stdin.read()"
    process = BotProcess([sys.executable, "-c", program])
    try:
        assert reply_of(process.ask(b'{"type": "hello"}\r\n', 60.0), Ready).protocol == 1
    finally:
        process.kill()


ENCODINGS = ({"PYTHONIOENCODING": "cp1252"}, {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"})


@pytest.mark.parametrize("environment", ENCODINGS, ids=lambda environment: next(iter(environment)))
@pytest.mark.parametrize("arguments", ["watch random random --seed 1", "ladder"])
def test_a_console_without_unicode_shows_question_marks(environment: dict[str, str], arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pocketmars_agents", *arguments.split()],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout) > 500


# --- missing modules and functions --------------------------------------------------------------------


def test_the_code_for_windows_runs(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-W", "error", "-m", "tests.imitated_windows", tmp_path], check=True)
