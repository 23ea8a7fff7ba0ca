"""The episodes that Minari reads from a recording match the games played."""

import json
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest

from pocketmars_agents.recording.plan import Plan, seated
from pocketmars_env import Game, GameConfig
from pocketmars_env.envs.rewards import final_rewards
from tests.agents.recording.games import CONFIGS, plan_of, recorded

NOT_INSTALLED = "ignore:(Package|Installed) pocketmars-env"
"""Minari's warning if pocketmars-env is not installed, or is installed in another version."""


def dataset_of(plan: Plan, out: Path) -> minari.MinariDataset:
    return minari.MinariDataset(out / plan.dataset_id / "data")


def episodes_of(dataset: minari.MinariDataset) -> list[tuple[minari.EpisodeData, dict[str, Any]]]:
    """Return every episode with its metadata."""
    metadata = dataset.storage.get_episode_metadata(range(dataset.total_episodes))
    return list(zip(dataset.iterate_episodes(), metadata, strict=True))


def check_episode(episode: minari.EpisodeData, metadata: dict[str, Any], plan: Plan) -> Game:
    """Replay an episode's game from its metadata; compare the seat's observations, masks and actions."""
    data, seat = json.loads(metadata["game"]), int(metadata["seat"])
    game = Game(**plan.config.as_dict(), seed=data["seed"])
    step = 0
    for action in data["actions"]:
        if game.to_play == seat:
            assert game.observe().tobytes() == episode.observations[step].tobytes()
            assert game.mask().tobytes() == episode.infos["action_mask"][step].tobytes()
            assert action == episode.actions[step]
            step += 1
        game.step(action)
    assert game.over
    assert (data["scores"], data["winners"]) == (game.scores, game.winners)
    assert step == len(episode) == metadata["total_steps"]
    assert game.observe(seat).tobytes() == episode.observations[step].tobytes()
    assert not episode.infos["action_mask"][step].any()
    reward = final_rewards(plan.reward, game.scores, game.winners)[seat]
    assert episode.rewards.tolist() == [0.0] * (step - 1) + [reward]
    assert episode.terminations.tolist() == [False] * (step - 1) + [not game.truncated]
    assert episode.truncations.tolist() == [False] * (step - 1) + [game.truncated]
    return game


@pytest.mark.parametrize("kind", CONFIGS)
def test_every_episode_is_what_its_seat_saw_and_did(kind: str, tmp_path: Path) -> None:
    plan = plan_of(kind)
    games = recorded(plan, tmp_path)
    dataset = dataset_of(plan, tmp_path)
    found = episodes_of(dataset)
    for episode, metadata in found:
        check_episode(episode, metadata, plan)
        played = games[int(metadata["seed"]) - plan.seed]
        data, seat = json.loads(metadata["game"]), metadata["seat"]
        assert (data["seed"], tuple(data["actions"])) == (played.match.seed, played.actions)
        assert data["agents"][seat] == played.match.bot_at(seat)
    to_play = [seat for game in games for seat, count in enumerate(game.decisions) if count]
    assert [metadata["seat"] for _, metadata in found] == to_play
    assert dataset.total_steps == sum(len(game.actions) for game in games)


def test_a_game_that_the_round_limit_ends_is_truncated(tmp_path: Path) -> None:
    plan = Plan(("random",), GameConfig(mode="solo", round_limit=2), 3, dataset_id="short-v0")
    recorded(plan, tmp_path)
    for episode, metadata in episodes_of(dataset_of(plan, tmp_path)):
        check_episode(episode, metadata, plan)
        assert episode.truncations[-1]


@pytest.mark.filterwarnings(NOT_INSTALLED)
def test_the_recovered_environment_replays_the_solo_games(tmp_path: Path) -> None:
    plan = plan_of("solo")
    recorded(plan, tmp_path)
    dataset = dataset_of(plan, tmp_path)
    env = dataset.recover_environment()
    assert (env.observation_space, env.action_space) == (dataset.observation_space, dataset.action_space)
    for episode, metadata in episodes_of(dataset):
        observation, info = env.reset(seed=metadata["seed"])
        for step, action in enumerate(episode.actions):
            assert observation.tobytes() == episode.observations[step].tobytes()
            assert info["action_mask"].tobytes() == episode.infos["action_mask"][step].tobytes()
            observation, reward, terminated, truncated, info = env.step(action)
            assert reward == episode.rewards[step]
            assert (terminated, truncated) == (episode.terminations[step], episode.truncations[step])


@pytest.mark.filterwarnings(NOT_INSTALLED)
@pytest.mark.parametrize("kind", [kind for kind in CONFIGS if kind != "solo"])
def test_the_recovered_table_begins_the_same_games(kind: str, tmp_path: Path) -> None:
    plan = plan_of(kind)
    recorded(plan, tmp_path)
    dataset = dataset_of(plan, tmp_path)
    env: Any = dataset.recover_environment(seat=0)
    for episode, metadata in episodes_of(dataset):
        if metadata["seat"] == 0:
            env.reset(seed=metadata["seed"])
            assert env.unwrapped.game.origin["seed"] == json.loads(metadata["game"])["seed"]
            assert env.observation_space.contains(episode.observations[0])
    assert env.spec.kwargs["opponents"] == list(plan.bots[1:])


def test_minari_finds_samples_filters_and_extends_the_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    plan = plan_of("solo", games=12, reward="win")
    recorded(plan, tmp_path)
    assert list(minari.list_local_datasets()) == [plan.dataset_id]
    dataset = minari.load_dataset(plan.dataset_id)
    assert len(list(dataset.sample_episodes(5))) == 5
    lost = dataset.filter_episodes(lambda episode: bool(episode.rewards[-1] < 0))
    assert 0 < len(lost) == sum(episode.rewards[-1] < 0 for episode in dataset)
    assert dataset.storage.metadata["pocketmars_config"] == plan.config.as_dict()
    joined = minari.combine_datasets([dataset, dataset], "tests/joined-v0")
    assert joined.total_episodes == 2 * dataset.total_episodes
    assert np.array_equal(joined[12].observations, dataset[0].observations)


@pytest.mark.slow
def test_many_games_load_and_are_those_that_were_played(tmp_path: Path) -> None:
    config = GameConfig(mode="solo")
    plan = Plan(seated(["random"], config), config, 1_000, dataset_id="many-v0")
    games = recorded(plan, tmp_path, jobs=2)
    dataset = dataset_of(plan, tmp_path)
    assert dataset.total_episodes == 1_000
    for number, (episode, metadata) in enumerate(episodes_of(dataset)):
        game = check_episode(episode, metadata, plan)
        assert tuple(episode.actions.tolist()) == games[number].actions
        assert tuple(game.scores) == games[number].scores
