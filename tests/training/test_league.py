"""The league of opponents in self-play training."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common import checkpoints
from pocketmars_training.common.league import DECAY, MIN_WEIGHT, League
from pocketmars_training.common.self_play_table import LEARNER, Result, SelfPlayTable
from pocketmars_training.ppo import PpoRun
from pocketmars_training.self_play import SelfPlaySettings
from tests.training.processes import newest
from tests.training.tiny import tiny, with_one_matchup


class Named(RandomAgent):
    """A random agent with a name of its own."""

    def __init__(self, name: str) -> None:
        self.name = name


def league(*past: str) -> League:
    made = League([make_agent("random"), make_agent("greedy:1")], present_share=0.4)
    for name in past:
        made.add_past(Named(name))
    return made


def test_the_strongest_gets_most_and_the_beaten_is_not_forgotten() -> None:
    one = league("past-1", "past-2")
    one.scores[:] = [0.5, 1.0, 0.2, 0.5, 0.7]
    weights = one.weights()
    assert weights.sum() == pytest.approx(1)
    assert weights[0] == pytest.approx(0.4)
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


def test_the_learner_plays_one_seat_until_a_past_version_joins() -> None:
    one, rng = league(), np.random.default_rng(1)
    assert all((one.line_up(4, rng) == LEARNER).sum() == 1 for _ in range(100))
    one.add_past(Named("past-1"))
    assert any((one.line_up(4, rng) == LEARNER).sum() > 1 for _ in range(100))


def test_line_ups_follow_the_weights() -> None:
    one, rng = league("past-1"), np.random.default_rng(1)
    one.scores[:] = [0.5, 0.9, 0.1, 0.4]
    drawn = np.array([one.line_up(4, rng) for _ in range(5_000)])
    assert (drawn == LEARNER).any(axis=1).all()
    # the learner has one seat of its own, and its share of the others
    shares = np.bincount(drawn.reshape(-1) + 1, minlength=4) / drawn.size
    expected = 0.75 * one.weights() + [0.25, 0, 0, 0]
    assert np.abs(shares - expected).max() < 0.02
    assert np.abs((drawn == LEARNER).mean(axis=0) - expected[0]).max() < 0.03


def test_rewards_change_the_scores_against_the_opponents_that_sat_there() -> None:
    one = league("past-1")
    one.record_results(
        [
            Result(np.array([LEARNER, 1, 2, 1]), np.array([1.0, -1 / 3, -1 / 3, -1 / 3])),
            Result(np.array([LEARNER, LEARNER]), np.array([1.0, -1.0])),
            Result(np.array([2, LEARNER, LEARNER]), np.array([-0.5, 1.0, -0.5])),
        ]
    )
    expected = league("past-1")
    for number, reward in ((2, 1.0), (3, 1.0), (2, 1.0), (3, 0.25)):
        expected.record(number, reward)
    assert one.scores.tolist() == expected.scores.tolist()


def test_running_games_keep_their_opponents_when_the_league_grows() -> None:
    one = league("past-1")
    table = SelfPlayTable(SPEC, 50, {"players": 4}, one, np.random.default_rng(1))
    before = table.line_up.copy()
    one.add_past(Named("past-2"))
    one.scores[:] = [0.5, 1, 1, 1, 0]
    running = np.ones(50, dtype=np.bool_)
    while running.any():
        games = table.learner_games()
        ended = table.step(games, table.learner_views(games).masks.argmax(axis=1))
        running[[game.game for game in ended]] = False
        assert np.array_equal(table.line_up[running], before[running])
    assert one.agents[table.line_up.max()].name == "past-2"


def test_what_is_shown() -> None:
    one = league("past-1", "past-2")
    one.scores[:] = [0.5, 0.25, 0.75, 0.4, 0.6]
    assert one.summary() == "random 0.25, greedy:1 0.75, 2 past selves 0.40 to 0.60"
    assert league().summary() == "random 0.50, greedy:1 0.50"


def test_ctrl_c_while_a_past_self_is_written_leaves_a_run_that_can_be_resumed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(path: Path, data: bytes) -> None:
        if path.name.startswith("past-"):
            raise KeyboardInterrupt
        write_whole(path, data)

    changes: dict[str, Any] = {"players": (2,), "bots": ("random",), "imitation_timesteps": 0}
    with (
        monkeypatch.context() as patched,
        with_one_matchup(PpoRun(tiny(SelfPlaySettings, tmp_path, **changes))) as run,
    ):
        patched.setattr(checkpoints, "write_whole", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.train()
    with with_one_matchup(PpoRun(tiny(SelfPlaySettings, tmp_path, resume=True, **changes))) as resumed:
        resumed.train()
        assert newest(tmp_path) >= 600
