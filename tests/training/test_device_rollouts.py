"""Rollouts as tensors on the network's device."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_agents import Agent
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_env.core.game import Game, View, Views
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.core.games import Games
from pocketmars_env.envs.rewards import final_rewards_all
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.rollout_buffer import Forward, advantages_of, concatenate
from pocketmars_training.common.self_play_table import LEARNER, win_shares_from
from pocketmars_training.common.training_spec import kinds_of
from pocketmars_training.device.games import CudaGames, TensorGames
from pocketmars_training.device.rollouts import DeviceRolloutCollector, LineUps, Rollout, estimates_of
from pocketmars_training.device_ppo import DevicePpoRun, DevicePpoSettings
from tests.training.test_rollout_buffer import INPUTS, check_decisions, network
from tests.training.tiny import BY_SCRIPT, newest, with_one_matchup

__all__ = ["network"]

GAMMA, GAE_LAMBDA = 0.97, 0.8
COUNTS = (5, 4, 3)


def collector(
    n_steps: int,
    players: tuple[int, ...] = (2, 3, 4),
    seed: int = 1,
    num_threads: int = 1,
    bots: Sequence[Agent] = (),
    bot_share: float = 0.0,
    gae_lambda: float = GAE_LAMBDA,
) -> DeviceRolloutCollector:
    kinds = kinds_of(SPEC, players)
    counts = COUNTS[: len(kinds)]
    return DeviceRolloutCollector(
        SPEC, INPUTS, counts, kinds, n_steps, GAMMA, gae_lambda, (seed,), num_threads, bots, bot_share
    )


def expected(rollout: Rollout) -> tuple[Any, Any]:
    """The learner's advantages in a rollout, NaN if there is none, and the win shares, game by game."""
    steps, count, seats = rollout.winners.shape
    advantages = np.full((steps, count), np.nan, np.float32)
    shares = np.zeros((steps, count, seats), np.float32)
    values = rollout.values.numpy()
    for i in range(count):
        ends = [*np.flatnonzero(rollout.over[:, i].numpy()).tolist(), steps]
        for first, end in zip([0, *(end + 1 for end in ends)], ends):
            played = np.arange(first, min(end + 1, steps))
            to_play = rollout.to_play[played, i].numpy()
            for seat in set(to_play.tolist()):
                own = played[to_play == seat]
                if end < steps:
                    has_won = rollout.winners[end, i].numpy()[None]
                    reward = final_rewards_all("win", np.zeros_like(has_won, np.int64), has_won)
                    advantages[own, i] = advantages_of(values[own, i], reward[0, seat], GAMMA, GAE_LAMBDA)
                    shares[own, i] = win_shares_from(np.array([seat]), reward, seats)[0]
                else:
                    *earlier, last = own
                    target = GAMMA * values[last, i]
                    advantages[earlier, i] = advantages_of(values[earlier, i], target, GAMMA, GAE_LAMBDA)
    return np.where(rollout.is_own.numpy(), advantages, np.nan), shares


@pytest.mark.parametrize("bot_share", [0.0, 0.5])
def test_estimates_are_those_of_each_seat_in_each_game(network: Forward, bot_share: float) -> None:
    found = collector(1_000, bots=[RandomAgent()], bot_share=bot_share)
    for games, line_ups in found.games:
        rollout = found.play(games, line_ups, network)
        assert rollout.over.sum() > len(line_ups.players)  # games begin, end and are cut off
        assert rollout.is_own.all() == (bot_share == 0)
        pending = rollout.pending(estimates_of(rollout, GAMMA, GAE_LAMBDA).pending)
        following = found.play(games, line_ups, network, pending)
        for each in (rollout, following):
            estimates = estimates_of(each, GAMMA, GAE_LAMBDA)
            advantages, shares = expected(each)
            np.testing.assert_array_equal(estimates.is_known, ~np.isnan(advantages))
            np.testing.assert_allclose(estimates.advantages, np.nan_to_num(advantages), atol=1e-5)
            np.testing.assert_allclose(estimates.win_shares, shares, atol=1e-6)


