"""Bundles that attack: none enters the ladder with more than honest results."""

import os
import secrets
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
import onnx
import pytest
from msgspec.structs import replace
from onnx import TensorProto, helper, numpy_helper

from pocketmars_agents.arena.results import line_of
from pocketmars_agents.arena.results_file import ResultsError
from pocketmars_agents.ladder import verify as verifying
from pocketmars_agents.ladder.bundle import Bundle
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import Row, add_row, header_line, path_of, read_rows
from pocketmars_agents.ladder.sandbox import sandboxed
from pocketmars_agents.ladder.verify import VerificationError, again, verify
from pocketmars_agents.line_protocol import connection
from tests.agents.ladder.conftest import PROGRAM, Submit
from tests.agents.onnx_policies import write_policy
from tests.agents.playing import wait_for

pytestmark = pytest.mark.usefixtures("needs_sandbox")


def row_of(bundle: Bundle, folder: Path, games: int = 2) -> Row:
    *_, row = verify(bundle, folder, games)
    assert isinstance(row, Row)
    return row


def check_refused(bundle: Bundle, folder: Path, reason: str, games: int = 2) -> None:
    with pytest.raises(VerificationError, match=reason):
        row_of(bundle, folder, games)
    assert not folder.exists() or not list(folder.iterdir())


