"""The ladder."""

from typing import Any

import pytest

from pocketmars_agents import make_agent
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from tests.envs.scripts import Scripted, find_script

pytest.importorskip("stable_baselines3")

from pocketmars_training.games.pocket_mars import da_ladder, solo_ladder, table_ladder
from pocketmars_training.run import ladder
from pocketmars_training.run.ladder import climb
from pocketmars_training.run.training_spec import Rung


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_agent_wins_its_share_against_itself(players: int) -> None:
    games = 800
    found = climb(make_agent("random"), Rung("itself", TABLE_ID, {"players": players}), games)
    deviation = (1 / players * (1 - 1 / players) / games) ** 0.5
    assert abs(found.share - 1 / players) < 3 * deviation
    assert found.interval[0] < found.share < found.interval[1]
    assert found.games == games


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_wins_and_losses_count_as_such(
    monkeypatch: pytest.MonkeyPatch, winner: int, last: int, seat: int
) -> None:
    script = find_script(winner, last)
    monkeypatch.setattr(ladder, "FIRST_SEED", script.seed)
    opponent = Scripted(script.answers[1 - seat])
    rung = Rung("scripted", TABLE_ID, {"seat": seat, "opponents": opponent})
    assert climb(Scripted(script.answers[seat]), rung, 1).share == (winner == seat)


@pytest.mark.parametrize(
    ("environment", "settings"),
    [(SOLO_ID, {"level": "cyborg"}), (TABLE_ID, {"players": 3, "opponents": "greedy:1"})],
)
def test_the_same_agent_gets_the_same_numbers(environment: str, settings: dict[str, Any]) -> None:
    rung = Rung("again", environment, settings)
    found = [climb(make_agent("greedy:1"), rung, 40) for _ in range(2)]
    assert found[0] == found[1]
    assert 0 < found[0].share < 1


def test_the_solo_game_has_a_rung_for_every_level() -> None:
    assert [(rung.environment, rung.settings["level"]) for rung in solo_ladder()] == [
        (SOLO_ID, level) for level in LEVELS
    ]


def test_a_player_count_that_is_named_twice_has_one_rung() -> None:
    names = [rung.name for rung in table_ladder((4, 2, 2))]
    assert names == ["greedy_2p", "greedy_4p", "planner_2p"]


def test_in_the_seat_of_the_da_every_player_has_a_rung_for_every_level() -> None:
    rungs = da_ladder(["greedy", "planner"])
    expected = [(bot, level) for bot in ("greedy", "planner") for level in LEVELS]
    assert [rung.name for rung in rungs] == [f"{bot}_{level}" for bot, level in expected]
    assert [(rung.settings["opponents"], rung.settings["level"]) for rung in rungs] == expected


def test_the_automaton_wins_some_games_in_the_seat_of_the_da() -> None:
    (rung,) = da_ladder(["greedy:1"], ["cyborg"])
    assert 0.1 < climb(make_agent("automaton"), rung, 200).share < 0.9
