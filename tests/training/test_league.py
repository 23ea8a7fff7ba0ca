"""The league of opponents in self-play training."""

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.games.pocket_mars.ids import TABLE_ID
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common import checkpoints
from pocketmars_training.common.league import DECAY, MIN_WEIGHT, League, LeagueOpponents
from pocketmars_training.self_play import SelfPlayRun, SelfPlaySettings
from tests.training.processes import newest


class Named(RandomAgent):
    """A random agent with a name of its own."""

    def __init__(self, name: str) -> None:
        self.name = name


def league(*past: str) -> League:
    made = League(("random", "greedy:1"), present_share=0.4)
    for name in past:
        made.add_past(Named(name))
    return made


def test_the_present_self_gets_its_share_when_it_takes_part() -> None:
    one = league("past-1")
    assert one.weights()[0] == 0
    assert one.weights().tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    one.admit_present(Named("present"))
    assert one.weights().tolist() == pytest.approx([0.4, 0.2, 0.2, 0.2])
    assert [agent.name for agent in one.agents] == ["present", "random", "greedy:1", "past-1"]


def test_the_strongest_gets_most_and_the_beaten_is_not_forgotten() -> None:
    one = league("past-1", "past-2")
    one.admit_present(Named("present"))
    one.scores[:] = [0.5, 1.0, 0.2, 0.5, 0.7]
    weights = one.weights()
    assert weights.sum() == pytest.approx(1)
    assert weights[1:].argmax() == 1  # greedy:1, against which the learner does worst
    raw = np.array([MIN_WEIGHT, 0.8**2, 0.5**2, 0.3**2])
    assert weights[1:].tolist() == pytest.approx((0.6 * raw / raw.sum()).tolist())
    assert weights[1] > 0


def test_scores_forget_slowly() -> None:
    one = league()
    for _ in range(500):
        one.record(1, 1.0)
        one.record(2, -1 / 3)
    assert one.scores[1] == pytest.approx(1, abs=1e-3)
    assert one.scores[2] == pytest.approx(1 / 2 - 1 / 6, abs=1e-3)
    one.record(1, -1.0)
    assert one.scores[1] == pytest.approx(DECAY, abs=1e-3)


def test_line_ups_follow_the_weights() -> None:
    one = league("past-1")
    one.admit_present(Named("present"))
    one.scores[:] = [0.5, 0.9, 0.1, 0.4]
    opponents = LeagueOpponents(SPEC, one, seats=4, count=5_000)
    drawn = opponents.line_ups(np.arange(5_000, dtype=np.uint64))
    assert drawn.shape == (5_000, 3)
    shares = np.bincount(drawn.reshape(-1), minlength=4) / drawn.size
    assert np.abs(shares - one.weights()).max() < 0.02
    assert np.array_equal(drawn, opponents.line_ups(np.arange(5_000, dtype=np.uint64)))
    assert opponents.line_ups(np.zeros(0, dtype=np.uint64)).shape == (0, 3)


def names(opponents: LeagueOpponents, game: int) -> list[str]:
    return [opponents.agents[number].name for number in opponents.seated[game]]


class Heard(League):
    """A league that stores all rewards that are reported to it."""

    def __init__(self) -> None:
        super().__init__(("random", "greedy:1"), present_share=0.5)
        self.heard: list[tuple[str, float]] = []

    def record(self, number: int, reward: float) -> None:
        self.heard.append((self.agents[number].name, reward))
        super().record(number, reward)


def rounded(heard: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Sort the entries, and round the rewards because float32 is not exact."""
    return sorted((name, round(float(reward), 5)) for name, reward in heard)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rewards_reach_the_opponents_that_sat_there(players: int) -> None:
    one = Heard()
    for number in range(3):
        one.add_past(Named(f"past-{number}"))
    one.admit_present(Named("present"))
    count = 12
    opponents = LeagueOpponents(SPEC, one, players, count)
    env: Any = PocketMarsVecEnv(TABLE_ID, count, seed=1, players=players, opponents=opponents)
    env.reset()
    rng, met = np.random.default_rng(players), set()
    for step in range(600):
        session = [names(opponents, game) for game in range(count)]
        masks = env.env_method("action_masks")
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        one.heard.clear()
        _, rewards, dones, _ = env.step(actions)
        expected = [(name, rewards[game]) for game in np.flatnonzero(dones) for name in session[game]]
        assert rounded(one.heard) == rounded(expected)
        met |= set(rounded(one.heard))
        if step == 200:
            one.add_past(Named("past-late"))
    assert {"present", "greedy:1", "past-0", "past-late"} <= {name for name, _ in met}
    assert {-1 / (players - 1), 1.0} <= {-1 / (players - 1) if reward < 0 else reward for _, reward in met}


def test_running_games_keep_their_opponents_when_the_league_grows() -> None:
    one = league("past-1")
    opponents = LeagueOpponents(SPEC, one, 4, 50)
    env: Any = PocketMarsVecEnv(TABLE_ID, 50, seed=1, players=4, opponents=opponents)
    env.reset()
    before = [names(opponents, game) for game in range(50)]
    one.admit_present(Named("present"))
    one.add_past(Named("past-2"))
    one.scores[:] = [0.5, 1, 1, 1, 0]
    running = np.ones(50, dtype=np.bool_)
    while running.any():
        _, _, dones, _ = env.step(np.array([mask.argmax() for mask in env.env_method("action_masks")]))
        running &= ~dones
        for game in np.flatnonzero(running).tolist():
            assert names(opponents, game) == before[game]
    after = {name for game in range(50) for name in names(opponents, game)}
    assert {"present", "past-2"} <= after


def test_what_is_kept_and_shown() -> None:
    one = league("past-1", "past-2")
    one.scores[:] = [0.5, 0.25, 0.75, 0.4, 0.6]
    assert one.state_dict() == {"scores": [0.5, 0.25, 0.75, 0.4, 0.6], "past": ["past-1", "past-2"]}
    assert one.summary() == "random 0.25, greedy:1 0.75, 2 past selves 0.40 to 0.60"
    assert league().summary() == "random 0.50, greedy:1 0.50"


def test_ctrl_c_while_a_past_self_is_written_leaves_a_run_that_can_be_resumed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(path: Path, data: bytes) -> None:
        if path.name.startswith("past-"):
            raise KeyboardInterrupt
        write_whole(path, data)

    settings: dict[str, Any] = {
        "run": tmp_path, "players": (2,), "bots": ("random",), "imitation_timesteps": 0, "n_envs": 8,
        "total_timesteps": 300, "batch_size": 32, "n_steps": 8, "net_arch": (16,), "past_every": 128,
        "n_eval_episodes": 4, "threads": 1,
    }  # fmt: skip
    with monkeypatch.context() as patched, closing(SelfPlayRun(SelfPlaySettings(**settings))) as run:
        patched.setattr(checkpoints, "write_whole", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.train()
    with closing(SelfPlayRun(SelfPlaySettings(**settings, resume=True))) as resumed:
        resumed.train()
        assert newest(tmp_path) >= 300
