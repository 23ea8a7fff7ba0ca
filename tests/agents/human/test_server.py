"""Tests of the web server: what it shows to each player, and which requests it refuses."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import numpy as np
import pytest

from pocketmars_agents.cli.seating import seating_of
from pocketmars_agents.play.session import Session
from pocketmars_agents.play.web import server
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.compiled.compile_notice import compile_notice
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.replays import Replay
from tests.agents.human.serving import get, post, served
from tests.agents.human.sessions import play, session_with
from tests.replays.test_page import data_of

Served = tuple[Session, dict[str, str]]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Served]:
    """A session with two people, a bot and hints, and the links by seat."""
    session = session_with(2, players=3, hint=make_agent("greedy"))
    with served(session, tmp_path / "game.json") as links:
        yield session, links


def test_every_seat_has_a_secret_link_with_its_own_state(two: Served) -> None:
    session, links = two
    assert len(set(links.values())) == 2
    for seat, link in links.items():
        assert link.startswith("http://127.0.0.1:")
        assert len(urlsplit(link).path) >= 22 + 2  # 128 bits in base 64
        assert "<title>Pocket Mars</title>" in get(link).text
        shown, view = get(f"{link}state").data, session.view(seat)
        assert shown["version"] == 0
        assert shown["viewer"] == view.seat
        assert sorted(shown["names"]) == sorted(["You", "chance", f"Player {2 - view.seat}"])
        record, extra = position_of(shown)
        assert base64.b64decode(record) == view.states.tobytes()
        assert extra.get("legal", []) == view.legal


def position_of(state: dict[str, Any]) -> Any:
    """Return the current position in the state of a page: its record, and what records do not contain."""
    return state["moves"][-1]["position"]


def test_a_page_receives_only_the_moves_that_it_does_not_have(two: Served) -> None:
    session, links = two
    link = links["player_0"]
    play(session, 1, 5)
    everything = get(f"{link}state").data
    assert everything["first"] == 0
    assert len(everything["moves"]) == len(session.game.actions) + 1
    rest = get(f"{link}state?have=3&epoch={everything['epoch']}").data
    assert rest["first"] == 3
    assert rest["moves"] == everything["moves"][3:]
    for epoch in ("", "other"):
        assert get(f"{link}state?have=3&epoch={epoch}").data["first"] == 0


def test_secret_choices_of_others_are_not_sent(two: Served) -> None:
    session, links = two
    play(session, 1, 3)
    for seat, link in links.items():
        for move in get(f"{link}state").data["moves"][1:]:
            is_own = move["seat"] == session.number_of(seat)
            assert (move["action"] is None) == (move["decision"] == "PREP" and not is_own)


def test_effects_are_what_the_seat_sees_after_each_action(two: Served) -> None:
    session, links = two
    for seat, link in links.items():
        legal, effects = session.view(seat).legal, get(f"{link}effects").data
        assert sorted(map(int, effects)) == legal
        for action in legal:
            game = session.game.clone()
            game.step(action)
            expected = game.view(session.number_of(seat)).states["seats"]["prep"][0, session.number_of(seat)]
            for record, _ in effects[str(action)]:
                seen = np.frombuffer(base64.b64decode(record), session.spec.state)
                assert (seen["seats"]["prep"][0, session.number_of(seat)] == expected).all()


def test_headers_forbid_what_a_page_does_not_need(two: Served) -> None:
    for link in (*two[1].values(), f"{'/'.join(two[1]['player_0'].split('/')[:3])}/nothing/"):
        headers = get(link).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"


def test_an_unknown_link_tells_nothing(two: Served) -> None:
    link = two[1]["player_0"]
    root = f"http://{urlsplit(link).netloc}"
    other = link[:-2] + ("A" if link[-2] != "A" else "B")
    for path in (
        "/",
        "/x/",
        "/x/state",
        f"{link[len(root) :]}nothing",
        f"{other[len(root) :]}/state",
        "/../x",
    ):
        answer = get(f"{root}{path}")
        assert (answer.status, answer.text) == (404, get(f"{root}/").text)
    answer = post(f"{root}/x/action", {"version": 0, "action": 0})
    assert (answer.status, answer.text) == (404, get(f"{root}/").text)


def test_other_hosts_and_other_origins_are_refused(two: Served) -> None:
    session, links = two
    link = links[session.to_play or ""]
    port = urlsplit(link).port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1.evil.example:{port}"):
        assert get(f"{link}state", Host=host).status == 403
    assert get(f"{link}state", Host=f"localhost:{port}").status == 200
    good = {"version": 0, "action": session.game.legal[0]}
    for origin in ("", "null", "http://evil.example", f"https://127.0.0.1:{port}", "http://127.0.0.1:1"):
        assert post(f"{link}action", good, Origin=origin).status == 403
    assert post(f"{link}action", b" " * 5_000).status == 413
    assert session.version == 0
    assert post(f"{link}action", good).status == 200
    assert session.version > 0


def test_a_host_without_the_port_that_browsers_omit_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HTTP_PORT", mock.ANY)  # listening on port 80 needs privileges
    with served(session_with(), tmp_path / "game.json") as links:
        link = f"{links['player_0']}state"
        hosts = ("127.0.0.1", "localhost", "evil.example")
        assert [get(link, Host=host).status for host in hosts] == [200, 200, 403]


def test_a_forged_answer_is_refused_with_its_reason(two: Served) -> None:
    session, links = two
    to_play = session.to_play or ""
    link = links[to_play]
    other = next(link for seat, link in links.items() if seat != to_play)
    legal = session.game.legal
    illegal = next(action for action in range(267) if action not in legal)
    for target, data, words in (
        (link, {"version": 0, "action": illegal}, "accepted: "),
        (link, {"version": 0, "action": 10**30}, "accepted: "),
        (link, {"version": 1, "action": legal[0]}, "position has changed"),
        (other, {"version": 0, "action": legal[0]}, "not your turn"),
    ):
        answer = post(f"{target}action", data)
        assert answer.status == 409
        assert words in answer.data["error"]
    for body in (
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"version": 0}',
        b'{"version": 0, "action": true}',
        b"[" * 4_000,
    ):
        assert post(f"{link}action", body).status == 400
    assert "practice" in post(f"{link}undo", {"version": 0}).data["error"]
    assert get(f"{link}action").status == 404
    assert (session.version, session.game.actions) == (0, ())


def test_nobody_is_told_a_refused_answers_secrets(two: Served) -> None:
    session, links = two
    other = next(seat for seat in session.humans if seat != session.to_play)
    answer = post(f"{links[other]}action", {"version": 0, "action": session.game.legal[0]})
    own = {choice.card for choice in session.choices(session.to_play or "")}
    assert not any(str(card) in answer.text for card in own)


def test_a_page_that_waits_hears_of_another_persons_answer(two: Served) -> None:
    session, links = two
    to_play = session.to_play or ""
    other = next(link for seat, link in links.items() if seat != to_play)
    heard: list[int] = []
    stamp = get(f"{other}state").data["stamp"]
    waits = threading.Thread(
        target=lambda: heard.append(get(f"{other}state?after={stamp}").data["version"]), daemon=True
    )
    waits.start()
    time.sleep(0.3)
    assert heard == []
    post(f"{links[to_play]}action", {"version": 0, "action": session.game.legal[0]})
    waits.join(5)
    assert heard
    assert heard[0] > 0


def test_the_page_tells_what_is_being_compiled(two: Served) -> None:
    link = next(iter(two[1].values()))
    before = get(f"{link}state").data
    with compile_notice("A game", "look-ahead", seconds=4):
        during = get(f"{link}state?after={before['stamp']}").data
    after = get(f"{link}state?after={during['stamp']}").data
    assert "look-ahead" in during["notice"]
    assert before["notice"] == after["notice"] == ""


def test_hints_are_for_who_is_asked(two: Served) -> None:
    session, links = two
    for seat, link in links.items():
        answer = get(f"{link}hint")
        assert answer.status == (200 if seat == session.to_play else 409)
    assert get(f"{links[session.to_play or '']}hint").data["action"] in session.game.legal


def test_a_game_is_played_taken_back_and_kept(tmp_path: Path) -> None:
    session, path = session_with(mode="solo", practice=True), tmp_path / "kept" / "game.json"
    with served(session, path) as links:
        link = links["player_0"]
        state = get(f"{link}state").data
        while not state["ended"]:
            legal = position_of(state)[1]["legal"]
            action = legal[len(legal) // 2]
            state = post(f"{link}action", {"version": state["version"], "action": action}).data
        while state["replay"] is None:
            state = get(f"{link}state?after={state['stamp']}").data
        assert position_of(state)[1]["scores"] == session.game.scores
        assert position_of(state)[1]["winners"] == session.game.winners
        assert Replay.load(path).actions == session.game.actions
        state = post(f"{link}undo", {"version": state["version"]}).data
        assert not state["ended"]
        assert state["replay"] == str(path)
        assert Replay.load(path).actions == session.game.actions
        first = next(i for i, move in enumerate(state["moves"]) if move["seat"] == 0)
        state = post(f"{link}undo", {"version": state["version"], "move": first}).data
        assert len(state["moves"]) == first
        assert post(f"{link}undo", {"version": state["version"], "move": first}).status == 409


def test_own_moves_of_a_practice_game_are_judged(tmp_path: Path) -> None:
    session = session_with(mode="solo", practice=True)
    with served(session, tmp_path / "game.json") as links:
        link = links["player_0"]
        session.act("player_0", session.game.legal[0])
        judgement = get(f"{link}judgement?move=1").data
        assert judgement["best"] in session.game.at_origin().legal
        assert 0 <= judgement["value"] <= judgement["best_value"] <= 1
        for move in ("0", "9", "-1", "x", ""):
            assert get(f"{link}judgement?move={move}").status == 409


def test_moves_of_a_running_game_with_others_are_not_judged(two: Served) -> None:
    session, links = two
    play(session, 1, 3)
    assert all(get(f"{link}judgement?move=1").status == 409 for link in links.values())


def test_a_port_that_is_taken_is_said() -> None:
    place = server.listening(0)
    with pytest.raises(ValueError, match="--port 0"):
        server.listening(place.getsockname()[1])
    place.close()
    with pytest.raises(ValueError, match="70000"):
        server.listening(70_000)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pocket_mars", "project_mars"])
def test_a_finished_game_has_a_replay_page_and_a_running_one_has_none(game: str, tmp_path: Path) -> None:
    seating = seating_of(game_named(game), {}, ["random"])
    session = Session(seating, 1)
    with served(session, tmp_path / "game.json") as links:
        link = f"{links['player_0']}replay"
        assert get(link).status == 409
        play(session, 1)
        plain = get(link)
        assert "frame-ancestors 'none'" in plain.headers["content-security-policy"]
        data = data_of(plain.text)
        assert data["seats"] == ["You", "random"]
        assert [view["name"] for view in data["views"]] == ["all cards", "as you see it", "as random sees it"]
        assert "player_0" not in json.dumps(data)
