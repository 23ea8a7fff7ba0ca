"""The imitation of a bot."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_env import NUM_ACTIONS, Games, Views
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.games.pocket_mars.ids import TABLE_ID
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.training.tiny import tiny

pytest.importorskip("sb3_contrib")

import torch

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_training.data import imitation
from pocketmars_training.data.imitation import Learnt, Lessons, imitate
from pocketmars_training.data.joined_vec_env import JoinedVecEnv
from pocketmars_training.model.masking import masked
from pocketmars_training.model.network import Network, new_model
from pocketmars_training.run.settings import Settings
from pocketmars_training.solo import SoloSettings, solo_env


def returns_of(dones: Any, rewards: Any) -> list[float]:
    """The return of every decision, row by row as they were made, by going through one game at a time."""
    steps, games = dones.shape
    found = np.full((steps, games), np.nan)
    for game in range(games):
        waiting: list[int] = []
        for step in range(steps):
            waiting.append(step)
            if dones[step, game]:
                for one in waiting:
                    found[one, game] = rewards[step, game]
                waiting = []
    flat: list[float] = found.reshape(-1).tolist()
    return flat


@pytest.mark.parametrize("seed", range(20))
def test_a_reward_is_given_to_the_rows_of_its_game_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps, games = int(rng.integers(1, 40)), int(rng.integers(1, 9))
    dones = rng.random((steps, games)) < rng.choice([0.0, 0.1, 0.5, 1.0])
    rewards = np.where(dones, rng.choice([-1.0, 0.25, 1.0], size=dones.shape), 0).astype(np.float32)
    lessons = Lessons(SPEC, steps * games, games)
    for step in range(steps):
        lessons.add(0.0, True, np.zeros((games, NUM_ACTIONS)))
        lessons.end_games(dones[step], rewards[step])
    np.testing.assert_array_equal(lessons.returns, returns_of(dones, rewards))
    assert np.isnan(lessons.returns).sum() == sum(map(np.isnan, returns_of(dones, rewards)))


class Recorded(JoinedVecEnv):
    """Keeps what `step_wait` gave."""

    def __init__(self, *parts: PocketMarsVecEnv) -> None:
        super().__init__(parts)
        self.dones: list[Any] = []
        self.rewards: list[Any] = []

    def step_wait(self) -> Any:
        found = super().step_wait()
        self.rewards.append(found[1])
        self.dones.append(found[2])
        return found


def test_lessons_are_true_to_the_games(tmp_path: Path) -> None:
    env = Recorded(
        PocketMarsVecEnv(TABLE_ID, 3, players=2, seed=1), PocketMarsVecEnv(TABLE_ID, 2, players=4, seed=1)
    )
    settings = tiny(Settings, tmp_path, games=5)
    network, lessons = Network.of_policy(new_model(env, settings).policy), Lessons(SPEC, 400, 5)
    rng, teacher, observations = np.random.default_rng(1), make_agent("greedy:1"), env.reset()
    for _ in range(80):
        seen, masks = observations, np.stack(env.env_method("action_masks"))
        observations = imitation.collect(network, env, teacher, lessons, observations, 0.5, rng)
        rows = slice(lessons.size - 5, lessons.size)
        assert np.array_equal(lessons.observations[rows], seen.astype(np.float16))
        assert np.array_equal(lessons.masks[rows], masks)
        assert (lessons.taught[rows][~masks] == 0).all()
        assert lessons.taught[rows].sum(axis=1) == pytest.approx(1.0, abs=0.01)
    np.testing.assert_array_equal(lessons.returns, returns_of(np.array(env.dones), np.array(env.rewards)))
    unfinished = np.isnan(lessons.returns).sum()
    assert 5 <= unfinished < 400


@pytest.mark.parametrize("name", ["greedy:2", "planner:1", "ismcts:20", "random"])
def test_a_teacher_prefers_what_it_answers(name: str) -> None:
    games = Games(12, players=2, seed=3)
    for _ in range(30):
        games.step(games.random_actions(), ~games.over)
    going = np.flatnonzero(~games.over)
    views = Views(SPEC, games.states, going, games.to_play[going])
    seeds, teacher = np.arange(len(going), dtype=np.uint64), make_agent(name)
    preferred = imitation.preferences_of(teacher, views, seeds)
    assert preferred.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (preferred[views.masks == 0] == 0).all()
    found = choose_actions(teacher, views, seeds)
    # equally good ones are preferred equally
    assert (preferred[np.arange(len(going)), found] == preferred.max(axis=1)).all()


def agreement(network: Network, seed: int) -> float:
    """How often the network's likeliest answer is that of greedy:1, in new games of its own."""
    env = JoinedVecEnv([PocketMarsVecEnv("pocketmars/Solo-v1", 64, seed=seed)])
    lessons, rng, observations = Lessons(SPEC, 64 * 40, 64), np.random.default_rng(seed), env.reset()
    for _ in range(40):
        observations = imitation.collect(
            network, env, make_agent("greedy:1"), lessons, observations, 0.3, rng
        )
    with torch.no_grad():
        logits = network(torch.from_numpy(lessons.observations.astype(np.float32)))[0]
        chosen = masked(logits, torch.from_numpy(lessons.masks)).argmax(dim=1).numpy()
    return float((chosen == lessons.taught.argmax(axis=1)).mean())


def test_the_network_learns_to_answer_as_the_teacher(tmp_path: Path) -> None:
    settings = tiny(
        SoloSettings, tmp_path, games=64, imitation=16_000, decisions=32_000, width=64, level="standard"
    )
    env = solo_env(settings)
    network = Network.of_policy(new_model(env, settings).policy)
    before = agreement(network, seed=1_000)
    made: list[int] = []
    rounds: list[tuple[int, Learnt]] = []
    imitate(network, env, settings, made.append, lambda number, learnt: rounds.append((number, learnt)))
    after = agreement(network, seed=1_000)
    assert after > before + 0.2
    assert sum(made) == settings.imitation_decisions == 16_000
    assert [number for number, _ in rounds] == list(range(1, imitation.ROUNDS + 1))
    assert rounds[-1][1].loss < rounds[0][1].loss
    assert abs(rounds[-1][1].agreement - after) < 0.15


def test_the_value_learns_how_games_end(tmp_path: Path) -> None:
    settings = tiny(SoloSettings, tmp_path, games=64, imitation=8_000, decisions=32_000, level="standard")
    env = solo_env(settings)
    network = Network.of_policy(new_model(env, settings).policy)
    lessons, observations, rng = Lessons(SPEC, 64 * 80, 64), env.reset(), np.random.default_rng(1)
    for _ in range(80):
        observations = imitation.collect(
            network, env, make_agent("greedy:1"), lessons, observations, 1.0, rng
        )
    known = ~np.isnan(lessons.returns)
    seen = torch.from_numpy(lessons.observations[known].astype(np.float32))

    def error() -> float:
        with torch.no_grad():
            return float(((network(seen)[1].numpy() - lessons.returns[known]) ** 2).mean())

    before, optimizer = error(), torch.optim.Adam(network.parameters(), lr=imitation.RATE)
    for _ in range(8):
        imitation.learn(network, optimizer, lessons, rng)
    assert error() < before / 2
    assert set(np.unique(lessons.returns[known])) == {-1.0, 1.0}


def test_the_lessons_need_the_memory_that_is_said() -> None:
    lessons = Lessons(SPEC, 1_000, 10)
    kept = (lessons.observations, lessons.masks, lessons.taught, lessons.returns)
    assert 3_450 < sum(array.nbytes for array in kept) / 1_000 < 3_550
