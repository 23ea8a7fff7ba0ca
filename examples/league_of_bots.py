"""A league: every pair of bots plays the same deals, and the ratings say who is how strong.

    python examples/league_of_bots.py
    python examples/league_of_bots.py random greedy planner my_bot:Settler --deals 100

Every deal is played in every rotation of the seats, so luck counts for all bots alike. Each round of deals
makes the intervals narrower.
"""

from typing import Annotated

import typer

from pocketmars_agents.arena.arena import Deals
from pocketmars_agents.arena.rating import rating_table, round_robin
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import this_process
from pocketmars_env import GameConfig

Bots = Annotated[list[str] | None, typer.Argument(help="At least two bots, such as my_bot:Settler.")]


def main(bots: Bots = None, deals: int = 60, rounds: int = 3) -> None:
    results = []
    for number in range(rounds):
        part = Deals(GameConfig(players=2), deals // rounds, number * (deals // rounds))
        results += run(round_robin(bots or ["random", "greedy", "planner:1"], part), this_process)
        print(f"after {len(results)} games\n{rating_table(results).markdown()}\n", flush=True)


if __name__ == "__main__":
    typer.run(main)
