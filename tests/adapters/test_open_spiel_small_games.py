"""OpenSpiel's solvers get the whole tree of a small game, and agree with the exact values of this project."""

from typing import Any

import numpy as np
import pytest

from pocketmars_agents.exact.game_tree import Floats, GameTree, tree_of
from pocketmars_agents.exact.solver import equilibrium
from pocketmars_agents.exact.strategies import small_config, small_configs
from pocketmars_env.adapters.moments import Moment
from pocketmars_env.core.game_spec import spec_of
from tests.adapters.open_spiel import pyspiel

exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
expected_game_score = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
policies = pytest.importorskip("open_spiel.python.policy")

EVERY_SMALL_GAME = pytest.mark.parametrize("name", small_configs())
SMALLEST = ("skirmish", "pebble")


def load(name: str, **parameters: Any) -> Any:
    game = spec_of(small_config(name)).name
    return pyspiel.load_game(f"python_{game}", {"small": name, **parameters})


@EVERY_SMALL_GAME
def test_a_small_game_starts_with_its_deals(name: str) -> None:
    game, deals = load(name), small_config(name).deals or 0
    assert game.max_chance_outcomes() == deals
    assert game.max_chance_nodes_in_history() == 1
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(deal, 1 / deals) for deal in range(deals)]
    assert state.action_to_string(3) == "deal 3"
    state.apply_action(3)
    assert not state.is_chance_node()
    assert state.game().to_bytes() == Moment.dealt(small_config(name), 3).to_bytes()
    with pytest.raises(pyspiel.SpielError):
        game.new_initial_state().apply_action(deals)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert not load(name, seed=3).new_initial_state().is_chance_node()


class Tabular(policies.Policy):  # type: ignore[misc, name-defined]  # OpenSpiel publishes no types
    """A strategy of this project as a policy of OpenSpiel."""

    def __init__(self, game: Any, tree: GameTree, strategy: Floats) -> None:
        super().__init__(game, [0, 1])
        self.rows: dict[str, Floats] = {}
        config = tree.spec.config.of_state(tree.blank[0])
        for deal in range(tree.num_deals):
            rest = [(int(tree.deals[deal]), Moment.dealt(config, deal))]
            while rest:
                node, moment = rest.pop()
                infoset = tree.tree.infosets[node]
                key = f"{moment.to_play} {moment.memory(moment.to_play or 0).hex()}"
                self.rows[key] = strategy[tree.tree.slots[infoset] : tree.tree.slots[infoset + 1]]
                children = tree.tree.children[tree.tree.edges[node] : tree.tree.edges[node + 1]].tolist()
                after = zip(children, moment.legal, strict=True)
                rest += [(child, moment.after(action)) for child, action in after if child >= 0]

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        seat = state.current_player()
        probabilities = self.rows[f"{seat} {state.moment.memory(seat).hex()}"]
        return dict(zip(state.legal_actions(), map(float, probabilities), strict=True))


@pytest.mark.slow  # OpenSpiel walks the trees in Python
@pytest.mark.parametrize("name", SMALLEST)
def test_values_equal_those_of_open_spiel(name: str) -> None:
    game, tree = load(name), tree_of(small_config(name))
    random = tree.normalized(np.random.default_rng(1).random(tree.num_slots))
    solved, _, _ = equilibrium(tree, most_iterations=32)
    for strategy in (tree.uniform(), random, solved) if name == SMALLEST[0] else (tree.uniform(), solved):
        policy = Tabular(game, tree, strategy)
        result = exploitability.nash_conv(game, policy, return_only_nash_conv=False)
        assert result.nash_conv == pytest.approx(tree.nash_conv(strategy), abs=1e-9)
        value = tree.value(strategy)
        gains = [best - own for best, own in zip(tree.best_response_values(strategy), (value, -value))]
        assert np.array(result.player_improvements) == pytest.approx(gains, abs=1e-9)
        if strategy is solved:
            state = game.new_initial_state()
            expected = expected_game_score.policy_value(state, [policy, policy])
            assert np.array(expected) == pytest.approx([value, -value], abs=1e-9)
