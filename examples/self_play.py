"""Self-play: one network plays both seats of a two-player game, and learns from both.

    python examples/self_play.py                # ten minutes on one core
    python examples/self_play.py --players 4

`Games` steps hundreds of games in one compiled call; each row is a decision of the seat whose turn it is in
that game. There is no reward before the end, so all decisions of a seat have the same return: its reward.
"""

import time

import gymnasium
import numpy as np
import torch
import typer
from torch import nn
from torch.distributions import Categorical

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Games
from pocketmars_env.envs.rewards import final_rewards_all

GAMES, EPOCHS, BATCH = 256, 2, 4_096
LEARNING_RATE, CLIP, ENTROPY = 5e-4, 0.2, 0.01


class Policy(nn.Module):
    """A network with two outputs: a distribution over the legal actions, and the expected reward."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.logits, self.value = nn.Linear(256, actions), nn.Linear(256, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        features = self.body(observations)
        logits = self.logits(features).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(features).squeeze(1)


def play(policy: Policy, games: Games) -> list[torch.Tensor]:
    """Play all games to the end, and return observations, masks, actions, log-probabilities and returns."""
    rows, owners = [], []
    while not games.over.all():
        playing = np.flatnonzero(~games.over)
        observations, masks = (torch.from_numpy(array[playing]) for array in games.observe())
        with torch.no_grad():
            distribution, _ = policy(observations, masks.bool())
        chosen = distribution.sample()
        rows.append((observations, masks.bool(), chosen, distribution.log_prob(chosen)))
        owners.append((playing, games.to_play[playing]))
        actions = np.zeros(len(games), dtype=np.int64)
        actions[playing] = chosen.numpy()
        games.step(actions, ~games.over)
    rewards = final_rewards_all("win", games.scores, games.winners)
    game, seat = (np.concatenate(part) for part in zip(*owners))
    returns = torch.from_numpy(rewards[game, seat]).float()
    return [*(torch.cat(column) for column in zip(*rows)), returns]


def learn(policy: Policy, optimizer: torch.optim.Optimizer, columns: list[torch.Tensor]) -> None:
    """Improve the policy with PPO's clipped objective."""
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(columns[0])).split(BATCH):
            observations, masks, actions, old_log_probs, returns = (column[batch] for column in columns)
            distribution, values = policy(observations, masks)
            advantages = returns - values.detach()
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            ratio = (distribution.log_prob(actions) - old_log_probs).exp()
            gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
            loss = 0.5 * (values - returns).pow(2).mean() - ENTROPY * distribution.entropy().mean() - gain
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def win_rate(policy: Policy, players: int, opponent: str, games: int) -> float:
    """Return the share of games that the policy wins in one seat, against `opponent` in the others."""
    envs = gymnasium.make_vec(
        "pocketmars_env:pocketmars/Table-v1", min(games, 64), players=players, opponents=opponent
    )
    observations, infos = envs.reset(seed=12_345)
    rewards: list[float] = []
    while len(rewards) < games:
        masks = torch.as_tensor(infos["action_mask"], dtype=torch.bool)
        with torch.no_grad():
            distribution, _ = policy(torch.as_tensor(observations), masks)
        observations, reward, terminated, truncated, infos = envs.step(distribution.logits.argmax(1).numpy())
        rewards += reward[terminated | truncated].tolist()
    return (1 + float(np.mean(rewards)) * (players - 1)) / players  # a win is 1, a loss -1 / (players - 1)


def main(minutes: float = 10.0, players: int = 2, seed: int = 1, n_eval_games: int = 256) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    policy = Policy(OBSERVATION_SIZE, NUM_ACTIONS)
    optimizer = torch.optim.Adam(policy.parameters(), lr=LEARNING_RATE)
    start, decisions, updates = time.process_time(), 0, 0
    while time.process_time() - start < 60 * minutes:
        columns = play(policy, Games(GAMES, players=players, seed=seed * 1_000_000 + updates))
        learn(policy, optimizer, columns)
        decisions, updates = decisions + len(columns[0]), updates + 1
        if updates % 10 == 1:
            rates = [win_rate(policy, players, bot, n_eval_games) for bot in ("random", "greedy")]
            results = f"wins {rates[0]:.0%} against random, {rates[1]:.0%} against greedy"
            print(f"{decisions:9,} decisions: {results}", flush=True)


if __name__ == "__main__":
    typer.run(main)
