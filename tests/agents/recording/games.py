"""Recording plans for tests, and a function that records them."""

from pathlib import Path

from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.recording.plan import Plan, seated
from pocketmars_agents.recording.recorder import play_and_record, record
from pocketmars_env import GameConfig

CONFIGS = {
    "solo": (["random"], GameConfig(mode="solo", level="cyborg")),
    "solo, with an agent for the DA": (["random", "greedy:1"], GameConfig(mode="solo", da_agent=True)),
    "two, draft": (["random", "greedy:1"], GameConfig(players=2, draft=True)),
    "four": (["greedy:1", "random"], GameConfig(players=4, edition="board_and_dice")),
}
"""Bots and settings for every kind of game that the tests record."""


def plan_of(kind: str, games: int = 6, reward: str = "margin") -> Plan:
    bots, config = CONFIGS[kind]
    return Plan(seated(bots, config), config, games, seed=7, reward=reward, dataset_id="tests/games-v0")


def recorded(plan: Plan, out: Path, jobs: int = 1, **options: object) -> list[GameResult]:
    """Record a plan's games in the folder `out`, and return their results."""
    return list(record(plan, out, hire_processes(jobs, play_and_record), **options))  # type: ignore[arg-type]
