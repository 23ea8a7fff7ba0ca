"""Sessions for tests, and a function that plays the human seats."""

from typing import Any

from pocketmars_agents.play.seats import Seating
from pocketmars_agents.play.session import Session
from pocketmars_env.core.agent import Agent
from pocketmars_env.games.pocket_mars.config import GameConfig
from tests.agents.human.bots import ChanceBot
from tests.fixed_play import fixed_numbers


def session_with(humans: int = 1, seed: int = 3, **options: Any) -> Session:
    """Return a session with people in the first seats and a bot, by default `ChanceBot`, in the others."""
    settings = {key: value for key, value in options.items() if key not in ("practice", "hint", "bot")}
    config = GameConfig(**settings)
    names = [f"player_{seat}" for seat in range(config.players)] + ["da_0"] * config.da_agent
    bot: Agent = options.get("bot") or ChanceBot()
    bots = dict.fromkeys(names[humans:], bot)
    people, practice, hint = tuple(names[:humans]), options.get("practice", False), options.get("hint")
    return Session(Seating(config, bots, people, practice, hint), seed)


def play(session: Session, seed: int, most: int = 1_000) -> int:
    """Play up to `most` actions of people, drawn by `seed`, and return the number of actions played."""
    given = 0
    for number in fixed_numbers(seed):
        if session.to_play is None or given == most:
            break
        choices = session.choices(session.to_play)
        session.act(session.to_play, choices[number % len(choices)].action)
        given += 1
    return given
