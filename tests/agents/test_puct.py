"""Tests of PUCT search: batches, networks, names and strength."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pocketmars_agents
from pocketmars_agents import make_agent
from pocketmars_agents.bots.puct_agent import CompiledNetwork, PuctAgent
from pocketmars_agents.game_bots import Network
from pocketmars_agents.games.pocket_mars.bots import FOLDER, POLICIES, Everywhere, shipped_policy
from pocketmars_agents.network.mlp import compact
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, Views
from pocketmars_env.core import game as core
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.mlps import blank_mlp, outputs_of, random_mlp
from tests.agents.onnx_policies import write_policy
from tests.agents.playing import play_out, search, wins
from tests.modes import MODES


class Flat(Network):
    """A network with equal logits for all actions and a value of 0; it records what it evaluates."""

    def __init__(self) -> None:
        self.to_play: list[int] = []
        self.states: list[Any] = []

    def evaluate(self, states: Any, observations: Any, masks: Any) -> Any:
        self.to_play.append(len(states))
        self.states.append(states.copy())
        return np.zeros((len(states), NUM_ACTIONS), np.float32), np.zeros(len(states), np.float32)


@pytest.mark.parametrize("simulations", [1, 2, 9, 100])
def test_a_search_makes_the_simulations_of_its_budget(simulations: int) -> None:
    network = Flat()
    found = search(PuctAgent(simulations=simulations, network=network), Game(players=2, seed=1))
    assert found.simulations == sum(network.to_play) == simulations
    assert found.visits.sum() == simulations - 1  # the first simulation only expands the root
    assert network.to_play[0] == 1


def test_every_answer_is_tried_in_the_same_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pocketmars_agents.bots.puct_agent.MOST_LEAVES", 1
    )  # one leaf at a time: no action is repeated before all others are tried
    game, network = Game(players=2, seed=1), Flat()
    answers = len(game.legal)
    search(PuctAgent(simulations=1 + 3 * answers, network=network), game)
    hands = [int(states["seats"]["hand"][0][1]) for states in network.states]  # hands of the other seat
    rounds = [set(hands[1 + k * answers : 1 + (k + 1) * answers]) for k in range(3)]
    assert [len(worlds) for worlds in rounds] == [1, 1, 1]
    assert len(set.union(*rounds)) == 3


@pytest.mark.parametrize("network", [None, Flat()])
def test_a_time_limit_ends_the_search(network: Any) -> None:
    agent = PuctAgent(seconds=0.3, network=network)
    assert 0 < search(agent, Game(players=2, seed=1)).simulations < 1_000_000


@pytest.mark.parametrize("mode", ["two", "four", "solo_da_agent"])
def test_compiled_networks_make_the_same_search(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pocketmars_agents.bots.puct_agent.MOST_LEAVES", 1
    )  # one simulation at a time, like the kernel
    mlps = (random_mlp(2, 16), random_mlp(1, 8))
    compiled, to_play = PuctAgent(300, network=Computed(mlps)), PuctAgent(300, network=Asked(mlps))
    game = Game(**MODES[mode], seed=4)
    for _ in range(8):
        game.step(game.legal[0])
    one, other = search(compiled, game), search(to_play, game)
    assert one.simulations == other.simulations == 300
    assert (one.visits == other.visits).all()
    assert np.allclose(one.values, other.values, atol=1e-6)
    assert np.allclose(one.priors, other.priors, atol=1e-6)


@pytest.mark.parametrize("mode", ["two", "three", "four", "solo_cyborg"])
def test_what_the_asked_seat_does_not_get_the_others_share_as_the_network_says(mode: str) -> None:
    mlp, game = blank_mlp(SPEC, opponent_win_split=3), Game(**MODES[mode], seed=4)
    seats, seat = len(game.scores), game.to_play or 0
    reward, ratios = -0.2, np.array([1.0, 3.0, 4.0])[: seats - 1]
    mlp.value_bias[:], mlp.opponent_win_split_biases[:] = reward, np.log([1.0, 3.0, 4.0])
    found = search(PuctAgent(1, network=Computed((mlp, mlp))), game).seat_values
    own = (reward * (seats - 1) + 1) / seats
    assert found[seat] == pytest.approx(own)
    assert np.roll(found, -seat)[1:] == pytest.approx((1 - own) * ratios / ratios.sum())


class Asked(Network):
    """Two networks, one for Devious Automatics; the search gets only their outputs."""

    def __init__(self, mlps: Any) -> None:
        self.pair = mlps

    def evaluate(self, states: Any, observations: Any, masks: Any) -> Any:
        logits, values = np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)
        for k, state in enumerate(states):
            mlp, rows = self.pair[int(state["solo"] and state["to_play"] == 1)], slice(k, k + 1)
            logits[rows], values[rows] = outputs_of(mlp, observations[rows], masks[rows])
        return logits, values


class Computed(Asked):
    """The two networks of `Asked`, passed to the compiled search, which must evaluate them itself."""

    def mlps(self, states: Any) -> Any:
        return tuple(map(compact, self.pair))

    def evaluate(self, states: Any, observations: Any, masks: Any) -> Any:
        raise AssertionError


def test_the_network_sees_what_the_seat_that_is_asked_sees() -> None:
    seen: list[Any] = []

    class Looking(Flat):
        def evaluate(self, states: Any, observations: Any, masks: Any) -> Any:
            views = Views(SPEC, states, np.arange(len(states)), states["to_play"].astype(np.int64))
            going = states["over"] == 0
            assert np.array_equal(views.observations[going], observations[going])
            assert np.array_equal(views.masks[going], masks[going])
            seen.extend(states["to_play"].tolist())
            return super().evaluate(states, observations, masks)

    search(PuctAgent(simulations=300, network=Looking()), Game(players=3, seed=1))
    assert set(seen) >= {0, 1, 2}


class Fond(Flat):
    """A network that prefers one action and gives all others equal logits."""

    def __init__(self, liked: int) -> None:
        super().__init__()
        self.liked = liked

    def evaluate(self, states: Any, observations: Any, masks: Any) -> Any:
        logits, values = super().evaluate(states, observations, masks)
        logits[:, self.liked] = 8.0
        return logits, values


def test_the_higher_the_temperature_the_more_it_tries_beside_the_likeliest() -> None:
    game = Game(players=2, seed=1)
    liked = game.legal[-1]

    def visits_elsewhere(temperature: float) -> int:
        agent = PuctAgent(simulations=200, temperature=temperature, network=Fond(liked))
        found = search(agent, game)
        return int(found.visits[found.actions != liked].sum())

    assert visits_elsewhere(0.5) < visits_elsewhere(3.0) < visits_elsewhere(30.0)


def test_it_follows_what_the_network_finds_likely() -> None:
    game = Game(players=2, seed=1)
    liked = game.legal[-1]
    found = search(PuctAgent(simulations=40, temperature=1, network=Fond(liked)), game)
    assert found.best == liked
    assert found.priors[list(found.actions).index(liked)] > 0.95
    assert found.priors.sum() == pytest.approx(1.0, abs=1e-6)


def test_it_beats_greedy() -> None:
    assert wins(20, PuctAgent(simulations=60), make_agent("greedy"), players=2) >= 14


def test_a_search_with_a_network_that_knows_nothing_beats_random_play() -> None:
    agent = PuctAgent(simulations=200, network=Flat())
    assert wins(10, agent, make_agent("random"), players=2) >= 8


# --- shipped policies -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", POLICIES)
def test_a_shipped_policy_has_a_card(name: str) -> None:
    card = shipped_policy(name).card
    assert card["name"] == name
    assert card["decisions"] > 0
    assert card["evaluation"]
    assert [entry["decisions"] for entry in card["history"]] == sorted(
        entry["decisions"] for entry in card["history"]
    )


def test_every_seat_is_answered_by_its_policy() -> None:
    states = Game(mode="solo", da_agent=True, seed=1).view().states.repeat(3)
    states["to_play"] = [0, 1, 0]
    rng = np.random.default_rng(0)
    observations = rng.random((3, OBSERVATION_SIZE), dtype=np.float32)
    masks = np.ones((3, NUM_ACTIONS), dtype=np.int8)
    logits, rewards = Everywhere().evaluate(states, observations, masks)
    for name, rows in (("solo", [0, 2]), ("da_seat", [1])):
        expected, values = shipped_policy(name).evaluate(observations[rows], masks[rows])
        assert np.allclose(logits[rows], expected, atol=1e-5)
        assert np.allclose(rewards[rows], values, atol=1e-5)


@pytest.mark.parametrize(("game", "other"), [("pocket_mars", "duel"), ("project_mars", "multi")])
def test_a_policy_of_another_game_is_refused(game: str, other: str) -> None:
    (path,) = Path(pocketmars_agents.__file__).parent.glob(f"games/*/policies/{other}.onnx")
    agent, view = make_agent(f"puct:10:policy={path}"), core.Game(game_named(game), seed=1).view()
    with pytest.raises(ValueError, match=f"{other}.onnx"):
        agent.act(view, np.random.default_rng(1))


def test_a_network_for_another_game_is_refused() -> None:
    agent = PuctAgent(simulations=10, network=CompiledNetwork(blank_mlp(game_named("project_mars"))))
    with pytest.raises(ValueError, match="Pocket Mars"):
        agent.act(core.Game(game_named("pocket_mars"), seed=1).view(), np.random.default_rng(1))


def test_a_policy_of_ones_own_guides(tmp_path: Path) -> None:
    path = write_policy(tmp_path / "own.onnx")
    agent = make_agent(f"puct:20:policy={path}")
    assert agent.name == f"puct:20:policy={path}"
    assert play_out(Game(players=2, seed=1), agent).winners


def test_an_agent_no_longer_needs_the_file_of_its_policy(tmp_path: Path) -> None:
    path = tmp_path / "own.onnx"
    path.write_bytes((FOLDER / "multi.onnx").read_bytes())
    game = Game(players=2, seed=1)
    expected = search(PuctAgent(20, policy=str(path)), game)
    agent = PuctAgent(20, policy=str(path))
    path.unlink()
    assert np.array_equal(search(agent, game).visits, expected.visits)
