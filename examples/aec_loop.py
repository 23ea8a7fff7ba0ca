"""A table of three in PettingZoo's loop: your agent, a bot that looks at its view, and random play.

    python examples/aec_loop.py

PettingZoo asks the agents one after the other. A seat may decide several times in a turn, and at the end
every seat is selected once more to receive its reward.
"""

import numpy as np
import typer

from pocketmars_agents import make_agent
from pocketmars_env import pocketmars_v1


def main(games: int = 20, seed: int = 1) -> None:
    env = pocketmars_v1.env(players=3)
    rng, bot = np.random.default_rng(seed), make_agent("greedy")
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for number in range(games):
        env.reset(seed=seed + number)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            totals[agent] += reward  # between -1 and 1; 0 until the game is over
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"]
            if agent == "player_0":  # your agent: from observation["observation"] and the mask to an action
                action = int(rng.choice(np.flatnonzero(mask)))
            elif agent == "player_1":  # a bot gets a view, which contains what this seat knows
                action = bot.act(env.unwrapped.game.view(), rng)
            else:
                action = env.action_space(agent).sample(mask)
            env.step(action)
        means = ", ".join(f"{agent} {total / (number + 1):+.2f}" for agent, total in totals.items())
        print(f"game {number + 1}: mean rewards {means}", flush=True)


if __name__ == "__main__":
    typer.run(main)
