"""Offline learning: DQN from recorded games only, then a test against Devious Automatics.

    pip install -c constraints.txt -e ".[train,data]"
    python examples/dqn_from_recordings.py

The games are those of the bot `greedy`. DQN alone would believe in actions that nobody tried; the term of
conservative Q-learning (CQL) pulls the values of such actions down. `--conservative 0` shows the difference.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import gymnasium
import minari
import numpy as np
import torch
import typer
from torch import nn

from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.recording import Plan, play_and_record, record
from pocketmars_env import GameConfig

BATCH, LEARNING_RATE, TARGET_EVERY = 256, 5e-4, 250


def recorded(bot: str, games: int) -> list[torch.Tensor]:
    """Record games of a bot; return observations, masks, actions, rewards and ends of the games."""
    with TemporaryDirectory() as folder:
        plan = Plan(bots=(bot,), config=GameConfig(mode="solo"), games=games, seed=1)
        for number, _ in enumerate(record(plan, Path(folder), hire_processes(1, play_and_record)), start=1):
            if number % 100 == 0:
                print(f"{number} games recorded", flush=True)
        (data,) = Path(folder).glob("pocketmars/*/data")
        episodes = list(minari.MinariDataset(data))
    # Observations and masks have one row more than the other arrays: the end of the game.
    ends = [np.append(episode.terminations | episode.truncations, True) for episode in episodes]
    columns = [
        np.concatenate([episode.observations for episode in episodes]),
        np.concatenate([episode.infos["action_mask"] for episode in episodes]).astype(bool),
        np.concatenate([np.append(episode.actions, 0) for episode in episodes]),
        np.concatenate([np.append(episode.rewards, 0.0) for episode in episodes]).astype(np.float32),
        np.concatenate(ends),
    ]
    return [torch.from_numpy(column) for column in columns]


def q_network(inputs: int, actions: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, actions)
    )


def q_values(network: nn.Module, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return the values of all actions; those of illegal actions are very low."""
    return network(observations).masked_fill(~masks, -1e9)


def win_rate(network: nn.Module, games: int) -> float:
    """Return the share of solo games that the greedy policy of the network wins."""
    envs = gymnasium.make_vec("pocketmars_env:pocketmars/Solo-v1", min(games, 64), level="standard")
    observations, infos = envs.reset(seed=12_345)
    rewards: list[float] = []
    while len(rewards) < games:
        masks = torch.as_tensor(infos["action_mask"], dtype=torch.bool)
        with torch.no_grad():
            actions = q_values(network, torch.as_tensor(observations), masks).argmax(dim=1)
        observations, reward, terminated, truncated, infos = envs.step(actions.numpy())
        rewards += reward[terminated | truncated].tolist()
    return float(np.mean(np.array(rewards) > 0))


def main(games: int = 1_000, updates: int = 10_000, conservative: float = 1.0, seed: int = 1) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    observations, masks, actions, rewards, ends = recorded("greedy", games)
    rows = masks.any(dim=1).nonzero().squeeze(1)  # without the rows of finished games
    network, target = (q_network(observations.shape[1], masks.shape[1]) for _ in range(2))
    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    for update in range(updates):
        if update % TARGET_EVERY == 0:
            target.load_state_dict(network.state_dict())
        batch = rows[torch.randint(len(rows), (BATCH,))]
        values = q_values(network, observations[batch], masks[batch])
        taken = values.gather(1, actions[batch, None]).squeeze(1)
        with torch.no_grad():  # the agent's next decision; there is none after the last
            following = q_values(target, observations[batch + 1], masks[batch + 1]).amax(dim=1)
            goal = rewards[batch] + torch.where(ends[batch], 0.0, following)
        loss = (taken - goal).pow(2).mean() + conservative * (values.logsumexp(dim=1) - taken).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (update + 1) % max(1, updates // 10) == 0:
            rate = win_rate(network, 200)
            print(f"{update + 1:7,} updates: loss {loss:.3f}, wins {rate:.0%} of 200 games", flush=True)


if __name__ == "__main__":
    typer.run(main)
