"""Sessions for tests, and people who choose by rule."""

from typing import Any

from pocketmars_agents.play.seats import Seating
from pocketmars_agents.play.session import Session
from pocketmars_env.core.agent import Agent
from pocketmars_env.games.pocket_mars.config import GameConfig
from tests.agents.human.bots import ChanceBot
from tests.fixed_play import fixed_numbers


def session_with(humans: int = 1, seed: int = 3, **options: Any) -> Session:
    """A sitting of one kind of game: people in the first seats, `ChanceBot` in the others."""
    settings = {key: value for key, value in options.items() if key not in ("practice", "hint", "bot")}
    config = GameConfig(**settings)
    names = [f"player_{seat}" for seat in range(config.players)] + ["da_0"] * config.da_agent
    bot: Agent = options.get("bot") or ChanceBot()
    bots = dict.fromkeys(names[humans:], bot)
    people, practice, hint = tuple(names[:humans]), options.get("practice", False), options.get("hint")
    return Session(Seating(config, bots, people, practice, hint), seed)


def play(session: Session, seed: int, most: int = 1_000) -> int:
    """Let people answer by the choices of `seed`; returns how many answers they gave."""
    given = 0
    for number in fixed_numbers(seed):
        if session.to_play is None or given == most:
            break
        choices = session.choices(session.to_play)
        session.act(session.to_play, choices[number % len(choices)].action)
        given += 1
    return given
