"""The look-ahead matches a plain implementation that tries every action in every determinization."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.bots.look_ahead_agent import GreedyAgent, LookAheadAgent, PlannerAgent
from pocketmars_agents.search.evaluations import evaluation_of, search_module
from pocketmars_env.core.compiled import chance
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game import Game
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from tests.games.project_mars.modes import MODES as PROJECT_MARS_MODES
from tests.modes import MODES

DETERMINIZATIONS = 3


def kernels_of(game: Game) -> Any:
    return search_module("look_ahead", game.spec)


def value(game: Game, seat: int) -> float:
    weights = evaluation_of(game.spec).weights_of(game.states)
    return float(kernels_of(game).value(game.states[0], seat, weights))


def is_turn_over(game: Game) -> bool:
    return bool(kernels_of(game).is_turn_over(game.states[0]))


def after(game: Game, action: int) -> Game:
    following = game.clone()
    following.step(action)
    return following


def with_default_actions(game: Game, seat: int) -> float:
    """Return the value if every later action of the turn is the legal action with the highest number."""
    while not is_turn_over(game):
        game.step(game.legal()[-1])
    return value(game, seat)


def ends_of_turn(game: Game, seat: int) -> Iterator[Game]:
    """Yield the position at the end of the turn after each sequence of the seat's later actions."""
    while not is_turn_over(game) and game.to_play != seat:
        game.step(game.legal()[-1])
    if is_turn_over(game):
        yield game
    else:
        for action in game.legal():
            yield from ends_of_turn(after(game, action), seat)


def with_best_actions(game: Game, seat: int) -> float:
    """Return the value if the seat plays its best later actions in the turn."""
    return max(value(end, seat) for end in ends_of_turn(game, seat))


def with_replies_in_the_round(game: Game, seat: int) -> float:
    """Return the best value after the round, over ends of turn at most 0.02 worse than the best end."""
    ends = [(value(end, seat), end) for end in ends_of_turn(game, seat)]
    least = max(reached for reached, _ in ends) - 0.02
    return max(after_the_round(end, seat) for reached, end in ends if reached >= least)


def after_the_round(game: Game, seat: int) -> float:
    """Return the value after greedy turns up to the end of the round, or up to the seat's own turn."""
    round_number, starting = (game.snapshot()[name] for name in ("round", "starting_seat"))
    if game.decision == "TURN" and game.to_play != starting:
        while not game.over and game.snapshot()["round"] == round_number:
            if is_turn_over(game) and game.to_play == seat:
                break  # the seat chose in another seat's turn, and its own turn comes later in the round
            game.step(max(game.legal(), key=lambda action: greedy_value(game, action)))
    return value(game, seat)


def with_reply(game: Game, seat: int) -> float:
    """Return the value if the seat plays its best later actions, followed by a greedy reply."""
    return max(after_reply(end, seat) for end in ends_of_turn(game, seat))


def after_reply(game: Game, seat: int) -> float:
    """Return the value after a greedy turn of the other seat, unless `seat` is to play."""
    is_reply_over = game.over or game.to_play == seat
    while not is_reply_over:
        game.step(max(game.legal(), key=lambda action: greedy_value(game, action)))
        is_reply_over = is_turn_over(game)
    return value(game, seat)


def greedy_value(game: Game, action: int) -> float:
    """Return an action's value for the seat to play, with default actions for the rest of the turn."""
    assert game.to_play is not None
    return with_default_actions(after(game, action), game.to_play)


def plain_choice(game: Game, seed: int, value_of_turn: Callable[[Game, int], float]) -> int:
    """Return the action with the highest value; ties go to the lowest action number."""
    view, seat = game.view(), game.to_play or 0
    sums = dict.fromkeys(view.legal, 0.0)
    for sample in range(DETERMINIZATIONS):
        states = blank_records(1, game.spec.state)
        word = np.uint64(chance.long_word(np.uint64(seed), sample))
        game.spec.batch.determinize_at(view.states, 0, seat, word, True, states, 0)
        for action in sums:
            sums[action] += value_of_turn(after(Game.of(game.spec, states), action), seat)
    return max(sums, key=lambda action: (sums[action], -action))


@pytest.mark.parametrize(
    ("game", "bot", "value_of_turn", "number"),
    [
        (Game(spec, **settings, seed=5), bot(DETERMINIZATIONS), value_of_turn, number)
        for spec, settings, planned, number in [
            *((POCKET_MARS, MODES[name], with_best_actions, 25) for name in ("two", "solo_da_agent")),
            (POCKET_MARS, MODES["solo_cyborg"], with_best_actions, 25),
            *((POCKET_MARS, MODES[name], with_replies_in_the_round, 12) for name in ("three_draft", "four")),
            *((PROJECT_MARS, PROJECT_MARS_MODES[name], with_reply, 6) for name in ("named", "random")),
        ]
        for bot, value_of_turn in ((GreedyAgent, with_default_actions), (PlannerAgent, planned))
    ],
)
def test_it_chooses_as_a_plain_look_ahead(
    game: Game, bot: LookAheadAgent, value_of_turn: Callable[[Game, int], float], number: int
) -> None:
    rng, compared = np.random.default_rng(2), 0
    while not game.over and compared < number:
        if len(game.legal()) > 1:
            seed = int(rng.integers(2**62))
            views = game.view().as_batch()
            chosen = int(bot.act_batch(views, np.array([seed], dtype=np.uint64))[0])
            assert chosen == plain_choice(game, seed, value_of_turn)
            compared += 1
        game.step(int(rng.choice(game.legal())))
    assert compared == number
