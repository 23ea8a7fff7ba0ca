"""The tree of a small game, and exact values."""

from collections.abc import Iterator

import numpy as np
import pytest

from pocketmars_agents.exact.game_tree import GameTree, build_tree, tree_of
from pocketmars_agents.exact.solver import SOLVERS, equilibrium
from pocketmars_agents.exact.strategies import small_config, small_configs
from pocketmars_env.adapters.moments import Moment
from pocketmars_env.core.game_spec import GAMES, spec_of

SMALLEST = {
    name: next(small for small, config in small_configs().items() if spec_of(config) is spec)
    for name, spec in GAMES.items()
    if "small" in spec.config.__dataclass_fields__
}
"""The first small game of each game."""
FEW_DEALS = 8


@pytest.fixture(params=SMALLEST.values())
def game(request: pytest.FixtureRequest) -> GameTree:
    """A tree with few deals."""
    config = small_config(request.param)
    spec = spec_of(config)
    return build_tree(spec, spec.codec.blank(1, config), FEW_DEALS)


def lines(game: GameTree) -> Iterator[tuple[int, Moment]]:
    """Yield all nodes with their moments."""
    config, tree = game.spec.config.of_state(game.blank[0]), game.tree
    for deal in range(game.num_deals):
        rest = [(int(game.deals[deal]), Moment.dealt(config, deal))]
        while rest:
            node, moment = rest.pop()
            yield node, moment
            children = tree.children[tree.edges[node] : tree.edges[node + 1]]
            for action, child in zip(moment.legal, children.tolist(), strict=True):
                after = moment.after(action)
                if child >= 0:
                    rest.append((child, after))
                else:
                    utility = {(0,): 1, (1,): -1, (0, 1): 0}[tuple(after.winners)]
                    assert -2 - child == utility


def test_information_sets_are_those_of_moments(game: GameTree) -> None:
    """No two information states have the same hash."""
    pairs = set()
    for node, moment in lines(game):
        infoset = int(game.tree.infosets[node])
        assert game.tree.seats[infoset] == moment.to_play
        pairs.add((infoset, moment.to_play, moment.memory(moment.to_play or 0)))
    assert len(pairs) == game.num_infosets == len({(seat, memory) for _, seat, memory in pairs})


def test_positions_belong_to_their_information_sets(game: GameTree) -> None:
    seen = 0
    for infosets, states in game.positions():
        assert infosets.tolist() == list(range(seen, seen + len(infosets)))
        assert (states["to_play"] == game.tree.seats[infosets]).all()
        seen += len(infosets)
    assert seen == game.num_infosets


def test_best_responses_gain_at_least_nothing(game: GameTree) -> None:
    rng = np.random.default_rng(1)
    for temperature in (0.5, 5.0, 50.0):
        strategy = game.normalized(np.exp(temperature * rng.random(game.num_slots)))
        value = game.value(strategy)
        responses, foreseeing = game.best_response_values(strategy), game.clairvoyant_values(strategy)
        for seat, own in enumerate((value, -value)):
            assert own - 1e-12 <= responses[seat] <= foreseeing[seat] + 1e-12
            best, choices = game.best_response(strategy, seat)
            played = game.value(game.pure(choices, seat, strategy)) * (1 - 2 * seat)
            assert played == pytest.approx(best, abs=1e-12)
        assert game.nash_conv(strategy) == pytest.approx(sum(responses), abs=1e-12)


def test_a_pure_strategy_plays_the_most_likely_actions(game: GameTree) -> None:
    rng = np.random.default_rng(2)
    strategy = game.normalized(rng.random(game.num_slots))
    pure = game.most_likely(strategy)
    for first, end in zip(game.tree.slots, game.tree.slots[1:]):
        assert pure[first:end].argmax() == strategy[first:end].argmax()
        assert pure[first:end].sum() == 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_approach_an_equilibrium(game: GameTree, solver: str) -> None:
    strategy, nash_conv, iterations = equilibrium(game, 0.02, 1_000, solver)
    assert iterations <= 1_000
    assert -1e-12 <= nash_conv <= 0.02
    assert game.nash_conv(strategy) == pytest.approx(nash_conv, abs=1e-12)


def test_a_full_game_and_a_large_tree_are_refused() -> None:
    for spec in GAMES.values():
        with pytest.raises(ValueError, match="small game"):
            tree_of(spec.config())
    config = small_config(next(iter(SMALLEST.values())))
    spec = spec_of(config)
    with pytest.raises(ValueError, match="more than 100 actions"):
        build_tree(spec, spec.codec.blank(1, config), 8, most_edges=100)
