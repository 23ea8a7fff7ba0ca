"""TextArena's own loop plays the games."""

import re
from typing import Any

import pytest

pytest.importorskip("textarena", exc_type=ImportError)

import textarena as ta

from pocketmars_env.adapters.text_arena import env_id
from pocketmars_env.core.game_spec import GAMES
from tests.test_documents import ROOT, code_blocks

POCKET_MARS, PROJECT_MARS = (env_id(GAMES[name]) for name in ("pocket_mars", "project_mars"))
KINDS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "two": (POCKET_MARS, 2, {"round_limit": 3}),
    "three": (POCKET_MARS, 3, {"round_limit": 3, "draft": True}),
    "solo": (POCKET_MARS, 1, {"mode": "solo", "round_limit": 3}),
    "da_agent": (POCKET_MARS, 2, {"mode": "solo", "da_agent": True, "round_limit": 3}),
    "duel": (PROJECT_MARS, 2, {}),
}


class Model(ta.Agent):  # type: ignore[misc]
    """A scripted model that always takes the last legal action."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, observation: str) -> str:
        self.seen.append(observation)
        _, _, listed = observation.rpartition("Your legal actions:\n")
        return f"I think.\n[{re.findall(r'^([0-9]+): ', listed, re.MULTILINE)[-1]}]"


def play(env: Any, models: list[Model], seed: int) -> tuple[dict[int, float], dict[int, Any], int]:
    """Play a game with the loop from TextArena's README."""
    env.reset(num_players=len(models), seed=seed)
    done, steps = False, 0
    while not done:
        player_id, observation = env.get_observation()
        done, _ = env.step(action=models[player_id](observation))
        steps += 1
    rewards, info = env.close()
    return rewards, info, steps


@pytest.mark.parametrize("kind", KINDS)
def test_its_loop_plays_whole_games(kind: str) -> None:
    name, players, settings = KINDS[kind]
    env = ta.make(name, **settings)
    models = [Model() for _ in range(players)]
    rewards, info, steps = play(env, models, seed=3)
    assert set(rewards) == set(range(players))
    assert all(-1 <= reward <= 1 for reward in rewards.values())
    assert players == 1 or abs(sum(rewards.values())) < 1e-9
    assert sum(player["turn_count"] for player in info.values()) == steps
    assert [info[seat]["turn_count"] for seat in range(players)] == [len(model.seen) for model in models]
    assert not any(player["invalid_move"] for player in info.values())
    for seat, model in enumerate(models):
        for text in model.seen:
            assert text.count(f"You are {env.state.role_mapping[seat]}.") == 1  # no earlier positions
    again = [Model() for _ in range(players)]
    assert play(env, again, seed=3) == (rewards, info, steps)
    assert [model.seen for model in again] == [model.seen for model in models]


@pytest.mark.parametrize("name", [POCKET_MARS, PROJECT_MARS])
def test_a_raw_environment_returns_messages_instead_of_text(name: str) -> None:
    raw, env = ta.make(f"{name}-raw"), ta.make(name)
    for one in (raw, env):
        one.reset(num_players=2, seed=1)
    (raw_player, messages), (player, observation) = raw.get_observation(), env.get_observation()
    assert raw_player == player
    assert "\n\n".join(text for _, text, _ in messages) == observation  # so far, there is only one decision


def test_an_illegal_reply_may_be_corrected_once() -> None:
    env = ta.make(PROJECT_MARS)
    env.reset(num_players=2, seed=1)
    player, before = env.get_observation()
    assert env.step("[99999]") == (False, {})
    again, observation = env.get_observation()
    assert again == player
    assert observation.startswith(before)
    assert "action 99999 is not legal here" in observation
    done, _ = env.step("resign")
    rewards, info = env.close()
    assert done
    assert rewards == {player: -1.0, 1 - player: 1.0}
    assert (info[player]["invalid_move"], info[1 - player]["invalid_move"]) == (True, False)


@pytest.mark.parametrize(
    ("name", "settings", "players"),
    [
        (POCKET_MARS, {}, 1),
        (POCKET_MARS, {}, 5),
        (POCKET_MARS, {"mode": "solo"}, 2),
        (POCKET_MARS, {"mode": "solo", "da_agent": True}, 1),
        (PROJECT_MARS, {}, 3),
    ],
)
def test_another_number_of_players_is_refused(name: str, settings: dict[str, Any], players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        ta.make(name, **settings).reset(num_players=players, seed=1)


def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = [
        block for block in code_blocks(ROOT / "docs" / "language_models.md", "python") if "textarena" in block
    ]
    exec(compile(example, "example", "exec"), {"__name__": "__main__"})
    assert "action 999 is not legal here" in capsys.readouterr().out


def test_an_invalid_setting_is_refused() -> None:
    with pytest.raises(ValueError, match="round_limit"):
        ta.make(POCKET_MARS, round_limit=0).reset(num_players=2)
