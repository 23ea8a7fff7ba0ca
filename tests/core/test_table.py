"""Tables: agents choose until a seat without an agent is to play, each game with its own random numbers."""

from typing import Any

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_env import Game, Games, Table, View
from pocketmars_env.core.table import NOBODY, ONLY_GAME, AgentError, Streams
from pocketmars_env.games.pocket_mars.spec import SPEC

ALL = np.arange(20)


def table_of(games: Any, names: list[str], line_up: Any, seeds: Any) -> Table:
    line_up = np.broadcast_to(np.array(line_up), (len(seeds), len(line_up))).copy()
    return Table(games, [make_agent(name) for name in names], line_up, Streams(SPEC, seeds))


def seeds_of(count: int, streams: int) -> Any:
    return np.arange(count * streams, dtype=np.uint64).reshape(count, streams)


def test_agents_act_until_a_seat_without_an_agent_is_to_play() -> None:
    games = Games(20, players=3, seed=1)
    table_of(games, ["random"], [0, NOBODY, 0], seeds_of(20, 3)).advance(ALL)
    assert set(games.to_play.tolist()) <= {1, -1}
    assert 1 in games.to_play


@pytest.mark.parametrize("streams", [1, 2])
def test_games_do_not_depend_on_the_games_beside_them(streams: int) -> None:
    seeds = seeds_of(20, streams)
    games = Games(20, players=2, seed=7)
    table_of(games, ["greedy:1", "random"], [0, 1], seeds.copy()).advance(ALL)
    assert games.over.all()
    for i in (0, 11, 19):
        game = Game(players=2, seed=7 + i)
        table_of(game, ["greedy:1", "random"], [0, 1], seeds[i : i + 1].copy()).advance(ONLY_GAME)
        assert game.to_bytes() == games.game(i).to_bytes()
        assert game.over


def test_a_finished_game_waits_for_nobody() -> None:
    games = Games(20, mode="solo", seed=1)
    table = table_of(games, ["random"], [0, NOBODY], seeds_of(20, 1))
    table.advance(ALL)
    assert games.over.all()
    assert len(table.waiting(ALL).games) == 0
    table.advance(ALL)


class Wrong:
    name = "wrong"

    def __init__(self, answer: Any) -> None:
        self.answer, self.prepared = answer, list[str]()

    def prepare(self, spec: Any) -> None:
        self.prepared.append(spec.name)

    def act(self, view: View, rng: np.random.Generator) -> Any:
        return self.answer


@pytest.mark.parametrize("games", [Game(players=2, seed=1), Games(1, players=2, seed=1)])
@pytest.mark.parametrize("answer", [266, "one"])
def test_an_agent_with_a_wrong_answer_is_named_and_nothing_is_played(games: Any, answer: Any) -> None:
    agent, before = Wrong(answer), games.states.tobytes()
    table = Table(games, [agent], np.zeros((1, 2), dtype=np.int64), Streams(SPEC, seeds_of(1, 2)))
    assert agent.prepared == ["pocket_mars"]
    with pytest.raises(AgentError, match="wrong"):
        table.advance(ONLY_GAME)
    assert games.states.tobytes() == before
