"""The look-ahead that `greedy` and `planner` share: its kernels.

For every legal action, in the same sampled worlds for all of them: play it, and go on to the end of
the turn. A planner tries all ways in which the seat may answer its further questions of this turn,
and keeps the best; otherwise, and for other seats that are asked in between, the answer with the
highest number is taken (in Pocket Mars ACCEPT, if it is a yes/no question). The position is then valued by
the game's evaluation. The action with the highest mean over the worlds is taken; of equally good ones the
lowest.
"""

from typing import Any

from pocketmars_agents.search.arrays import MAX_DECISIONS
from pocketmars_agents.search.evaluation_kernels import value
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import determinize, is_turn_over, step

WORST = -1.0
"""Less than the value of any position."""


@entry_point
def best_actions(
    states: Any,
    seats: Any,
    seeds: Any,
    worlds: int,
    is_planner: bool,
    weights: Any,
    line: Any,
    tried: Any,
    values: Any,
    actions: Any,
) -> None:
    """Answer the questions that `states` put to `seats`.

    Args:
        states: ``(n,)`` `STATE`, of one mode: worlds that fit the seats' views.
        seats: ``(n,)`` int64: the seats that are asked.
        seeds: ``(n,)`` uint64, each decides the worlds to be sampled for one answer.
        worlds: how many those are.
        is_planner: whether the seat's further answers of the turn are searched.
        weights: of the game's evaluation.
        line: ``(MAX_DECISIONS + 1,)`` `STATE`: the positions of a line of play; overwritten.
        tried: ``(MAX_DECISIONS + 1,)`` int64: how many answers of each were tried; overwritten.
        values: ``(n, NUM_ACTIONS)`` float64: the sum over worlds for the first, second, … legal action is
            written here.
        actions: ``(n,)`` int64: the answers are written here.

    """
    for k in range(len(states)):
        actions[k] = best_action(
            states[k], seats[k], seeds[k], worlds, is_planner, weights, line, tried, values[k]
        )


@kernel
def best_action(
    state: Any,
    seat: int,
    seed: Any,
    worlds: int,
    is_planner: bool,
    weights: Any,
    line: Any,
    tried: Any,
    values: Any,
) -> Any:
    """The answer to the question that `state` puts to `seat`; arguments as above."""
    number = legal_actions.count_legal_actions(state)
    for choice in range(number):
        values[choice] = 0.0
    for world in range(worlds):
        line[0] = state
        determinize(state, line[0], seat, chance.long_word(seed, world), True)
        for choice in range(number):
            line[1] = line[0]
            step(line[1], legal_actions.nth_legal_action(line[0], choice))
            if is_planner:
                values[choice] += value_of_turn(line, tried, seat, weights)
            else:
                go_to_decision(line[1], seat, MAX_DECISIONS)
                values[choice] += value(line[1], seat, weights)
    best = 0
    for choice in range(1, number):
        if values[choice] > values[best]:
            best = choice
    return legal_actions.nth_legal_action(state, best)


# --- the rest of the turn -------------------------------------------------------------------------


@kernel
def value_of_turn(line: Any, tried: Any, seat: int, weights: Any) -> Any:
    """The highest value that the seat can reach from ``line[1]`` by the end of the turn."""
    if go_to_decision(line[1], seat, 1):
        return value(line[1], seat, weights)
    best, depth = WORST, 1
    tried[depth] = 0
    while depth > 0:
        if tried[depth] == legal_actions.count_legal_actions(line[depth]):
            depth -= 1
            continue
        line[depth + 1] = line[depth]
        step(line[depth + 1], legal_actions.nth_legal_action(line[depth], tried[depth]))
        tried[depth] += 1
        if go_to_decision(line[depth + 1], seat, depth + 1):
            best = max(best, value(line[depth + 1], seat, weights))
        else:
            depth += 1
            tried[depth] = 0
    return best


@kernel
def go_to_decision(state: Any, seat: int, depth: int) -> Any:
    """Go on to the seat's next question; whether there is none left in this turn."""
    while not is_turn_over(state) and (state.to_play != seat or depth == MAX_DECISIONS):
        step(state, legal_actions.nth_legal_action(state, legal_actions.count_legal_actions(state) - 1))
    return is_turn_over(state)
