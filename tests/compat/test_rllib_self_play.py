"""Self-play training with RLlib on a cluster of two machines: killed, resumed, and exported to ONNX."""

import json
import re
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import NUM_ACTIONS, Game, Games

pytest.importorskip("ray.rllib", exc_type=ImportError)

import ray
import torch
from gymnasium import spaces
from ray.cluster_utils import Cluster
from ray.rllib.core.columns import Columns
from ray.rllib.env.env_context import EnvContext

from pocketmars_env.adapters.rllib import MultiAgentGame
from pocketmars_env.envs.rewards import final_rewards
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common import checkpoints
from pocketmars_training.rllib.config import make_config
from pocketmars_training.rllib.game import PoolGame, agent_id, module_of
from pocketmars_training.rllib.module import FrozenModule, LearningModule, new_network
from pocketmars_training.rllib.pool import LEARNER
from pocketmars_training.rllib.run import ScaleOutRun, reports_of
from pocketmars_training.rllib.settings import ScaleOutSettings
from pocketmars_training.rllib.state import freeze, load_learner, state_of
from tests.agents.playing import play_out
from tests.compat.test_rllib import pytestmark as pytestmark
from tests.training.processes import LONG, finish, newest, start, stop_when
from tests.training.tiny import TINY_RLLIB