def is_running(mark: str) -> bool:
    """Return whether a process has a text in its command line."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "cmdline").read_text(errors="replace"):
                return True
    return False


# --- honest bundles -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["program", pytest.param("policy", marks=pytest.mark.slow)])
def test_an_honest_bundle_enters_with_the_same_row_on_a_second_run(
    submit: Submit, division: Division, tmp_path: Path, kind: str
) -> None:
    bundle = submit(policy=write_policy(tmp_path / "policy.onnx") if kind == "policy" else None)
    row = row_of(bundle, tmp_path / "ladder", games=3)
    add_row(tmp_path / "ladder", division, row)
    *_, second = again(bundle, tmp_path / "ladder")
    assert isinstance(second, Row)
    assert second.without_times() == row.without_times()
    assert read_rows(tmp_path / "ladder", division) == [row]
    assert all(cell.games == 3 and cell.seconds[0] > 0 for cell in row.cells)


def test_deals_are_drawn_after_the_submission(submit: Submit, division: Division, tmp_path: Path) -> None:
    bundle = submit()
    first, second = row_of(bundle, tmp_path / "ladder"), row_of(bundle, tmp_path / "ladder")
    seeds = {
        row.match(division, opponent, division.config, number).seed
        for row in (first, second, replace(first, bundle="0" * 64))
        for opponent in division.opponents
        for number in range(5)
    }
    assert len(seeds) == 3 * 2 * 5


# --- programs -------------------------------------------------------------------------------------


def test_a_program_finds_no_seeds(submit: Submit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = secrets.token_hex(32)
    monkeypatch.setattr(secrets, "token_hex", lambda count: secret)
    monkeypatch.setenv("SEED_OF_THE_DEALS", secret)
    assert row_of(submit("spy", secret), tmp_path / "ladder").secret == secret
    # Without the sandbox, the same program finds the seed.
    outside = [sys.executable, str(PROGRAM), "spy", secret]
    done = subprocess.run(outside, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert b"the attack works" in done.stderr


@pytest.mark.parametrize("attack", ["clock", "chance", "memory"])
def test_answers_must_depend_only_on_the_decision(submit: Submit, tmp_path: Path, attack: str) -> None:
    check_refused(submit(attack), tmp_path / "ladder", "not reproducible")


def test_rated_games_are_played_again_too(submit: Submit, tmp_path: Path) -> None:
    """After as many games as are played twice before, this program plays at random."""
    check_refused(submit("late", str(verifying.SAMPLE)), tmp_path / "ladder", "not reproducible", games=8)


def test_a_fork_bomb_is_stopped_and_leaves_no_process(
    submit: Submit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(connection, "SECONDS_TO_START", 2.0)
    mark = f"600.{os.getpid()}"
    check_refused(submit("forks", mark), tmp_path / "ladder", "failed")
    wait_for(lambda: not is_running(f"sleep\0{mark}"))


def test_a_program_ends_when_the_verification_is_killed(tmp_path: Path) -> None:
    program, root = tmp_path / "program", tmp_path / "root"
    program.mkdir()
    root.mkdir()
    words = ["sh", "-c", "exec sleep 60$0", f"1.{os.getpid()}"]
    mark = f"601.{os.getpid()}"  # not among the words
    start = [sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])"]
    with subprocess.Popen([*start, *sandboxed(words, program, root)]) as process:
        wait_for(lambda: is_running(mark))
        process.kill()
    wait_for(lambda: not is_running(mark))


@pytest.mark.parametrize("attack", ["flood", "talks"])
def test_a_flood_of_output_is_refused(submit: Submit, tmp_path: Path, attack: str) -> None:
    check_refused(submit(attack), tmp_path / "ladder", "failed")


@pytest.mark.parametrize(
    ("attack", "reason"),
    [("silent", "no answer within 0.2 s"), ("never ready", "at the start: .*within 3 s")],
)
def test_a_program_that_does_not_answer_is_refused_at_once(
    submit: Submit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, attack: str, reason: str
) -> None:
    monkeypatch.setattr(verifying, "SECONDS_PER_DECISION", 0.2)
    monkeypatch.setattr(connection, "SECONDS_TO_START", 3.0)
    check_refused(submit(attack), tmp_path / "ladder", reason)


def test_a_program_writes_nothing_outside_a_small_folder(submit: Submit, tmp_path: Path) -> None:
    row_of(submit("writes", str(tmp_path)), tmp_path / "ladder")
    assert not (tmp_path / "written").exists()


def test_a_program_has_no_network(submit: Submit, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        row_of(submit("connects", str(server.getsockname()[1])), tmp_path / "ladder")
        with pytest.raises(BlockingIOError):
            server.accept()


def test_the_memory_of_a_program_is_limited(submit: Submit, tmp_path: Path) -> None:
    check_refused(submit("memory bomb"), tmp_path / "ladder", "Cannot allocate memory")
    row_of(submit("shared memory"), tmp_path / "ladder")


# --- policies -------------------------------------------------------------------------------------


def write_attack(path: Path, attack: str) -> None:
    """Write a policy whose value attacks when it is loaded or computed."""
    tensor = TensorProto(name="values", data_type=TensorProto.FLOAT, dims=[1, 1])
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../etc/passwd")
    if attack == "other files":
        node = helper.make_node("Identity", ["values"], ["value"])
    elif attack == "custom op":
        node = helper.make_node("Run", ["observation"], ["value"], domain="strange.domain")
    else:
        node = helper.make_node("ConstantOfShape", ["values"], ["value"])
        tensor = numpy_helper.from_array(np.array([2**20, 2**20], np.int64), "values")
    model = onnx.load(str(write_policy(path)))
    model.graph.node[-1].CopyFrom(node)
    model.graph.initializer.append(tensor)
    model.graph.output[1].type.tensor_type.ClearField("shape")
    model.opset_import.append(helper.make_opsetid("strange.domain", 1))
    path.write_bytes(model.SerializeToString())


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["other files", "custom op", "huge tensor", "no ONNX"])
def test_malicious_policies_are_refused(submit: Submit, tmp_path: Path, attack: str) -> None:
    path = tmp_path / "policy.onnx"
    if attack == "no ONNX":
        path.write_bytes(b"MZ" * 1000)
    else:
        write_attack(path, attack)
    check_refused(submit(policy=path), tmp_path / "ladder", "failed")


# --- results and names ----------------------------------------------------------------------------


def test_edited_results_are_found(submit: Submit, division: Division, tmp_path: Path) -> None:
    bundle, folder = submit(), tmp_path / "ladder"
    row = row_of(bundle, folder)
    won = replace(row.cells[0], packed=bytes([12, 11]))
    forged = replace(row, cells=(won, row.cells[1]))
    folder.mkdir()
    path_of(folder, division).write_bytes(header_line(division) + line_of(msgspec.to_builtins(forged)))
    with pytest.raises(ResultsError, match="my-bot"):
        read_rows(folder, division)
    path_of(folder, division).unlink()
    add_row(folder, division, forged)  # signs the row
    with pytest.raises(VerificationError, match="my-bot"):
        list(again(bundle, folder))


def test_a_bundle_is_played_once_and_a_name_belongs_to_one_bundle(
    submit: Submit, division: Division, tmp_path: Path
) -> None:
    bundle, folder = submit(), tmp_path / "ladder"
    add_row(folder, division, row_of(bundle, folder))
    with pytest.raises(VerificationError, match="already"):
        list(verify(bundle, folder, 2))
    with pytest.raises(ValueError, match="taken"):
        list(verify(submit(author="me too"), folder, 2))
    for name in ("greedy", "planner"):
        with pytest.raises(ValueError, match="taken"):
            list(verify(submit(name=name), folder, 2))
