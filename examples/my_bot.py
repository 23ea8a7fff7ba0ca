"""A bot of your own, against Devious Automatics and against `greedy`.

    python examples/my_bot.py
    cd examples && pocketmars bench my_bot:Settler greedy --deals 100

It tries every action in one determinization, that is, with one possible deal of the cards that it cannot
see, and takes the action after which it is furthest ahead at the end of its turn.
"""

import numpy as np
import typer

from pocketmars_agents import make_agent
from pocketmars_env import Game, View


class Settler:
    """Plays the action after which it is furthest ahead at the end of its turn."""

    name = "settler"

    def act(self, view: View, rng: np.random.Generator) -> int:
        game = view.sample(rng)
        leads = np.array([lead_after(game.clone(), action, view.seat) for action in view.legal])
        return view.legal[int(rng.choice(np.flatnonzero(leads == leads.max())))]


def lead_after(game: Game, action: int, seat: int) -> float:
    """Return the seat's lead in points, with a small penalty for colonists that are still on Earth."""
    game.step(action)
    while game.to_play == seat and game.decision != "TURN":
        game.step(game.legal[-1])  # of the possible effects of a card, usually the most active one
    seats = game.snapshot()["seats"]
    others = [entry["score"] for number, entry in enumerate(seats) if number != seat]
    return seats[seat]["score"] - max(others) - seats[seat]["earth"] / 2


def win_rate(games: int, opponent: str | None, rng: np.random.Generator) -> float:
    """Return the share of games that the bot wins: the solo game, or two players with an opponent."""
    mine, other, won = Settler(), make_agent(opponent) if opponent else None, 0.0
    for number in range(games):
        game = Game(seed=number, **({"players": 2} if other else {"mode": "solo"}))
        seat = number % 2 if other else 0
        while not game.over:
            bot = mine if game.to_play == seat or other is None else other
            game.step(bot.act(game.view(), rng))
        won += (seat in game.winners) / len(game.winners)
    return won / games


def main(games: int = 100) -> None:
    for title, opponent in (("Devious Automatics", None), ("greedy", "greedy")):
        rate = win_rate(games, opponent, np.random.default_rng(1))
        print(f"{Settler.name} wins {rate:.0%} of {games} games against {title}", flush=True)


if __name__ == "__main__":
    typer.run(main)
