"""Games as text for the verifiers library; each task is an episode with its own seed.

The library imports `GameTaskset` and `GameEnv` through the module ``pocketmars_verifiers``.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from pocketmars_env.core.game_spec import default_game
from pocketmars_env.text_interface import TextEnv
from pocketmars_env.text_interface.text_env import DEFAULT_RETRIES


class GameConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Settings of the environment that all tasks use; see `TextEnv`."""

    env_id: str = default_game().id_of(default_game().env_modes[0].name)
    """The id of the Gymnasium environment."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of the environment, such as {"opponents": "greedy"}."""
    retries: int = DEFAULT_RETRIES
    """Number of consecutive illegal replies that the model may correct."""
    is_strict: bool = False
    """Whether a reply must contain an action and nothing else."""

    def make_env(self) -> TextEnv:
        """Create the environment; see `TextEnv` for the errors."""
        return TextEnv(self.env_id, retries=self.retries, is_strict=self.is_strict, **self.settings)


class GameData(vf.TaskData):  # type: ignore[misc]
    """The data of a task, including the episode's seed; `env` contains the arguments of `GameConfig`."""

    seed: int
    env: dict[str, Any]


class GameTask(vf.Task[GameData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """A task without a reward function; `GameEnv` records the reward."""


class GameTaskset(vf.Taskset[GameTask, GameConfig]):  # type: ignore[misc]
    """An infinite set of tasks with the seeds 0, 1, 2, …"""

    INFINITE = True

    def load(self) -> Iterator[GameTask]:
        """Yield the tasks, each with the system prompt; `GameEnv` adds the prompt of the first decision."""
        config = self.config
        system_prompt = config.make_env().system_prompt
        fields = {name: getattr(config, name) for name in ("env_id", "settings", "retries", "is_strict")}
        for seed in itertools.count():
            data = GameData(
                name=f"{config.env_id}#{seed}",
                system_prompt=system_prompt,
                seed=seed,
                env=fields,
            )
            yield GameTask(data, config.task)


class GameEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """Configuration of the agent that plays; by default a model without tools, run in a local subprocess."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class GameEnv(vf.Env[GameEnvConfig]):  # type: ignore[misc]
    """Environment in which a model plays a task's game; prompts and errors are sent as user messages."""

    async def run(self, task: GameTask, agents: Any) -> None:
        """Play the game, and record the model's reward and the game's result.

        The number of replies and the number of illegal replies are also recorded. The reward is 0 if the
        interaction with the model ends before the episode ends.
        """
        env = GameConfig(**task.data.env).make_env()
        prompt = env.reset(task.data.seed)  # not in the taskset, because opponents may play differently
        reward, replies, illegal = 0.0, 0, 0
        async with agents.player.interaction(task.with_data(prompt=prompt)) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                step = env.step(segment.last_reply)
                reward, replies, illegal = step.reward, replies + 1, illegal + step.is_illegal
                if step.terminated or step.truncated:
                    break
                segment = await interaction.turn(step.text)
        interaction.trace.record_reward("game", reward, 1.0)
        interaction.trace.record_metrics({"replies": float(replies), "illegal_replies": float(illegal)})
        interaction.trace.info["game"] = env.result()