@pytest.mark.parametrize("n_steps", [1, 7])
@pytest.mark.parametrize("bot_share", [0.0, 0.5])
def test_every_decision_is_collected_once(network: Forward, bot_share: float, n_steps: int) -> None:
    """Decisions without an advantage at the end of a rollout are collected later.

    With a λ of 0, an advantage depends only on the seat's next decision, not on the end of the rollout.
    """
    number = 60
    settings: dict[str, Any] = {"players": (3,), "bot_share": bot_share, "gae_lambda": 0.0}
    whole = collector(number * n_steps, bots=[RandomAgent()], **settings).collect(network)
    parts = collector(n_steps, bots=[RandomAgent()], **settings)
    found = concatenate([parts.collect(network) for _ in range(number)])
    assert 0 < whole.size == found.size
    first, second = (
        sorted(zip(each.log_probs.tolist(), each.values.tolist(), each.advantages.tolist()))
        for each in (whole, found)
    )
    np.testing.assert_allclose(first, second, atol=1e-6)


def test_a_buffer_has_the_decisions_with_advantages(network: Forward) -> None:
    found = collector(40).collect(network)
    assert 0.7 * 40 * sum(COUNTS) < found.size < 40 * sum(COUNTS)  # the first rollout
    check_decisions(found, network)
    totals = found.win_shares.sum(dim=1)
    assert torch.all((totals - totals.round()).abs() < 1e-5)  # 0 if the outcome is unknown, otherwise 1
    assert set(totals.round().tolist()) == {0.0, 1.0}


def test_the_seed_alone_decides_the_rollouts(network: Forward) -> None:
    one, same, other = (
        collector(12, seed=seed, num_threads=threads) for seed, threads in ((1, 1), (1, 2), (2, 1))
    )
    for _ in range(2):
        buffer = one.collect(network)
        assert all(map(torch.equal, buffer, same.collect(network)))
        assert not torch.equal(buffer.actions, other.collect(network).actions)


def test_unfinished_games_continue_in_the_next_rollout(network: Forward) -> None:
    whole = collector(20, players=(2,))
    halves = collector(10, players=(2,))
    rollout = whole.play(*whole.games[0], network)
    parts = [halves.play(*halves.games[0], network) for _ in range(2)]
    for column, first, second in zip(rollout, *parts):
        assert torch.equal(column, torch.cat([first, second]))
    assert len(set(map(tuple, rollout.to_play.T.tolist()))) > 1  # the games are at different stages


class GamesInHostMemory:
    """Replaces `DeviceGames` in tests without a GPU; its arrays are in host memory."""

    def __init__(self, games: Any) -> None:
        self._games, self.config = games, games.config
        self.step, self.reset = games.step, games.reset

    def to_device(self) -> "GamesInHostMemory":
        return self

    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.reset(self.over)
            self._games.step(self._games.random_actions())

    def observations(self, out: Any) -> None:
        out.numpy()[:] = self._games.observe()[0]

    def masks(self, out: Any) -> None:
        out.numpy()[:] = self._games.observe()[1]

    to_play = property(lambda self: self._games.to_play)
    over = property(lambda self: self._games.over)
    winners = property(lambda self: self._games.winners)


def test_games_on_a_gpu_give_the_same_rollouts(network: Forward) -> None:
    def games() -> Any:
        return Games(30, SPEC, players=2, round_limit=1, seed=3, observation_dtype=INPUTS.dtype.name)

    on_gpu = CudaGames(GamesInHostMemory(games()), INPUTS.device, ())
    played = TensorGames(games(), INPUTS.device, ()), on_gpu
    rollouts = []
    for each in played:
        each.stagger(50)
        found = collector(60, players=(2,))
        rollouts.append(found.play(each, found.new_line_ups(30, each), network))
    assert rollouts[0].over.any()
    assert all(map(torch.equal, *rollouts))


class Caller:
    """An agent that plays like `greedy` and records its decisions."""

    name = "caller"

    def __init__(self) -> None:
        self.greedy, self.views, self.actions = GreedyAgent(1), list[Views](), list[Any]()

    def act(self, view: View, rng: np.random.Generator) -> int:
        raise AssertionError("the agent is called with batches of views")

    def act_batch(self, views: Views, seeds: Any) -> Any:
        self.views.append(views)
        self.actions.append(self.greedy.act_batch(views, seeds))
        return self.actions[-1]