PAGE = Path(__file__).parents[2] / "training" / "SCALING.md"
SCRIPT = "rllib_self_play"
STORE = 100_000_000
"""Size of Ray's object store in bytes."""
GAME = {"game": SPEC.name, "players": (2, 3, 4), "bots": ("random",), "past_kept": 2, "present_share": 0.5}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a cluster: a head node without env runners, and two nodes with one CPU each."""
    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE},
    )
    for _ in range(2):
        cluster.add_node(num_cpus=1, object_store_memory=STORE)
    yield cluster.address
    cluster.shutdown()


@pytest.fixture
def connected(address: str) -> Iterator[None]:
    ray.init(address, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


# --- the module -----------------------------------------------------------------------------------


def positions(count: int, moves: int) -> dict[str, torch.Tensor]:
    """Return the observations and action masks of `count` games after `moves` random actions."""
    games = Games(count, players=3, seed=1)
    for _ in range(moves):
        games.step(games.random_actions())
    observations, masks = games.observe()
    return {"observations": torch.from_numpy(observations), "action_mask": torch.from_numpy(masks)}


def module(kind: type[FrozenModule]) -> FrozenModule:
    space = MultiAgentGame({"players": 2}).observation_spaces["player_0"]
    actions, network = spaces.Discrete(NUM_ACTIONS), {"net_arch": (16, 16)}
    return kind(observation_space=space, action_space=actions, model_config=network)


def settings(run: Path, **changes: Any) -> ScaleOutSettings:
    return ScaleOutSettings(run=run, **(TINY_RLLIB | changes))


@pytest.mark.parametrize("kind", [FrozenModule, LearningModule])
def test_a_module_draws_legal_actions_only(kind: type[FrozenModule]) -> None:
    made, entries = module(kind), positions(200, moves=12)
    logits = made.forward_exploration({Columns.OBS: entries})[Columns.ACTION_DIST_INPUTS]
    chances = logits.softmax(dim=1)
    legal = entries["action_mask"] != 0
    assert (chances[~legal] == 0).all()
    assert (chances[legal] > 0).all()
    drawn = made.get_exploration_action_dist_cls().from_logits(logits).sample()
    assert legal[torch.arange(200), drawn].all()


def test_a_module_says_the_same_while_it_learns() -> None:
    made, entries = module(LearningModule), positions(20, moves=5)
    assert isinstance(made, LearningModule)
    learning = made.forward_train({Columns.OBS: entries})
    playing = made.forward_inference({Columns.OBS: entries})
    torch.testing.assert_close(
        learning[Columns.ACTION_DIST_INPUTS], playing[Columns.ACTION_DIST_INPUTS], rtol=0, atol=1e-5
    )
    batch = {Columns.OBS: entries}
    values = made.compute_values(batch, learning[Columns.EMBEDDINGS])
    torch.testing.assert_close(values, made.compute_values(batch))
    torch.testing.assert_close(values, made.network(entries["observations"])[1])
    assert values.shape == (20,)


# --- the games ------------------------------------------------------------------------------------


def played(env: PoolGame, rng: np.random.Generator, seed: int | None = None) -> tuple[list[Any], Any]:
    """Play a game with random legal actions; return the agents with their actions, and the last step."""
    observations, _ = env.reset(seed=seed)
    to_play: list[Any] = []
    while True:
        ((agent, entries),) = observations.items()
        assert env.observation_spaces[agent].contains(entries)
        action = int(rng.choice(np.flatnonzero(entries["action_mask"])))
        to_play.append((agent, action))
        last = env.step({agent: action})
        observations, _, terminated, truncated, _ = last
        if terminated["__all__"] or truncated["__all__"]:
            return to_play, last


@pytest.mark.parametrize("kind", [{}, {"game": "project_mars", "players": (2,)}])
def test_everybody_rllib_asked_gets_the_reward_of_the_game(kind: dict[str, Any]) -> None:
    env, rng = PoolGame(GAME | kind), np.random.default_rng(1)
    seen: Counter[str] = Counter()
    env.report(np.array([0.3, 0.3, 0.2, 0.2]))
    for seed in range(30):
        to_play, (observations, rewards, terminated, truncated, _) = played(env, rng, seed)
        agents = {agent for agent, _ in to_play}
        assert agents == set(env.agents) == set(observations) == set(rewards)
        assert agents <= set(env.possible_agents)
        assert set(terminated) == set(truncated) == {*agents, "__all__"}
        assert any(terminated.values()) != any(truncated.values())
        seats = {int(agent.partition("@")[2]): reward for agent, reward in rewards.items()}
        final = final_rewards("win", env.game.scores, env.game.winners)
        assert seats == {seat: pytest.approx(final[seat]) for seat in seats}
        seen.update(module_of(agent) for agent in agents)
        report = env.report(env.shares)
        assert report.games == 1
        assert report.decisions == sum(module_of(agent) == LEARNER for agent, _ in to_play)
        mine = {seat for seat in seats if agent_id(LEARNER, seat) in agents}
        others = [seats[seat] for seat in mine for name in env.line_up if name != LEARNER]
        assert sorted(reward for _, reward in report.results) == sorted(others)
    assert set(seen) == {LEARNER, "past_0", "past_1"}
    assert seen[LEARNER] >= 30


def test_the_winner_of_a_scripted_game_gets_1_and_the_loser_minus_1() -> None:
    """`greedy` wins in either seat against an opponent that always takes the first legal action."""
    env = PoolGame(GAME | {"players": (2,), "bots": ("greedy:1",), "past_kept": 1, "present_share": 0.0})
    last_movers = set()
    for seed in range(6):
        observations, _ = env.reset(seed=seed)
        over = False
        while not over:
            ((agent, entries),) = observations.items()
            assert module_of(agent) == LEARNER
            observations, rewards, terminated, _, _ = env.step({agent: int(entries["action_mask"].argmax())})
            over = terminated["__all__"]
        seat = int(agent.partition("@")[2])
        last_movers.add(seat)
        assert env.game.winners == [1 - seat]
        assert rewards == {agent: -1.0}
        assert env.report(env.shares).results == [("greedy:1", -1.0)]
    assert last_movers == {0, 1}


def test_the_same_seed_gives_the_same_games() -> None:
    first, again = PoolGame(GAME), PoolGame(GAME)
    games = [[played(env, np.random.default_rng(2), seed)[0] for seed in (7, None)] for env in (first, again)]
    assert games[0] == games[1]
    assert games[0][0] != games[0][1]


def test_neighbouring_runners_play_other_games_with_the_same_seed() -> None:
    envs = [PoolGame(EnvContext(GAME, worker_index=runner)) for runner in (1, 2)]
    seeds = [env.reset(seed=7) and env.game.origin["seed"] for env in envs]
    assert seeds[0] != seeds[1]


def test_before_the_first_report_the_learner_meets_itself_and_the_first_bot() -> None:
    env = PoolGame({**GAME, "bots": ("random", "greedy:1")})
    line_ups: set[str] = set()
    for seed in range(40):
        env.reset(seed=seed)
        line_ups.update(env.line_up)
    assert line_ups == {LEARNER, "random"}


# --- RLlib ----------------------------------------------------------------------------------------


def test_the_reward_of_a_game_reaches_the_learner_over_all_cuts(connected: None, tmp_path: Path) -> None:
    changes = {"env_runners": 0, "n_steps": 5, "batch_size": 8, "players": (2,)}
    algorithm = make_config(settings(tmp_path, **changes), seed=3).build_algo()
    runner = algorithm.env_runner
    returns: dict[str, dict[str, float]] = {}  # of each agent, by episode
    against_others: list[float] = []
    noted: list[float] = []
    while len(against_others) < 8:
        for episode in runner.sample(num_timesteps=15):
            found = returns.setdefault(episode.id_, defaultdict(float))
            for agent, part in episode.agent_episodes.items():
                found[agent] += float(part.get_return())
            if episode.is_done:
                mine = [value for agent, value in found.items() if module_of(agent) == LEARNER]
                if len(mine) == 1:
                    against_others += mine
                assert mine == against_others[-1:] or sum(mine) == 0  # the learner may have both seats
        reports = reports_of(runner, np.array([0.4, 0.3, 0.3, 0.0, 0.0]))
        noted += [reward for report in reports for _, reward in report.results]
    algorithm.stop()
    assert against_others == noted
    assert -1.0 in noted


def test_an_update_teaches_the_learner_and_nobody_else(address: str, tmp_path: Path) -> None:
    run = ScaleOutRun(settings(tmp_path, address=address, env_runners=2, past_every=LONG))
    run.start_games()
    nodes = run.algorithm.env_runner_group.foreach_env_runner(
        lambda runner: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    assert len(set(nodes)) == 2  # one runner per machine
    before = state_of(run.algorithm)["rl_module"]
    made = run.update()
    after = state_of(run.algorithm)["rl_module"]
    changed = {
        name: any((before[name][part] != after[name][part]).any() for part in before[name]) for name in before
    }
    assert changed == {LEARNER: True, "past_0": False, "past_1": False}
    assert made > 0
    run.close()


def test_a_runner_that_dies_comes_back_with_the_past_selves(address: str, tmp_path: Path) -> None:
    run = ScaleOutRun(settings(tmp_path, address=address, env_runners=2, past_every=LONG))
    run.start_games()
    run.update()
    frozen = state_of(run.algorithm)["rl_module"][LEARNER]
    freeze(run.algorithm, "past_1")
    assert_plays_with(run, "past_1", frozen)
    group = run.algorithm.env_runner_group
    victim = next(iter(group._worker_manager.actors().values()))
    ray.kill(victim, no_restart=False)
    numbers, made = [], 0
    for _ in range(30):
        made += run.update()
        numbers.append(group.num_healthy_remote_workers())
        if numbers[-1] == 2 and 1 in numbers:
            break
        time.sleep(0.2)
    assert 1 in numbers  # the loss of the runner was noticed
    assert numbers[-1] == 2
    assert made > 0
    assert_plays_with(run, "past_1", frozen)
    now = state_of(run.algorithm)["rl_module"][LEARNER]
    assert any((now[part] != frozen[part]).any() for part in now)
    assert_plays_with(run, LEARNER, now)
    run.close()


def assert_plays_with(run: ScaleOutRun, name: str, weights: dict[str, torch.Tensor]) -> None:
    """Check that a module has these weights in all runners."""
    found = run.algorithm.env_runner_group.foreach_env_runner(
        lambda runner: runner.module[name].get_state(), local_env_runner=False
    )
    assert len(found) == 2
    for state in found:
        for part, expected in weights.items():
            np.testing.assert_array_equal(state[part], expected.numpy())


# --- the script -----------------------------------------------------------------------------------


def test_a_run_on_the_cluster_is_killed_resumed_and_exported(address: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with start(SCRIPT, folder, address=address, total_timesteps=LONG) as process:
        stop_when(lambda: newest(folder) > 100, process, signal.SIGKILL)
    kept = newest(folder)
    changes = {"address": address, "total_timesteps": kept + 150, "env_runners": 1, "resume": True}
    output = finish(SCRIPT, folder, **changes)
    (reached,) = re.findall(r"\n([\d,]+) decisions with seed 1; in this process ([\d,]+) in ", "\n" + output)
    total, made = (int(number.replace(",", "")) for number in reached)
    assert total - made == kept
    assert kept + 150 <= total < kept + 400
    assert re.search(r"agent +greedy_2p +greedy_3p +planner_2p", output)

    agent = PolicyAgent(folder / "multi.onnx")
    assert agent.card["decisions"] == total
    assert agent.card["settings"]["bots"] == ["greedy:1", "random"]
    content = checkpoints.read(checkpoints.kept(folder)[-1])
    network = new_network(SPEC, TINY_RLLIB["net_arch"])
    load_learner(network, content["rllib"])
    entries = positions(50, moves=9)
    logits, values = agent.evaluate(entries["observations"].numpy(), entries["action_mask"].numpy())
    with torch.no_grad():
        expected_logits, expected_values = network(entries["observations"])
    legal = entries["action_mask"].numpy() != 0
    np.testing.assert_allclose(logits[legal], expected_logits.numpy()[legal], atol=1e-4)
    np.testing.assert_allclose(values, expected_values.numpy(), atol=1e-4)
    play_out(Game(players=4, seed=1), agent)
    assert_log_is_explained(folder)


def assert_log_is_explained(folder: Path) -> None:
    """Check that the page's table lists exactly the metrics in the log."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert all(line["decisions"] > 0 for line in lines)
    logged = {name for line in lines for name in line} - {"decisions"}
    logged = {re.sub(r"^eval/.*", "eval/<matchup>", name) for name in logged}
    logged = {"score/<bot>" if name in ("score/greedy:1", "score/random") else name for name in logged}
    section = PAGE.read_text(encoding="utf-8").partition("\n## The log\n")[2].partition("\n## ")[0]
    assert logged == set(re.findall(r"^\| `(\w+/[\w<>]+)` \|", section, flags=re.MULTILINE))


def test_a_run_of_this_machine_alone_is_interrupted(tmp_path: Path) -> None:
    changes = {"total_timesteps": LONG, "env_runners": 0}
    with start(SCRIPT, tmp_path, **changes) as process:
        errors = stop_when(lambda: newest(tmp_path) > 0, process, signal.SIGINT)
    assert process.returncode == 1
    assert "interrupted" in errors.splitlines()[-1]
    assert "--resume" in errors.splitlines()[-1]
    with start(SCRIPT, tmp_path, **changes) as process:
        _, errors = process.communicate(timeout=60)
    assert errors.splitlines()[-1].endswith("or give another --run")


def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path) -> None:
    with start(SCRIPT, tmp_path, address="127.0.0.1:1", seconds_to_connect=3) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    expected = "pocketmars train rllib-self-play: no Ray cluster answered at '127.0.0.1:1' within 3 s"
    assert errors.splitlines()[-1] == expected
