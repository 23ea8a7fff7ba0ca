"""PPO with action masks against Devious Automatics: from random play to most games won in two minutes.

    python examples/ppo.py                # two minutes on one core
    python examples/ppo.py --minutes 10

One file, without a training library. The reward is the margin (your points minus the opponent's): it says
after every game how close the agent came, whereas a beginner almost never earns the reward for winning.
"""

import time

import gymnasium
import numpy as np
import torch
import typer
from torch import nn
from torch.distributions import Categorical

GAMES, STEPS, EPOCHS, BATCH = 128, 32, 3, 1_024
LEARNING_RATE, LAMBDA, CLIP, ENTROPY = 2e-3, 0.9, 0.2, 0.003
SCALE = 10  # margins are about -20 to 20; the network learns them divided by this number


class Policy(nn.Module):
    """A network with two outputs: a distribution over the legal actions, and the expected margin."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.logits, self.value = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        features = self.body(observations)
        logits = self.logits(features).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(features).squeeze(1)


def main(minutes: float = 2.0, seed: int = 1) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    envs = gymnasium.make_vec("pocketmars_env:pocketmars/Solo-v1", GAMES, level="standard", reward="margin")
    observations, infos = envs.reset(seed=seed)
    policy = Policy(observations.shape[1], infos["action_mask"].shape[1])
    optimizer = torch.optim.Adam(policy.parameters(), lr=LEARNING_RATE)
    start, decisions, margins = time.process_time(), 0, [0.0]

    while (share := (time.process_time() - start) / (60 * minutes)) < 1:
        # Play: every row of the batch is one step in all games.
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - share)
        rows = []
        for _ in range(STEPS):
            tensors = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"], dtype=torch.bool)
            with torch.no_grad():
                distribution, values = policy(*tensors)
            actions = distribution.sample()
            observations, rewards, terminated, truncated, infos = envs.step(actions.numpy())
            ended = terminated | truncated
            margins += rewards[ended].tolist()
            rows.append((*tensors, actions, distribution.log_prob(actions), values, rewards / SCALE, ended))
        decisions += GAMES * STEPS

        # Estimate the advantages, backwards in time; no value flows over the end of a game.
        with torch.no_grad():
            masks = torch.as_tensor(infos["action_mask"], dtype=torch.bool)
            following, advantage = policy(torch.as_tensor(observations), masks)[1].numpy(), np.zeros(GAMES)
        advantages = []
        for *_, values, rewards, ended in reversed(rows):
            advantage = rewards + ~ended * (following + LAMBDA * advantage) - values.numpy()
            following = values.numpy()
            advantages.append(torch.as_tensor(advantage, dtype=torch.float32))

        # Learn.
        columns = [torch.cat(column) for column in list(zip(*rows))[:5]]
        columns.append(torch.cat(advantages[::-1]))
        for _ in range(EPOCHS):
            for batch in torch.randperm(GAMES * STEPS).split(BATCH):
                observed, masks, actions, old_log_probs, old_values, gains = (
                    column[batch] for column in columns
                )
                distribution, values = policy(observed, masks)
                ratio = (distribution.log_prob(actions) - old_log_probs).exp()
                scaled = (gains - gains.mean()) / (gains.std() + 1e-8)
                policy_loss = -torch.min(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
                value_loss = (values - (old_values + gains)).pow(2).mean()
                loss = policy_loss + 0.5 * value_loss - ENTROPY * distribution.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                optimizer.step()
        recent = np.array(margins[-500:])
        results = f"{(recent > 0).mean():6.1%} of the last games won, margin {recent.mean():+.1f}"
        print(f"{share * minutes:.2f} min, {decisions:9,} decisions: {results}", flush=True)


if __name__ == "__main__":
    typer.run(main)