def test_bots_play_all_seats_but_the_learners(network: Forward) -> None:
    bots = [Caller(), Caller()]
    found = collector(60, players=(3,), bots=bots, bot_share=1.0)
    games, line_ups = found.games[0]
    assert ((line_ups.players == LEARNER).sum(dim=1) == 1).all()
    before = line_ups.players.clone()
    rollout = found.play(games, line_ups, network)
    assert rollout.over.any()
    assert not torch.equal(before, line_ups.players)
    played = rollout.actions[~rollout.is_own].tolist()
    chosen = np.concatenate([actions for bot in bots for actions in bot.actions])
    assert sorted(chosen.tolist()) == sorted(played)
    for bot in bots:
        assert bot.actions
        assert all((views.seats == views.states["to_play"]).all() for views in bot.views)


@pytest.mark.parametrize("bot_share", [0.0, 0.4, 1.0])
def test_a_share_of_the_games_has_a_bot(bot_share: float) -> None:
    line_ups = LineUps(4_000, 4, 2, bot_share, torch.Generator().manual_seed(1))
    first = line_ups.players.clone()
    for players in (first, line_ups.players):
        own = (players == LEARNER).sum(dim=1)
        assert set(own.tolist()) <= {1, 4}
        has_bot = own == 1
        assert abs(has_bot.float().mean() - bot_share) < 0.03
        if bot_share:
            numbers = players[has_bot].max(dim=1).values.bincount(minlength=2) / has_bot.sum()
            seats = (players[has_bot] == LEARNER).int().argmax(dim=1).bincount(minlength=4) / has_bot.sum()
            assert (numbers - 0.5).abs().max() < 0.05
            assert (seats - 0.25).abs().max() < 0.05
        line_ups.redraw(torch.arange(4_000) % 2 == 0)
    assert torch.equal(first[1::2], line_ups.players[1::2])


def run(folder: Path, **changes: Any) -> DevicePpoRun:
    return DevicePpoRun(DevicePpoSettings(run=folder, **(BY_SCRIPT["device_ppo"] | changes)))


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("pocket_mars", {"players": (2,)}),
        ("pocket_mars", {"bots": ("greedy:1", "random"), "bot_share": 0.5}),
        ("project_mars", {"players": (2,)}),
    ],
)
def test_a_run_trains_exports_and_resumes(game: str, changes: dict[str, Any], tmp_path: Path) -> None:
    spec = GAMES[game]
    with with_one_matchup(run(tmp_path, game=game, **changes)) as first:
        before = first.learner.action_net.weight.detach().clone()
        first.train()
        assert not torch.equal(before, first.learner.action_net.weight)
    decisions = newest(tmp_path)["num_timesteps"]
    assert decisions >= first.settings.total_timesteps
    changes = {**changes, "resume": True, "total_timesteps": decisions + 1}
    with with_one_matchup(run(tmp_path, game=game, **changes)) as again:
        assert again.num_timesteps == decisions
        again.train()
    assert newest(tmp_path)["num_timesteps"] > decisions
    agent = PolicyAgent(tmp_path / f"{'multi' if game == 'pocket_mars' else 'duel'}.onnx")
    game_played = Game(spec, **spec.player_settings(2), seed=1)
    agent.act(game_played.view(), np.random.default_rng(0))


def test_a_rollout_without_a_finished_decision_changes_nothing(tmp_path: Path) -> None:
    changes = {"n_envs": 1, "n_steps": 1, "batch_size": 1}
    with closing(run(tmp_path, players=(2,), **changes)) as started:
        started.start_games()
        sizes = list[int]()
        for _ in range(10):
            before = [weight.detach().clone() for weight in started.learner.parameters()]
            sizes.append(started.update())
            is_same = all(map(torch.equal, before, started.learner.parameters()))
            assert is_same == (sizes[-1] == 0)
        assert sizes[0] == 0  # all decisions are pending
        assert max(sizes) > 0


def test_bots_play_only_with_a_share_of_the_games(tmp_path: Path) -> None:
    settings = DevicePpoSettings(run=tmp_path, **(BY_SCRIPT["device_ppo"] | {"bots": ("random",)}))
    assert settings.opponents == ()  # `training_of` makes random the default bot of other games
    assert replace(settings, bot_share=0.2).opponents == ("random",)
