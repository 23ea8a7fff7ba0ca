"""Analysis of recorded games: a bot compares each action played with the action that it considers best."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from pocketmars_agents.bots.estimates import JudgingAgent
from pocketmars_agents.game_bots import game_bots_of
from pocketmars_agents.play.seats import HUMAN
from pocketmars_agents.registry import checked_name, make_agent
from pocketmars_env.core.agent import Agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.replays import Replay
from pocketmars_env.replays.analysis import Analysis, JudgedMove
from pocketmars_env.replays.page import check_seat

ANALYST = "puct:2000"
"""The default bot for analyses; see `analyst_for`."""

Progress = Callable[[Iterable[JudgedMove], int], Iterable[JudgedMove]]
"""A progress display: takes an iterable of moves and the number of moves, and yields the moves unchanged."""


def analyst_named(name: str) -> JudgingAgent:
    """Create a bot by name; raise a ValueError if it cannot be created or is not a `JudgingAgent`."""
    return analyst(make_agent(checked_name(name)))


def analyst_for(spec: GameSpec) -> JudgingAgent:
    """Return the default bot for a game: `ANALYST`, or `planner` if the game has no default network."""
    return analyst_named(ANALYST if game_bots_of(spec).network else "planner")


def analyst(agent: Agent) -> JudgingAgent:
    """Return the agent unchanged; raise a ValueError if it is not a `JudgingAgent`."""
    if not isinstance(agent, JudgingAgent):
        raise ValueError(
            f"{agent.name} cannot estimate the values of all actions; use puct, ismcts, planner or greedy"
        )
    return agent


def analysis_of(
    replay: Replay,
    agent: Agent,
    seats: Sequence[int] | None = None,
    progress: Progress = lambda moves, number: moves,
) -> Analysis:
    """Analyze a recorded game.

    For each decision in which one of the given seats has more than one legal action, the agent evaluates the
    action played and the action that it considers best. It uses only the view of the seat to play, without
    hidden information. The same replay, agent and seats give the same analysis, unless the agent has a time
    budget.
    """
    judging, chosen = analyst(agent), seats_of(replay) if seats is None else tuple(seats)
    for seat in chosen:
        check_seat(replay, seat)
    decisions = [
        (number, game)
        for number, game in enumerate(replay.games(), start=1)
        if game.to_play in chosen and number <= len(replay.actions) and len(game.legal) > 1
    ]
    kind = ""

    def judged() -> Iterator[JudgedMove]:
        nonlocal kind
        for number, game in decisions:
            view, played = game.view(), replay.actions[number - 1]
            judgement = judging.judge(view, played, np.random.default_rng([0, number]))
            kind = judgement.kind
            yield JudgedMove(number, view.seat, played, judgement.best, judgement.value, judgement.best_value)

    moves = tuple(progress(judged(), len(decisions)))
    return Analysis(judging.name, kind, moves)


def seats_of(replay: Replay) -> tuple[int, ...]:
    """Return the seats named ``human``; if there are none, return all seats that make decisions."""
    people = tuple(seat for seat, name in enumerate(replay.names) if name == HUMAN)
    return people or tuple(range(replay.config.seats_to_play))
