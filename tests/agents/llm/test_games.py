"""Tests of whole games with language models: in the arena, the benchmark, commands and sessions."""

from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.play.seats import Seating
from pocketmars_agents.play.session import Session
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.project_mars.config import DuelConfig
from tests.agents.llm.scripted import KEY, first_legal, last_legal, legal_in, serving
from tests.agents.playing import output_of, refusal_of

CONFIGS: dict[str, Any] = {
    "two": GameConfig(players=2, round_limit=4),
    "solo": GameConfig(mode="solo", round_limit=4),
    "da_seat": GameConfig(mode="solo", da_agent=True, round_limit=4),
    "duel": DuelConfig(),
}


@pytest.mark.parametrize("kind", CONFIGS)
def test_whole_games(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = CONFIGS[kind]
    bots = ("llm:mars", "random")[: config.seats_to_play]
    with serving(last_legal, monkeypatch) as server:
        (result,) = play_matches([Match(bots, config, 5)])
    assert result.failure is None
    assert len(server.requests) == result.decisions[0] == result.usage[0][0] > 5
    assert result.usage[0][1:] == (100 * result.decisions[0], 7 * result.decisions[0], 0)
    assert not any(any(counts) for counts in result.usage[1:])
    assert any("Since your last decision" in str(body["messages"]) for _, _, body in server.requests)
    spec = game_named("project_mars" if kind == "duel" else "pocket_mars")
    assert GameResult.from_line(result.to_line(), spec) == result


def test_a_model_that_forfeits_loses_and_its_usage_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(body: dict[str, Any]) -> str:
        return first_legal(body) if len(legal_in(body)) < 20 else "I do not know."

    with serving(script, monkeypatch):
        (result,) = play_matches([Match(("llm:mars:retries=1", "random"), DuelConfig(), 1)])
    assert result.failure is not None
    assert result.failure.seat == 0
    assert result.winners == (1,)
    assert result.usage[0][3] == 2


def test_the_arena_shows_tokens_and_illegal_replies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def script(body: dict[str, Any]) -> str:
        return "pass?" if len(body["messages"]) == 2 else first_legal(body)

    command = ("--game", "project_mars", "arena", "llm:mars", "random", "--deals", "1", "--jobs", "1")
    with serving(script, monkeypatch) as server:
        arguments = (*command, "--markdown", "--out", str(tmp_path / "games.jsonl"))
        table = output_of(*arguments)
        calls = len(server.requests)
        assert output_of(*arguments) == table
        assert len(server.requests) == calls  # finished games are not played again
    header, _, model, bot = table.splitlines()[:4]
    assert header.endswith("| calls | tokens in | tokens out | illegal |")
    counts = [calls, 100 * calls, 7 * calls, calls // 2]
    assert model.endswith("".join(f" {count:,} |" for count in counts))
    assert bot.endswith("| - | - | - | - |")
    assert KEY not in (tmp_path / "games.jsonl").read_text()


def test_without_a_model_the_table_has_no_such_columns() -> None:
    assert "tokens" not in output_of("arena", "random", "random", "--deals", "1", "--jobs", "1", "--markdown")


DUEL = ("--game", "project_mars")
FEW = ("--jobs", "1", "--markdown")
NAMES = ("bench", "rate", "compare", "watch")
COMMANDS = [
    pytest.param(
        ("bench", "llm:mars", "random", "--levels", "cyborg", "--games", "1", *FEW), marks=pytest.mark.slow
    ),
    (*DUEL, "rate", "llm:mars", "random", "--deals", "1", *FEW),
    (*DUEL, "compare", "llm:mars", "random", "--max-games", "2", *FEW),
    (*DUEL, "watch", "llm:mars", "random", "--seed", "1"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: next(word for word in words if word in NAMES))
def test_commands(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(last_legal, monkeypatch):
        shown = output_of(*command)
    assert ("tokens in" in shown) == ("watch" not in command)
    assert "failed" not in shown


def test_the_arena_without_a_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert "OPENAI_BASE_URL" in refusal_of("arena", "llm:mars", "random", "--deals", "1")


def test_a_person_plays_against_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(last_legal, monkeypatch) as server:
        session = Session(Seating(DuelConfig(), {"player_1": make_agent("llm:mars")}, ("player_0",)), seed=1)
        while session.to_play:
            session.act("player_0", session.choices("player_0")[-1].action)
    assert session.failure is None
    assert session.game.over
    assert server.requests
    assert session.names == ("human", "llm:mars")
